import { Anchor, Button, Modal, Skeleton, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import type { SavedEvaluator } from '~/screens/evaluators/EvaluatorList';
import { useKindName } from '~/screens/evaluators/kinds';
import { type Binding, kindOf } from '~/screens/evaluators/specs';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './BindSaved.module.css';

const SHOWN = 50;
const WAIT_MS = 250;

interface Props {
  opened: boolean;
  onClose: () => void;
  bound: readonly Binding[];
  onChoose: (binding: Binding) => Promise<unknown>;
  /** What is asked before. */
  head?: ReactNode;
}

/** A saved evaluator to bind; those that are bound already are left out. */
export function BindSaved({ opened, onClose, ...choice }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  return (
    <Modal opened={opened} onClose={onClose} title={t('bound.addSaved')} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Choice {...choice} onClose={onClose} />
    </Modal>
  );
}

function Choice({ bound, onChoose, onClose, head }: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['datasets', 'common']);
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), WAIT_MS);
  const filters = { q, page: 1, size: SHOWN };
  const found = useQuery({
    queryKey: keys.evaluators(filters),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/evaluators', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
  const choose = useMutation({
    mutationFn: ({ id, name, spec, version }: SavedEvaluator) => onChoose({ evaluator_id: id, name, spec, version, weight: 1 }),
    onSuccess: onClose,
  });
  const free = found.data?.items.filter(({ id }) => !bound.some(({ evaluator_id }) => evaluator_id === id));
  return (
    <Stack>
      {head}
      <TextInput type="search" label={t('common:search')} value={typed} onChange={({ currentTarget }) => setTyped(currentTarget.value)} data-autofocus />
      {found.error && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
      {choose.error && <ErrorPanel error={choose.error} />}
      {found.isPending && <Skeleton height={160} />}
      {free?.length === 0 && (
        <Text>
          {q ? t('bound.noneFound') : t('bound.noneSaved')}{' '}
          <Anchor component={Link} to="/evaluators/new">
            {t('bound.create')}
          </Anchor>
        </Text>
      )}
      <ul className={classes.list}>
          {free?.map((evaluator) => (
            <li key={evaluator.id}>
              <Option evaluator={evaluator} disabled={choose.isPending} onChoose={() => choose.mutate(evaluator)} />
            </li>
          ))}
        </ul>
      <Button variant="default" onClick={onClose} style={{ alignSelf: 'flex-end' }}>
        {t('common:cancel')}
      </Button>
    </Stack>
  );
}

function Option({ evaluator, disabled, onChoose }: { evaluator: SavedEvaluator; disabled: boolean; onChoose: () => void }) {
  const nameOf = useKindName();
  return (
    <UnstyledButton className={classes.option} disabled={disabled} onClick={onChoose}>
      <Text fw={600}>{evaluator.name}</Text>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {[nameOf(kindOf(evaluator.spec)), evaluator.description].filter(Boolean).join(' · ')}
      </Text>
    </UnstyledButton>
  );
}
