import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconGitCompare, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { isOver, type Run, runListQuery } from '~/screens/runs/runQueries';
import type { RunActionSet } from '~/screens/runs/useRunActions';
import { newScheduleAddress } from '~/screens/schedules/addresses';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { type Gate, RoleGate } from '~/ui/RoleGate';

const FORMATS = ['json', 'csv', 'junit', 'html'] as const;
const LOOKED_BACK = 50;

interface Props {
  run: Run;
  actions: RunActionSet;
}

/** The buttons of a run. */
export function RunActions({ run, actions }: Props) {
  const { t } = useTranslation('runs');
  const [asking, setAsking] = useState(false);
  const over = isOver(run);
  return (
    <>
      {!over && (
        <RoleGate role="editor">
          {(gate) => (
            <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={actions.cancel} loading={actions.pending === 'cancel'} {...gate}>
              {t('action.cancel')}
            </Button>
          )}
        </RoleGate>
      )}
      {over && <AgainMenu run={run} actions={actions} />}
      <CompareMenu run={run} />
      <DropDown label={t('action.export')} icon={<IconDownload size={16} aria-hidden />}>
        {FORMATS.map((format) => (
          <Menu.Item key={format} component="a" href={`/api/eval/runs/${run.id}/export?format=${format}`} download>
            {t(`format.${format}`)}
          </Menu.Item>
        ))}
      </DropDown>
      <RoleGate role="editor">
        {(gate) => (
          <ActionIcon variant="default" size={36} aria-label={t('action.delete')} title={t('action.delete')} onClick={() => setAsking(true)} {...gate}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </RoleGate>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={actions.remove}
        loading={actions.pending === 'delete'}
        error={actions.error}
        title={t('delete.title')}
        text={over ? t('delete.text') : t('delete.live')}
      />
    </>
  );
}

function AgainMenu({ run, actions }: Props) {
  const { t } = useTranslation('runs');
  const { failed, errors } = run.progress;
  const again = new URLSearchParams({ new: '1', target: run.target_id, dataset: run.dataset_id });
  return (
    <RoleGate role="editor">
      {(gate) => (
        <DropDown label={t('action.again')} icon={<IconRefresh size={16} aria-hidden />} loading={actions.pending === 'retry' || actions.pending === 'regrade'} {...gate}>
          <Menu.Item component={Link} to={`/runs?${again}`}>
            {t('action.newRun')}
          </Menu.Item>
          <Menu.Item component={Link} to={newScheduleAddress(run.target_id, run.dataset_id)}>
            {t('action.schedule')}
          </Menu.Item>
          <Menu.Item disabled={errors === 0 && run.status === 'completed'} onClick={() => actions.retry(['error'])}>
            {t('action.retryErrors', { count: errors })}
          </Menu.Item>
          <Menu.Item disabled={failed === 0} onClick={() => actions.retry(['fail'])}>
            {t('action.retryFailures', { count: failed })}
          </Menu.Item>
          <Menu.Item disabled={failed === 0 || errors === 0} onClick={() => actions.retry(['error', 'fail'])}>
            {t('action.retryBoth')}
          </Menu.Item>
          <Menu.Item onClick={actions.regrade}>{t('action.regrade')}</Menu.Item>
        </DropDown>
      )}
    </RoleGate>
  );
}

/** Against the run that this one came from, the one before it on the same dataset, or any. This run is B. */
function CompareMenu({ run }: { run: Run }) {
  const { t } = useTranslation('runs');
  const others = useQuery(runListQuery({ dataset_id: run.dataset_id, size: LOOKED_BACK }));
  const previous = others.data?.items.find(({ id, created_at }) => id !== run.id && created_at < run.created_at);
  const parent = run.spec.parent_id;
  return (
    <DropDown label={t('action.compare')} icon={<IconGitCompare size={16} aria-hidden />}>
      {parent && (
        <Menu.Item component={Link} to={`/compare?a=${parent}&b=${run.id}`}>
          {t('action.compareParent')}
        </Menu.Item>
      )}
      {previous && previous.id !== parent && (
        <Menu.Item component={Link} to={`/compare?a=${previous.id}&b=${run.id}`}>
          {t('action.comparePrevious')}
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={`/compare?b=${run.id}`}>
        {t('action.compareOther')}
      </Menu.Item>
    </DropDown>
  );
}

interface DropDownProps {
  label: string;
  icon: ReactNode;
  loading?: boolean;
  children: ReactNode;
}

/** A button with a menu. What else it is given goes to the button: a tooltip's events, or a gate, which keeps it shut. */
function DropDown({ label, icon, loading, children, ...trigger }: DropDownProps & Gate) {
  return (
    <Menu position="bottom-end" disabled={trigger['aria-disabled']}>
      <Menu.Target>
        <Button variant="default" leftSection={icon} rightSection={<IconChevronDown size={14} aria-hidden />} loading={loading} {...trigger}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
