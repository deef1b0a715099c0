import { Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { grouped, type Kind, useEvaluatorKinds } from '~/screens/evaluators/kinds';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Help } from '~/ui/Help';
import { useKindWords } from '~/ui/kindWords';

import classes from './KindChooser.module.css';

/** What kind of evaluator it is to be, by what they look at. */
export function KindChooser({ onChoose }: { onChoose: (kind: Kind) => void }) {
  const { t } = useTranslation('evaluators');
  const kinds = useEvaluatorKinds();
  if (kinds.isError) return <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (kinds.isPending) return <Skeleton height={320} />;
  return (
    <Stack gap="xl">
      {grouped(kinds.data).map(({ group, kinds: found }) => (
        <section key={group}>
          <Title order={2} size="h3">{t(`groups.${group}.title`)}</Title>
          <Text size="sm" c="dimmed" mb="xs">
            {t(`groups.${group}.text`)}
          </Text>
          <ul className={classes.kinds}>
            {found.map((kind) => (
              <li key={kind.kind}>
                <Choice kind={kind} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  );
}

interface ChoiceProps {
  kind: Kind;
  /** What it does, where that is said otherwise than in the kind's own words. */
  text?: string;
  onChoose: (kind: Kind) => void;
}

/** One kind. One that is not allowed stays in reach of the keyboard, so that the reason is read. */
export function Choice({ kind, text, onChoose }: ChoiceProps) {
  const { t } = useTranslation('evaluators');
  const words = useKindWords()('evaluator', kind);
  return (
    <UnstyledButton className={classes.kind} aria-disabled={!kind.allowed || undefined} onClick={() => kind.allowed && onChoose(kind)}>
      <span className={classes.name}>
        {!kind.allowed && <IconLock size={16} aria-hidden />}
        {words.name}
      </span>
      <Text component="span" size="sm" c="dimmed">
        <Help text={text ?? words.title} />
      </Text>
      {!kind.allowed && (
        <Text component="span" size="sm">
          {t('kind.codeForbidden')}
        </Text>
      )}
    </UnstyledButton>
  );
}
