import { Anchor, Skeleton, UnstyledButton } from '@mantine/core';
import { IconArrowRight, IconChevronDown, IconChevronRight, IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Pair } from '~/screens/compare/sections';
import { resultAddress } from '~/screens/runs/resultAddress';
import { resultQuery } from '~/screens/runs/runQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { TextDiff } from '~/ui/TextDiff';
import { VerdictBadge } from '~/ui/VerdictBadge';

import classes from './Compare.module.css';

const HEIGHT = 120;

interface Props {
  pair: Pair;
  a: string;
  b: string;
  /** Whether there are several trials, so that each says which one it is. */
  trials: boolean;
  opened: boolean;
  /** What people call the case, where its key says little. */
  title?: string | undefined;
  /** Takes the pair's key. */
  onToggle: (key: string) => void;
}

/** What a pair is called in the list. */
export const pairKey = ({ change, case_key, trial }: Pair) => `${change}/${case_key}/${trial}`;

/** A case in both runs: the two verdicts and scores; opened, both answers. Drawn again only when something changes. */
export const PairRow = memo(function PairRow({ pair, title, a, b, trials, opened, onToggle }: Props) {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const score = (value: number | null) => (value === null ? '–' : format.score(value));
  return (
    <div className={classes.pair} data-section={pair.change} data-open={opened || undefined}>
      <UnstyledButton className={classes.summary} onClick={() => onToggle(pairKey(pair))} aria-expanded={opened}>
        <Chevron size={16} aria-hidden className={classes.chevron} />
        <span className={classes.case}>
          {title || pair.case_key} {trials && <span className={classes.quiet}>{t('trial', { number: pair.trial + 1 })}</span>}
        </span>{' '}
        <span className={classes.verdicts}>
          <VerdictBadge verdict={pair.a} /> <IconArrowRight size={14} aria-hidden /> <VerdictBadge verdict={pair.b} />
        </span>{' '}
        <span className={classes.quiet}>
          {score(pair.score_a)} {'→'} {score(pair.score_b)}
        </span>{' '}
        <span className={classes.quiet}>
          {pair.may_be_noise && (
            <span className={classes.noise}>
              <IconScale size={14} aria-hidden /> {t('noise')}
            </span>
          )}
          {pair.why}
        </span>
      </UnstyledButton>
      {opened && <Answers pair={pair} a={a} b={b} />}
    </div>
  );
});

function Answers({ pair, a, b }: Pick<Props, 'pair' | 'a' | 'b'>) {
  const { t } = useTranslation('compare');
  const before = useQuery(resultQuery(a, pair.case_key, pair.trial));
  const after = useQuery(resultQuery(b, pair.case_key, pair.trial));
  const error = before.error ?? after.error;
  if (error) return <ErrorPanel error={error} />;
  if (!before.data || !after.data) return <Skeleton height={HEIGHT} m="md" />;
  const shown = ({ outcome, failure }: typeof before.data.result) => outcome.output ?? outcome.failure?.message ?? failure?.message ?? '';
  return (
    <div className={classes.answers}>
      <TextDiff expected={shown(before.data.result)} actual={shown(after.data.result)} titles={[t('answerA'), t('answerB')]} />
      <div className={classes.links}>
        <Anchor component={Link} to={resultAddress(a, before.data.result)} size="sm">
          {t('openA')}
        </Anchor>
        <Anchor component={Link} to={resultAddress(b, after.data.result)} size="sm">
          {t('openB')}
        </Anchor>
      </div>
    </div>
  );
}
