import { Badge, Button, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { GateEditor } from '~/screens/gate/GateEditor';
import { gateQuery } from '~/screens/gate/gateQueries';
import { Policies } from '~/screens/gate/Policies';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Help } from '~/ui/Help';
import { RoleGate } from '~/ui/RoleGate';

import classes from './Gate.module.css';

interface Props {
  target: { id: string; active: number | null; versions: number };
}

/** A target's gate: what must be reached, and what that says of the active version and of the newest one. */
export function GatePanel({ target }: Props) {
  const { t } = useTranslation('gate');
  const id = useId();
  const [editing, setEditing] = useState(false);
  const newest = useQuery(gateQuery(target.id, target.versions));
  const shown = [...new Set([target.active, target.versions].filter((number) => number !== null))];
  const none = newest.data?.value.policies.length === 0;
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <Title order={2} id={id}>
            {t('title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('lead')}
          </Text>
        </div>
        <RoleGate role="owner">
          {(gate) => (
            <Button variant="default" size="xs" onClick={() => setEditing(true)} disabled={!newest.data} {...gate}>
              {none ? t('set') : t('edit')}
            </Button>
          )}
        </RoleGate>
      </div>
      {newest.isError && <ErrorPanel error={newest.error} onRetry={() => void newest.refetch()} />}
      {newest.isPending && <Skeleton height={96} />}
      {none && (
        <Paper p="lg">
          <Text>
            <Help text={t('none')} />
          </Text>
        </Paper>
      )}
      {newest.data && !none && (
        <div className={classes.versions}>
          {shown.map((number) => (
            <OfVersion key={number} targetId={target.id} number={number} active={number === target.active} newest={number === target.versions} />
          ))}
        </div>
      )}
      {editing && newest.data && <GateEditor targetId={target.id} gate={newest.data} onClose={() => setEditing(false)} />}
    </section>
  );
}

interface OfVersionProps {
  targetId: string;
  number: number;
  active: boolean;
  newest: boolean;
}

function OfVersion({ targetId, number, active, newest }: OfVersionProps) {
  const { t } = useTranslation('gate');
  const gate = useQuery(gateQuery(targetId, number));
  return (
    <Paper className={classes.version}>
      <h3 className={classes.versionHead}>
        {t('version', { number })}
        {active && <Badge color="gold">{t('active')}</Badge>}
        {newest && !active && <Badge color="gray">{t('newest')}</Badge>}
        {gate.data && <span className={classes.quiet}>{gate.data.value.allowed ? t('wouldPass') : t('wouldNot')}</span>}
      </h3>
      {gate.isError && <ErrorPanel error={gate.error} onRetry={() => void gate.refetch()} />}
      {gate.isPending && <Skeleton height={64} mb="sm" />}
      {gate.data && <Policies state={gate.data.value} />}
    </Paper>
  );
}
