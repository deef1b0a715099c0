import { Text, Title } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { clockNote } from '~/screens/schedules/clockNotes';
import { useRecurrenceWords } from '~/screens/schedules/recurrenceWords';
import type { Timing } from '~/screens/schedules/scheduleQueries';
import { isSameZone, readersZone, zonedShort, zonedText } from '~/screens/schedules/zones';

import classes from './ScheduleDialog.module.css';

interface Props {
  /** Null while something is missing. */
  timing: Timing | null;
  /** The next firings; undefined while they are not known. */
  firings: readonly string[] | undefined;
  /** Whether the server refused it; the fields say why. */
  refused: boolean;
  /** Whether the firings are of what was typed before. */
  stale: boolean;
}

/** What a recurrence means in words, and when it fires next: in the reader's zone, and in its own where that differs. */
export function FiringsPreview({ timing, firings, refused, stale }: Props) {
  const { t } = useTranslation('schedules');
  const id = useId();
  const words = useRecurrenceWords();
  return (
    <section className={classes.preview} aria-labelledby={id} aria-live="polite" aria-busy={stale}>
      <Title order={3} id={id} mb={6}>
        {t('preview.title')}
      </Title>
      {timing && !refused ? (
        <>
          <div className={classes.words}>{words(timing)}</div>
          {firings && (
            <ol className={stale ? `${classes.firings} ${classes.stale}` : classes.firings}>
              {firings.map((firing) => (
                <NextOne key={firing} firing={firing} timing={timing} />
              ))}
            </ol>
          )}
          <StartNote timing={timing} first={firings?.[0]} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t(refused ? 'preview.refused' : 'preview.missing')}
        </Text>
      )}
    </section>
  );
}

function NextOne({ firing, timing }: { firing: string; timing: Timing }) {
  const { t, i18n } = useTranslation('schedules');
  const reader = readersZone();
  const note = clockNote(firing, timing);
  return (
    <li>
      <time dateTime={firing}>{zonedText(i18n.language, firing, reader)}</time>
      {!isSameZone(timing.zone, reader) && <span className={classes.there}>{t('preview.there', { time: zonedShort(i18n.language, firing, timing.zone), zone: timing.zone })}</span>}
      {note && (
        <span className={classes.note}>
          <IconClockExclamation size={15} aria-hidden />
          {t(`preview.${note}`)}
        </span>
      )}
    </li>
  );
}

/** Nothing is caught up, so a start that has passed only tells what is counted from. */
function StartNote({ timing, first }: { timing: Timing; first: string | undefined }) {
  const { t } = useTranslation('schedules');
  const past = first !== undefined && Date.parse(timing.start) < Date.parse(first) && timing.recurrence.kind === 'every';
  return past ? (
    <Text size="xs" c="dimmed" mt="sm">
      {t('preview.past')}
    </Text>
  ) : null;
}
