import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import { type Attachment, MOST_BYTES, useSize } from '~/screens/attachments/files';
import { sendFile } from '~/screens/attachments/sendFile';

export interface Upload {
  id: number;
  name: string;
  /** What share of it is sent, 0..1. */
  share: number;
  /** Why it was not taken; null while it is on its way. */
  fault: Error | null;
}

/** Files on their way to the workspace, one after the other. Those that were taken are handed on, and not listed. */
export function useUploads(onTaken: (file: Attachment) => void) {
  const { t } = useTranslation('attachments');
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queries = useQueryClient();
  const size = useSize();
  const next = useRef(0);
  const line = useRef(Promise.resolve());
  const stops = useRef(new Map<number, () => void>());
  const taken = useRef(onTaken);
  useEffect(() => {
    taken.current = onTaken;
  });
  useEffect(() => {
    const running = stops.current;
    return () => running.forEach((stop) => stop());
  }, []);

  const change = (id: number, changes: Partial<Upload>) => setUploads((old) => old.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const drop = (id: number) => {
    stops.current.get(id)?.();
    stops.current.delete(id);
    setUploads((old) => old.filter((upload) => upload.id !== id));
  };
  const send = async (id: number, file: File) => {
    if (!stops.current.has(id)) return;
    const sending = sendFile(file, (share) => change(id, { share }));
    stops.current.set(id, sending.stop);
    try {
      const found = await sending.done;
      taken.current(found);
      drop(id);
      void queries.invalidateQueries({ queryKey: keys.attachments() });
    } catch (error) {
      change(id, { fault: error as Error });
    } finally {
      stops.current.delete(id);
    }
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const id = (next.current += 1);
      const large = file.size > MOST_BYTES;
      const fault = large ? new ApiError(413, 'too_large', '', t('tooLarge', { size: size(file.size), most: size(MOST_BYTES) })) : null;
      setUploads((old) => [...old, { id, name: file.name, share: 0, fault }]);
      if (large) continue;
      stops.current.set(id, () => undefined);
      line.current = line.current.then(() => send(id, file));
    }
  };
  return { uploads, add, drop, busy: uploads.some(({ fault }) => fault === null) };
}
