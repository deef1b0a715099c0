import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Choice, KindChooser } from '~/screens/evaluators/KindChooser';
import { type Kind, useEvaluatorKinds } from '~/screens/evaluators/kinds';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './KindChooser.module.css';

const COMMON = ['exact_match', 'contains', 'json_path', 'llm_judge'] as const;

/** The four kinds that most cases want, each in a line; all others behind. */
export function CommonKinds({ onChoose }: { onChoose: (kind: Kind) => void }) {
  const { t } = useTranslation('evaluators');
  const kinds = useEvaluatorKinds();
  const [all, setAll] = useState(false);
  if (kinds.isError) return <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (kinds.isPending) return <Skeleton height={240} />;
  const Chevron = all ? IconChevronUp : IconChevronDown;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('common.lead')}
      </Text>
      <ul className={classes.kinds} aria-label={t('common.label')}>
        {COMMON.map((name) => {
          const kind = kinds.data.find((known) => known.kind === name);
          return (
            kind && (
              <li key={name}>
                <Choice kind={kind} text={t(`common.${name}`)} onChoose={onChoose} />
              </li>
            )
          );
        })}
      </ul>
      <Button variant="default" size="xs" w="fit-content" rightSection={<Chevron size={14} aria-hidden />} aria-expanded={all} onClick={() => setAll(!all)}>
        {t('common.other')}
      </Button>
      {all && <KindChooser onChoose={onChoose} />}
    </Stack>
  );
}
