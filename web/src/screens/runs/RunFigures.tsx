import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { wholePercent } from '~/screens/runs/meaning';
import type { Run } from '~/screens/runs/runQueries';
import { type Format, useFormat } from '~/ui/format';

import classes from './RunHeadline.module.css';

/** Errors apart from fails, latency, tokens, and cost; of the target and the judge each by itself. */
export function RunFigures({ run: { summary, progress } }: { run: Run }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  if (summary === null) {
    return (
      <dl className={classes.figures}>
        <Figure name={t('figure.errors')} value={format.number(progress.errors)} />
        <Figure name={t('figure.tokens')} value={format.number(progress.tokens)} />
        <Figure name={t('figure.cost')} value={format.money(progress.cost)} />
      </dl>
    );
  }
  const { latency } = summary;
  return (
    <dl className={classes.figures}>
      <Figure name={t('figure.errors')} value={format.number(summary.errors)} more={<Errors summary={summary} />} />
      <Figure
        name={t('figure.latency')}
        value={format.duration(latency?.mean)}
        more={latency && t('figure.quantiles', { p50: format.duration(latency.p50), p95: format.duration(latency.p95) })}
      />
      <UsageFigure name={t('figure.target')} usage={summary.usage} />
      {summary.judge_usage.calls > 0 && <UsageFigure name={t('figure.judge')} usage={summary.judge_usage} />}
      {summary.judged > 0 && <Figure name={t('figure.disagreed')} value={format.number(summary.disagreed)} more={t('figure.ofJudged', { count: summary.judged })} />}
      {summary.mean_score !== null && (
        <Figure
          name={t('figure.score')}
          value={format.score(summary.mean_score)}
          more={summary.score_interval && t('figure.scoreInterval', { low: format.score(summary.score_interval[0]), high: format.score(summary.score_interval[1]) })}
        />
      )}
    </dl>
  );
}

/** What the errors are, and what the rate would be if all of them were fails, or passes. */
function Errors({ summary: { errors, error_types, bounds } }: { summary: Schemas['Summary'] }) {
  const { t } = useTranslation('runs');
  if (errors === 0) return null;
  const types = Object.entries(error_types).map(([type, count]) => `${count} × ${type}`);
  return (
    <>
      {types.join(', ')}
      {bounds && (
        <Text inherit component="span" display="block">
          {t('figure.bounds', { low: wholePercent(bounds[0]), high: wholePercent(bounds[1]) })}
        </Text>
      )}
    </>
  );
}

function UsageFigure({ name, usage }: { name: string; usage: Schemas['Usage-Output'] }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const tokens = usage.input_tokens === null && usage.output_tokens === null ? null : (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  return <Figure name={name} value={costText(usage, format, t('figure.atLeast', { cost: format.money(usage.cost) }))} more={t('figure.usage', { tokens: format.number(tokens), count: usage.calls })} />;
}

/** A cost of which some calls have no known price is "at least" that. */
function costText(usage: Schemas['Usage-Output'], format: Format, atLeast: string): string {
  return usage.cost !== null && usage.unpriced > 0 ? atLeast : format.money(usage.cost);
}

function Figure({ name, value, more }: { name: string; value: string; more?: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <span className={classes.value}>{value}</span>
        {more && <span className={classes.more}>{more}</span>}
      </dd>
    </div>
  );
}
