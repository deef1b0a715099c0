import { type Change, diffLines, diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { CopyButton } from '~/ui/CopyButton';
import { asText } from '~/ui/JsonView';
import { LineDiff } from '~/ui/LineDiff';

import classes from './TextDiff.module.css';

/** Words are compared in short texts, lines in long ones; past the time limit nothing is marked. */
const MOST_FOR_WORDS = 20_000;
const MOST_MS = 300;
/** Texts of more lines are compared line by line, with what is the same folded. */
const MOST_LINES = 40;

interface Props {
  /** Texts, or JSON values that are shown as JSON with sorted keys. */
  expected: unknown;
  actual: unknown;
  /** What stands above each; default "Expected" and "Actual". */
  titles?: readonly [string, string];
}

/** What was expected beside what came, the differences marked. */
export function TextDiff({ expected, actual, titles }: Props) {
  const { t } = useTranslation('ui');
  const [before, after] = [comparable(expected), comparable(actual)];
  const changes = useMemo(() => difference(before, after), [before, after]);
  const same = before === after;
  const [first, second] = [titles?.[0] ?? t('diff.expected'), titles?.[1] ?? t('diff.actual')];
  if (!same && Math.max(linesOf(before), linesOf(after)) > MOST_LINES) return <LineDiff before={before} after={after} titles={[first, second]} />;
  return (
    <div className={classes.diff}>
      <Side title={first} text={before} changes={changes.filter(({ added }) => !added)} />
      <Side title={second} text={after} changes={changes.filter(({ removed }) => !removed)} />
      {same && <p className={classes.same}>{t('diff.same')}</p>}
    </div>
  );
}

function Side({ title, text, changes }: { title: string; text: string; changes: Change[] }) {
  return (
    <section className={classes.side} aria-label={title}>
      <div className={classes.head}>
        <span>{title}</span>
        <CopyButton value={text} />
      </div>
      <pre className={classes.text} tabIndex={0}>
        {changes.map((part, index) => (
          <Part key={index} {...part} />
        ))}
      </pre>
    </section>
  );
}

function Part({ value, added, removed }: Change) {
  if (added) return <ins>{value}</ins>;
  return removed ? <del>{value}</del> : <span>{value}</span>;
}

/** The parts that both share, that only the first has (`removed`), that only the second has (`added`), in order. */
export function difference(before: string, after: string): Change[] {
  const limit = { timeout: MOST_MS };
  const long = before.length + after.length > MOST_FOR_WORDS;
  const changes = long ? diffLines(before, after, limit) : diffWordsWithSpace(before, after, limit);
  return changes ?? [change(before, 'removed'), change(after, 'added')];
}

function change(value: string, what: 'added' | 'removed'): Change {
  return { value, added: what === 'added', removed: what === 'removed', count: 1 };
}

const linesOf = (text: string) => text.split('\n').length;

/** The order of keys is no difference. */
function comparable(value: unknown): string {
  return asText(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
