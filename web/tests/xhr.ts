import { vi } from 'vitest';

type Answer = { status: number; body: unknown };

/** One request that reports how far it is: what was sent with it, and what the test lets it do. */
export class Sent {
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  status = 0;
  statusText = '';
  responseText = '';
  address = '';
  file: File | null = null;

  open(method: string, path: string) {
    this.address = `${method} ${path}`;
  }

  send(form: FormData) {
    this.file = form.get('file') as File;
  }

  abort() {
    this.onabort?.();
  }

  /** Says that so much of it was sent. */
  progress(loaded: number, total: number) {
    this.upload.onprogress?.({ loaded, total });
  }

  answer({ status, body }: Answer) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

/** Stands in for the browser's requests; the list grows with each that is made. */
export function catchUploads(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends Sent {
      constructor() {
        super();
        sent.push(this);
      }
    },
  );
  return sent;
}
