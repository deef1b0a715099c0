import '@testing-library/jest-dom/vitest';

import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';

import { startI18n } from '~/i18n';

// What browsers have and jsdom has not.
vi.stubGlobal('ResizeObserver', class {
  observe() {}
  unobserve() {}
  disconnect() {}
});
window.matchMedia = (query: string) => new MediaQueryStub(query);
Element.prototype.scrollIntoView = () => {};
Object.defineProperty(document, 'fonts', { value: new EventTarget() });

class MediaQueryStub extends EventTarget implements MediaQueryList {
  matches = false;
  onchange = null;
  constructor(readonly media: string) {
    super();
  }
  addListener() {}
  removeListener() {}
}

beforeAll(() => startI18n('en'));
afterEach(cleanup);
