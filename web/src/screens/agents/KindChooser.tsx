import { Skeleton, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type Kind, useKindName, useTargetKinds } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Help } from '~/ui/Help';
import { useKindWords } from '~/ui/kindWords';

import classes from './KindChooser.module.css';

const ORDER = ['agent', 'workflow', 'openai', 'http', 'python', 'replay', 'remote'];

/** What kind of target it is to be, each with what it does. The choice stands in the address. */
export function KindChooser() {
  const { t } = useTranslation('agents');
  const kinds = useTargetKinds();
  if (kinds.isError) return <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (kinds.isPending) return <Skeleton height={320} />;
  return (
    <ul className={classes.kinds} aria-label={t('kind.label')}>
      {inOrder(kinds.data).map((kind) => (
        <li key={kind.kind}>
          <Choice kind={kind} />
        </li>
      ))}
    </ul>
  );
}

/** The agent and the workflow first; kinds that plug-ins bring last. */
function inOrder(kinds: readonly Kind[]): Kind[] {
  const place = ({ kind }: Kind) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds].sort((a, b) => place(a) - place(b));
}

function Choice({ kind }: { kind: Kind }) {
  const { t } = useTranslation('agents');
  const nameOf = useKindName();
  const words = useKindWords()('target', kind);
  const text = (
    <>
      <span className={classes.name}>
        {!kind.allowed && <IconLock size={16} aria-hidden />}
        {nameOf(kind.kind)}
      </span>
      <Text component="span" size="sm" c="dimmed">
        <Help text={words.title} />
      </Text>
      {!kind.allowed && (
        <Text component="span" size="sm">
          {t('kind.codeForbidden')}
        </Text>
      )}
    </>
  );
  if (kind.allowed) {
    return (
      <Link to={`/agents/new?kind=${encodeURIComponent(kind.kind)}`} className={classes.kind}>
        {text}
      </Link>
    );
  }
  return (
    <div className={classes.kind} aria-disabled tabIndex={0} role="link">
      {text}
    </div>
  );
}
