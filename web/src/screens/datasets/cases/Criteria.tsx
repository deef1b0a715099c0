import { ActionIcon, Button, Group, Input, Menu, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { criteriaSchema } from '~/screens/evaluators/formSchema';
import { KindHead } from '~/screens/evaluators/KindHead';
import { type Kind, useEvaluatorKinds } from '~/screens/evaluators/kinds';
import { SpecFields } from '~/screens/evaluators/SpecFields';
import { type Binding, fieldsOf, kindOf } from '~/screens/evaluators/specs';
import { componentsQuery } from '~/screens/simulations/simulations';
import { Apart } from '~/ui/Apart';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';

import classes from './OwnEvaluators.module.css';

type Values = Record<string, JsonObject>;

interface Props {
  value: Values;
  onChange: (value: Values) => void;
  /** The dataset's evaluators. */
  bound: readonly Binding[];
  /** The target that the dataset is made for, whose tools are offered. */
  targetId: string | null;
  error?: string;
  disabled: boolean;
}

/** What the dataset's evaluators are told otherwise for one case, such as another text to look for. */
export function Criteria({ value, onChange, bound, targetId, error, disabled }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const components = useQuery({ ...componentsQuery(targetId ?? ''), enabled: targetId !== null });
  const tools = components.data?.tools.map(({ name }) => name) ?? [];
  const [editing, setEditing] = useState<string | null>(null);
  const names = Object.keys(value);
  const free = bound.filter(({ name }) => !names.includes(name));
  const without = (name: string): Values => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  const take = (fields: JsonObject) => {
    if (editing !== null) onChange(Object.keys(fields).length > 0 ? { ...value, [editing]: fields } : without(editing));
    setEditing(null);
  };
  if (bound.length === 0 && names.length === 0) return null;
  return (
    <div>
      <Input.Label labelElement="div">{t('case.criteria')}</Input.Label>
      <Input.Description>{t('case.criteriaHelp')}</Input.Description>
      {error && <Input.Error role="alert">{error}</Input.Error>}
      <ul className={classes.list}>
        {names.map((name) => {
          const known = bound.some((binding) => binding.name === name);
          return (
            <li key={name} className={classes.row}>
              <div className={classes.what}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Text size="sm" c="dimmed">
                  {known ? t('case.criteriaCount', { count: Object.keys(value[name] ?? {}).length }) : t('case.criteriaUnbound')}
                </Text>
              </div>
              {known && (
                <Button variant="subtle" size="compact-sm" disabled={disabled} aria-label={t('bound.edit', { name })} onClick={() => setEditing(name)}>
                  {t('common:edit')}
                </Button>
              )}
              <ActionIcon variant="subtle" color="gray" disabled={disabled} aria-label={t('bound.remove', { name })} onClick={() => onChange(without(name))}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      {free.length > 0 && (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button mt={6} variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled}>
              {t('case.addCriteria')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {free.map(({ name }) => (
              <Menu.Item key={name} onClick={() => setEditing(name)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Apart>
        <Modal opened={editing !== null} onClose={() => setEditing(null)} size="xl" title={t('case.criteriaOf', { name: editing ?? '' })} closeButtonProps={{ 'aria-label': t('common:close') }}>
          <Editing binding={bound.find(({ name }) => name === editing)} tools={tools} initial={(editing !== null && value[editing]) || {}} onDone={take} />
        </Modal>
      </Apart>
    </div>
  );
}

function Editing({ binding, ...rest }: { binding: Binding | undefined } & Omit<FieldsProps, 'kind' | 'own'>) {
  const kinds = useEvaluatorKinds();
  const kind = kinds.data?.find((known) => binding && known.kind === kindOf(binding.spec));
  return kind && binding && <Fields kind={kind} own={fieldsOf(binding.spec)} {...rest} />;
}

interface FieldsProps {
  kind: Kind;
  /** What the evaluator says where nothing replaces it. */
  own: JsonObject;
  tools: readonly string[];
  initial: JsonObject;
  onDone: (fields: JsonObject) => void;
}

function Fields({ kind, own, tools, initial, onDone }: FieldsProps) {
  const { t } = useTranslation('common');
  const [schema] = useState(() => criteriaSchema(kind.schema as JsonSchema, own, tools));
  const form = useSchemaForm(schema, initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.validate()) onDone(form.value);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KindHead kind={kind} />
        <SpecFields form={form} kind={kind.kind} />
        <Group justify="flex-end">
          <Button type="submit">{t('apply')}</Button>
        </Group>
      </Stack>
    </form>
  );
}
