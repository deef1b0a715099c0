import { Badge, Group, Switch, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

import { type Case, inputText, titleOf } from '~/screens/datasets/cases/caseDraft';
import { useChangeCases } from '~/screens/datasets/cases/caseQueries';
import type { Dataset } from '~/screens/datasets/datasets';
import type { Column } from '~/ui/DataTable';
import { useErrorText } from '~/ui/errorText';
import type { ListParams } from '~/ui/listParams';
import { useMay } from '~/ui/RoleGate';

import classes from './caseColumns.module.css';

/** Most that a cell shows of a text; a megabyte would be laid out slowly, and cut by the line limit anyway. */
const SHOWN = 400;

export function useCaseColumns(dataset: Dataset, params: ListParams): Column<Case>[] {
  const { t } = useTranslation('datasets');
  return [
    { key: 'case', header: t('case.title'), width: '40%', cell: (item) => <span className={classes.title}>{short(titleOf(item))}</span>, detail: (item) => <About item={item} onTag={(tag) => params.setFilter('tag', tag)} /> },
    { key: 'expected', header: t('cases.expected'), width: '26%', cell: (item) => <Expected item={item} /> },
    { key: 'graded', header: t('cases.gradedBy'), width: '18%', cell: (item) => <GradedBy item={item} bound={dataset.bindings.length} /> },
    { key: 'status', header: t('case.status'), cell: ({ status }) => <span className={classes.status} data-status={status}>{t(`status.${status}`)}</span> },
    { key: 'enabled', header: t('cases.on'), align: 'right', cell: (item) => <OnOff item={item} datasetId={dataset.id} /> },
  ];
}

/** What stands below the title: the prompt, where it is not the title itself, and the tags. */
function About({ item, onTag }: { item: Case; onTag: (tag: string) => void }) {
  const { t } = useTranslation('datasets');
  const input = inputText(item);
  return (
    <>
      {titleOf(item) !== input && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {short(input)}
        </Text>
      )}
      {item.tags.length > 0 && (
        <Group gap={4} mt={4}>
          {item.tags.map((tag) => (
            <UnstyledButton key={tag} onClick={() => onTag(tag)} aria-label={t('cases.byTag', { tag })}>
              <Badge size="sm" color="gray" className={classes.tag}>
                {tag}
              </Badge>
            </UnstyledButton>
          ))}
        </Group>
      )}
    </>
  );
}

function Expected({ item: { expected_behavior, expected_output } }: { item: Case }) {
  const { t } = useTranslation('common');
  const output = expected_output === null ? null : typeof expected_output === 'string' ? expected_output : JSON.stringify(expected_output);
  const text = expected_behavior ?? output;
  if (text === null) return <Text size="sm" c="dimmed">{t('none')}</Text>;
  return (
    <Text size="sm" lineClamp={3} ff={expected_behavior === null && typeof expected_output !== 'string' ? 'monospace' : undefined}>
      {short(text)}
    </Text>
  );
}

/** How many assertions there are, and the evaluators of this case; else those of the dataset, else nothing. */
function GradedBy({ item, bound }: { item: Case; bound: number }) {
  const { t } = useTranslation('datasets');
  const parts = [
    ...(item.assertions.length > 0 ? [t('cases.assertions', { count: item.assertions.length })] : []),
    ...item.evaluators.map(({ name }) => name),
    ...(bound > 0 ? [t('cases.bound', { count: bound })] : []),
  ];
  const expects = item.expected_behavior !== null || item.expected_output !== null;
  if (parts.length > 0) {
    return (
      <div>
        {parts.map((part) => (
          <Text key={part} size="sm" lineClamp={1}>
            {part}
          </Text>
        ))}
      </div>
    );
  }
  return (
    <Text size="sm" c={expects ? undefined : 'var(--aloi-error)'}>
      {expects ? t('cases.judge') : t('cases.nothing')}
    </Text>
  );
}

/** The switch moves at once, and back if the server refuses. */
function OnOff({ item, datasetId }: { item: Case; datasetId: string }) {
  const { t } = useTranslation('datasets');
  const { may } = useMay('editor');
  const change = useChangeCases(datasetId);
  const { detail } = useErrorText(change.error);
  const wanted = change.isPending ? change.variables.action === 'enable' : item.enabled;
  const toggle = () =>
    change.mutate({ case_ids: [item.id], action: item.enabled ? 'disable' : 'enable' }, { onError: () => notifications.show({ color: 'red', message: detail }) });
  return <Switch size="sm" aria-label={t('cases.onOf', { name: short(titleOf(item)) })} checked={wanted} disabled={!may} onChange={toggle} />;
}

function short(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
