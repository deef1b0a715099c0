import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useFieldNames } from '~/screens/agents/definition/fieldNames';
import { toolKind, toolOptions } from '~/screens/agents/definition/tools';
import type { Version } from '~/screens/agents/targets';
import { WorkflowView } from '~/screens/workflows/view/WorkflowView';
import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { kindWord, useKindWords } from '~/ui/kindWords';
import type { Json } from '~/ui/schema-form/schema';
import { sentence } from '~/ui/schema-form/schema';

import classes from './DefinitionView.module.css';

/** Longer texts get a box that scrolls. */
const SHORT = 160;
/** What people look for first. */
const FIRST = ['model', 'url', 'base_url', 'api_key_env', 'instructions', 'tools'];

interface Props {
  kind: string;
  definition: Version['definition'];
}

/** A target's definition to read: a workflow as a picture and its steps, any other each field by its name. */
export function DefinitionView({ kind, definition }: Props) {
  return kind === 'workflow' ? <WorkflowView definition={definition} /> : <Fields kind={kind} definition={definition} />;
}

/** Only what was set. */
function Fields({ kind, definition }: Props) {
  const { t } = useTranslation('agents');
  const labelOf = useFieldNames(kind);
  const { kind: _, ...fields } = definition as Record<string, Json>;
  const names = Object.keys(fields).sort((a, b) => placeOf(a) - placeOf(b));
  if (names.length === 0) return <Text c="dimmed">{t('definition.empty')}</Text>;
  return (
    <dl className={classes.fields}>
      {names.map((name) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{labelOf(name)}</dt>
          <dd>{kind === 'agent' && name === 'tools' ? <Tools tools={fields[name]} /> : <Value value={fields[name]} label={labelOf(name)} labelOf={(part) => labelOf(`${name}.${part}`)} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function placeOf(name: string): number {
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}

interface ValueProps {
  value: Json | undefined;
  label: string;
  labelOf: (part: string) => string;
}

function Value({ value, label, labelOf }: ValueProps) {
  const { t } = useTranslation(['common', 'agents']);
  const format = useFormat();
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return format.number(value);
  if (typeof value === 'string' && value.length <= SHORT && !value.includes('\n')) return value;
  if (isFlat(value)) return Object.entries(value).map(([name, part]) => t('agents:definition.part', { name: labelOf(name), value: String(part) })).join(' · ');
  return value === null || value === undefined ? t('none') : <JsonView value={value} label={label} maxHeight={320} />;
}

/** A small object of plain values, such as limits, which needs no box. */
function isFlat(value: Json | undefined): value is Record<string, string | number | boolean> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const parts = Object.values(value);
  return parts.length > 0 && parts.length <= 4 && parts.every((part) => ['string', 'number', 'boolean'].includes(typeof part) && String(part).length <= 40);
}

/** The tools by name, with the options that were set. */
function Tools({ tools }: { tools: Json | undefined }) {
  const { t, i18n } = useTranslation('agents');
  const words = useKindWords();
  const entries = Array.isArray(tools) ? tools : [];
  return (
    <Group gap={6}>
      {entries.map((tool) => {
        const kind = toolKind(tool);
        const options = Object.entries(toolOptions(tool)).map(([name, value]) => t('definition.part', { name: kindWord(i18n, `tool.${kind}.fields.${name}.label`) ?? sentence(name), value: String(value) }));
        return (
          <Badge key={kind} color="gray" size="lg">
            {[words('tool', { kind, title: '', doc: '' }).name, ...options].join(' · ')}
          </Badge>
        );
      })}
    </Group>
  );
}
