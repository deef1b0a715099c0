import type { Schemas } from '~/api/client';
import { ApiError, errorOf, networkError } from '~/api/errors';

interface Sending {
  done: Promise<Schemas['Attachment']>;
  stop: () => void;
}

/** Sends a file to the workspace, telling what share of it is sent (0..1). `fetch` tells nothing of that. */
export function sendFile(file: File, onProgress: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Schemas['Attachment']>((resolve, reject) => {
    request.open('POST', '/api/eval/attachments');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status, statusText: request.statusText });
      if (answer.ok) resolve(JSON.parse(request.responseText) as Schemas['Attachment']);
      else void errorOf(answer).then(reject);
    };
    request.onerror = () => reject(networkError(new TypeError('no answer')));
    request.onabort = () => reject(new ApiError(0, 'stopped', 'Stopped', ''));
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
  return { done, stop: () => request.abort() };
}
