import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Schemas } from '~/api/client';
import { NARROW, wholePercent } from '~/screens/runs/meaning';
import { planningQuery, type Run } from '~/screens/runs/runQueries';

import classes from './RunHeadline.module.css';

type Planning = Schemas['Planning'];
type Width = Planning['widths'][number];

/** How many more cases would narrow the interval to a width that one chooses; the numbers are the server's. */
export function Narrowing({ run }: { run: Run }) {
  const { t } = useTranslation('runs');
  const id = useId();
  const [chosen, setChosen] = useState(String(NARROW));
  const planning = useQuery(planningQuery(run.id, run.finished_at));
  if (!planning.data) return null;
  const { widths } = planning.data;
  const width = widths.find(({ half_width }) => String(half_width) === chosen) ?? widths[0];
  if (!width) return null;
  return (
    <div className={classes.narrowing}>
      <div className={classes.choice}>
        <span id={id}>{t('narrow.label')}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby={id}
          data={widths.map(({ half_width }) => ({ value: String(half_width), label: t('narrow.points', { points: wholePercent(half_width) }) }))}
          value={String(width.half_width)}
          onChange={setChosen}
        />
        <span>{t('narrow.unit')}</span>
      </div>
      <Text size="sm" role="status">
        <Answer planning={planning.data} width={width} />{' '}
        {width.more > 0 && (
          <Anchor component={Link} to={`/datasets/${run.dataset_id}?case=new`} inherit underline="always">
            {t('narrow.add')}
          </Anchor>
        )}
      </Text>
    </div>
  );
}

/** The number, what it takes for granted, and what it does not know of. */
function Answer({ planning, width }: { planning: Planning; width: Width }) {
  const { t } = useTranslation('runs');
  const [trials, noise] = (['trials', 'judge_noise'] as const).map((part) => planning.left_out.includes(part));
  const wider = width.more === 0 && noise && planning.half_width > width.half_width;
  if (width.more === 0) return wider ? t('narrow.onlyNoise') : t('narrow.enough');
  return (
    <>
      <b>{t('narrow.more', { count: width.more })}</b> {planning.assumed ? t('narrow.assumed') : t('narrow.sameRate')} {trials && t('narrow.trials')} {noise && t('narrow.noise')}
    </>
  );
}
