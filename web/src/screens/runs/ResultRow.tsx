import { Button, UnstyledButton } from '@mantine/core';
import { IconArrowRight, IconChevronDown, IconChevronRight, IconScale } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { LabelMark } from '~/screens/labels/LabelMark';
import type { Result } from '~/screens/runs/runQueries';
import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { VerdictBadge } from '~/ui/VerdictBadge';

import classes from './ResultRow.module.css';

const MOST_HEIGHT = 220;

/** What the columns are, for who sees them. Each row says it again for screen readers. */
export function RowHeads() {
  const { t } = useTranslation('runs');
  return (
    <div className={classes.heads} aria-hidden>
      <span />
      <span>{t('row.verdict')}</span>
      <span>{t('row.prompt')}</span>
      <span>{t('row.answer')}</span>
      <span>{t('row.reasoning')}</span>
      <span className={classes.figure}>{t('row.latency')}</span>
      <span className={classes.figure}>{t('row.tokens')}</span>
    </div>
  );
}

interface Props {
  result: Result;
  trials: number;
  /** Where all of it is told. */
  address: string;
  opened: boolean;
  /** Takes the row's key. */
  onToggle: (key: string) => void;
}

/** What a row is called among those of its run. */
export const rowKey = ({ case_key, trial }: Result) => `${case_key}/${trial}`;

/** One result: a line of each text, and all of them when it is open. Drawn again only when something of it changes. */
export const ResultRow = memo(function ResultRow({ result, trials, address, opened, onToggle }: Props) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.row} data-open={opened || undefined}>
      <UnstyledButton className={classes.summary} onClick={() => onToggle(rowKey(result))} aria-expanded={opened}>
        <Chevron size={16} aria-hidden className={classes.chevron} />
        <span className={classes.verdict}>
          <VerdictBadge verdict={result.verdict} />{' '}
          {result.disagreed && <Disagreed />} {result.label && <LabelMark verdict={result.label} />}
        </span>{' '}
        <span className={classes.prompt}>
          {(result.case_name || trials > 1) && (
            <span className={classes.name}>
              {result.case_name} {trials > 1 && t('row.trial', { number: result.trial + 1 })}
            </span>
          )}{' '}
          <span className={classes.text}>{result.input}</span>
        </span>{' '}
        <span className={classes.text} data-label={t('row.answer')}>
          {result.output ?? '–'}
        </span>{' '}
        <span className={classes.text} data-label={t('row.reasoning')}>
          {reasoning(result) || '–'}
        </span>{' '}
        <span className={classes.figure} data-label={t('row.latency')}>
          {format.duration(result.latency)}
        </span>{' '}
        <span className={classes.figure} data-label={t('row.tokens')}>
          {format.number(tokensOf(result))}
        </span>
      </UnstyledButton>
      {opened && <Opened result={result} address={address} />}
    </div>
  );
});

function Opened({ result, address }: { result: Result; address: string }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  return (
    <div className={classes.opened}>
      <div className={classes.texts}>
        <section>
          <h3 className={classes.head}>{t('row.prompt')}</h3>
          <JsonView value={result.input} label={t('row.prompt')} maxHeight={MOST_HEIGHT} />
        </section>
        <section>
          <h3 className={classes.head}>{t('row.answer')}</h3>
          {result.output === null ? <p className={classes.failure}>{t('row.noAnswer')}</p> : <JsonView value={result.output} label={t('row.answer')} maxHeight={MOST_HEIGHT} />}
        </section>
      </div>
      {result.failure && (
        <p className={classes.failure}>
          <b>{result.failure.type}</b> {result.failure.message}
        </p>
      )}
      <ul className={classes.scores}>
        {result.scores.map((score) => (
          <li key={score.evaluator} className={classes.score}>
            <VerdictBadge verdict={score.verdict} />
            <span>
              <b>{score.evaluator}</b> {score.value !== null && format.score(score.value)} {score.disagreed && <Disagreed />}
            </span>
            <span className={classes.explanation}>{score.explanation}</span>
          </li>
        ))}
      </ul>
      <Button component={Link} to={address} variant="default" size="xs" rightSection={<IconArrowRight size={14} aria-hidden />}>
        {t('row.open')}
      </Button>
    </div>
  );
}

/** The judge's verdicts were not all alike. */
export function Disagreed() {
  const { t } = useTranslation('runs');
  return (
    <span className={classes.disagreed}>
      <IconScale size={14} aria-hidden /> {t('row.disagreed')}
    </span>
  );
}

/** Why it is what it is: the failure, else what the first evaluator said that decided so. */
export function reasoning({ failure, scores, verdict }: Result): string {
  if (failure) return failure.message;
  const deciding = scores.filter((score) => score.weight > 0 && score.verdict === verdict);
  return (deciding.find((score) => score.explanation !== '') ?? scores[0])?.explanation ?? '';
}

function tokensOf({ usage: { input_tokens, output_tokens } }: Result): number | null {
  return input_tokens === null && output_tokens === null ? null : (input_tokens ?? 0) + (output_tokens ?? 0);
}
