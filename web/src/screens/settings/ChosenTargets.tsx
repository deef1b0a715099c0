import { ActionIcon, Skeleton, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { TargetSelect, useTarget } from '~/screens/datasets/TargetSelect';
import classes from '~/screens/settings/ChosenTargets.module.css';

interface Props {
  ids: readonly string[];
  onChange: (ids: readonly string[]) => void;
}

/** A list of targets, to which one is added by searching for it. */
export function ChosenTargets({ ids, onChange }: Props) {
  const { t } = useTranslation('settings');
  return (
    <div>
      <TargetSelect label={t('grants.add')} placeholder={t('grants.addPlaceholder')} value={null} onChange={(id) => id !== null && !ids.includes(id) && onChange([...ids, id])} />
      {ids.length === 0 ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t('grants.none')}
        </Text>
      ) : (
        <ul className={classes.chosen} aria-label={t('grants.label')}>
          {ids.map((id) => (
            <Chosen key={id} id={id} onRemove={() => onChange(ids.filter((other) => other !== id))} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('settings');
  const target = useTarget(id);
  const name = target.data?.name ?? id;
  return (
    <li className={classes.one}>
      {target.isPending ? <Skeleton height={18} width={140} /> : <span>{name}</span>}
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('grants.remove', { name })} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  );
}
