import { useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { type LiveFigures, useRunEvents } from '~/api/events';
import { keys } from '~/api/keys';

/** Results are asked for again at most this often. */
const EVERY_MS = 1000;

export interface LiveResults {
  figures: LiveFigures | null;
  /** Whether results came while somebody was reading, which are not shown yet. */
  waiting: boolean;
  /** Shows them. */
  show: () => void;
}

/**
 * Follows a run. New results show by themselves unless somebody is reading in the list; then they wait until they are
 * wanted, so that what one reads stays where it is.
 */
export function useLiveResults(runId: string, active: boolean, isReading: () => boolean): LiveResults {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState(false);
  const show = () => {
    setWaiting(false);
    void queries.invalidateQueries({ queryKey: [...keys.run(runId), 'results'] });
  };
  const soon = useThrottledCallback(() => (isReading() ? setWaiting(true) : show()), EVERY_MS);
  const { figures } = useRunEvents(runId, { active, onResults: soon });
  return { figures, waiting, show };
}
