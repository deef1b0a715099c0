import { expect, test } from 'vitest';

import { contentAddress, freeName } from '~/screens/attachments/files';

test('names that are free', () => {
  expect(freeName('a.png', [])).toBe('a.png');
  expect(freeName('a.png', ['a.png', 'a (2).png'])).toBe('a (3).png');
  expect(freeName('notes', ['notes'])).toBe('notes (2)');
  expect(freeName('.env', ['.env'])).toBe('.env (2)');
});

test('addresses of contents keep any name', () => {
  expect(contentAddress({ hash: 'ab', name: 'a&b 請.png' })).toBe('/api/eval/attachments/ab/content?name=a%26b+%E8%AB%8B.png');
  expect(contentAddress({ hash: 'ab', name: 'a' }, true)).toBe('/api/eval/attachments/ab/content?name=a&download=1');
});
