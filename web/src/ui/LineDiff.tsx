import { UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFold } from '@tabler/icons-react';
import type { Change } from 'diff';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CopyButton } from '~/ui/CopyButton';
import { type Line, lineDiff, type LinePair } from '~/ui/lineDiff';

import classes from './LineDiff.module.css';

/** Two columns of lines are too narrow to read below this. */
const NARROW = '(max-width: 48em)';

interface Props {
  before: string;
  after: string;
  /** What stands above each. */
  titles: readonly [string, string];
  /** One below the other; always so on narrow screens. */
  unified?: boolean;
}

/** Two texts line by line, with the lines that changed marked and the long unchanged parts folded. */
export function LineDiff({ before, after, titles, unified = false }: Props) {
  const { t } = useTranslation('ui');
  const narrow = useMediaQuery(NARROW);
  const stretches = useMemo(() => lineDiff(before, after), [before, after]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const one = unified || narrow;
  const Rows = one ? Unified : SideBySide;
  if (before === after) return <p className={classes.same}>{t('diff.same')}</p>;
  return (
    <div className={classes.diff} data-unified={one || undefined}>
      <div className={classes.heads}>
        <Head title={titles[0]} text={before} mark="−" />
        <Head title={titles[1]} text={after} mark="+" />
      </div>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('diff.lines', { before: titles[0], after: titles[1] })}>
        {stretches.map(({ pairs, folded }, index) =>
          folded && !opened.has(index) ? (
            <UnstyledButton key={index} className={classes.fold} onClick={() => setOpened(new Set([...opened, index]))}>
              <IconFold size={14} aria-hidden /> {t('diff.unchanged', { count: pairs.length })}
            </UnstyledButton>
          ) : (
            <Rows key={index} pairs={pairs} />
          ),
        )}
      </div>
    </div>
  );
}

function Head({ title, text, mark }: { title: string; text: string; mark: string }) {
  return (
    <div className={classes.head}>
      <span>
        <span className={classes.sign} aria-hidden>
          {mark}
        </span>
        {title}
      </span>
      <CopyButton value={text} />
    </div>
  );
}

function SideBySide({ pairs }: { pairs: LinePair[] }) {
  return pairs.map(({ before, after, same }, index) => (
    <div key={index} className={classes.pair}>
      <LineView line={before} what={same ? 'same' : 'removed'} />
      <LineView line={after} what={same ? 'same' : 'added'} />
    </div>
  ));
}

/** All lines that were taken out, then those that came for them, as far as they stand together. */
function Unified({ pairs }: { pairs: LinePair[] }) {
  const lines: { line: Line | null; what: What }[] = [];
  let added: Line[] = [];
  const flush = () => {
    lines.push(...added.map((line) => ({ line, what: 'added' as const })));
    added = [];
  };
  for (const { before, after, same } of pairs) {
    if (same) flush();
    if (before) lines.push({ line: before, what: same ? 'same' : 'removed' });
    if (after && !same) added.push(after);
  }
  flush();
  return lines.map(({ line, what }, index) => <LineView key={index} line={line} what={what} />);
}

type What = 'same' | 'removed' | 'added';
const SIGNS: Record<What, string> = { same: ' ', removed: '−', added: '+' };

function LineView({ line, what }: { line: Line | null; what: What }) {
  if (!line) return <div className={classes.line} data-what="none" />;
  return (
    <div className={classes.line} data-what={what}>
      <span className={classes.number} aria-hidden>
        {line.number}
      </span>
      <span className={classes.sign} aria-hidden>
        {SIGNS[what]}
      </span>
      <code className={classes.text}>
        {line.parts.map((part, index) => (
          <Part key={index} {...part} />
        ))}
      </code>
    </div>
  );
}

function Part({ value, added, removed }: Change) {
  if (added) return <ins>{value}</ins>;
  return removed ? <del>{value}</del> : <span>{value}</span>;
}
