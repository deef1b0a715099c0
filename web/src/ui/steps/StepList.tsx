import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { OTHER_STEP, STEP_ICONS, useStepKindName } from '~/ui/steps/stepKinds';
import type { ItemRun, StepRun } from '~/ui/steps/stepRuns';
import { StepState } from '~/ui/steps/StepState';
import { ProvenanceTag } from '~/ui/trace/ProvenanceTag';

import classes from './StepList.module.css';

/** Items of a map that are listed at once. */
const FIRST_ITEMS = 20;
const MOST_HEIGHT = 280;

/** The steps of a workflow in order; each opens to what it was given and what it gave, a map to its items too. */
export function StepList({ runs, label }: { runs: readonly StepRun[]; label?: string }) {
  const { t } = useTranslation('workflows');
  return (
    <ol className={classes.list} aria-label={label ?? t('run.title')}>
      {runs.map((run) => (
        <StepRow key={run.path} run={run} />
      ))}
    </ol>
  );
}

function StepRow({ run }: { run: StepRun }) {
  const { t } = useTranslation('workflows');
  const format = useFormat();
  const kindName = useStepKindName();
  const Icon = STEP_ICONS[run.kind] ?? OTHER_STEP;
  return (
    <Row
      head={
        <>
          <Icon size={16} aria-hidden className={classes.icon} />
          <span className={classes.name}>{run.name}</span>
          <span className={classes.quiet}>{kindName(run.kind)}</span>
          {run.provenance !== 'real' && <ProvenanceTag provenance={run.provenance} />}
          {run.items.length > 0 && <span className={classes.quiet}>{t('run.items', { count: run.items.length })}</span>}
          <span className={classes.end}>
            <StepState status={run.status} />
            {run.status !== 'skipped' && <span className={classes.time}>{format.duration(run.seconds)}</span>}
          </span>
        </>
      }
    >
      <StepContent run={run} />
    </Row>
  );
}

/** A row that opens. What is within is drawn when it is open. */
function Row({ head, children }: { head: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const Mark = open ? IconChevronDown : IconChevronRight;
  return (
    <li className={classes.row} data-open={open || undefined}>
      <UnstyledButton className={classes.head} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Mark size={16} aria-hidden className={classes.icon} />
        {head}
      </UnstyledButton>
      {open && <div className={classes.content}>{children}</div>}
    </li>
  );
}

/** What one step was given and what it gave; why it failed or gave nothing. */
export function StepContent({ run }: { run: StepRun }) {
  const { t } = useTranslation('workflows');
  if (run.status === 'skipped') return <p className={classes.text}>{t('run.skippedText')}</p>;
  return (
    <>
      <div className={classes.sides}>
        <Side title={t('run.input')}>{run.input === undefined ? <p className={classes.text}>{t('run.noInput')}</p> : <JsonView value={run.input} label={t('run.input')} maxHeight={MOST_HEIGHT} />}</Side>
        <Side title={t(run.error === null ? 'run.output' : 'run.error')}>
          <Given run={run} />
        </Side>
      </div>
      {run.items.length > 0 && <Items items={run.items} />}
    </>
  );
}

function Given({ run }: { run: StepRun }) {
  const { t } = useTranslation('workflows');
  if (run.error !== null) return <JsonView value={run.error} label={t('run.error')} maxHeight={MOST_HEIGHT} />;
  if (run.status === 'asked') return <p className={classes.text}>{t('run.waitsText')}</p>;
  if (run.output === undefined) return <p className={classes.text}>{t(run.status === 'running' ? 'run.goesOn' : 'run.noOutput')}</p>;
  return <JsonView value={run.output} label={t('run.output')} maxHeight={MOST_HEIGHT} />;
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.side}>
      <h3 className={classes.title}>{title}</h3>
      {children}
    </section>
  );
}

/** What a map did for each item; those that failed are told apart by their sign and word. */
function Items({ items }: { items: readonly ItemRun[] }) {
  const { t } = useTranslation('workflows');
  const [most, setMost] = useState(FIRST_ITEMS);
  return (
    <>
      <ol className={classes.list} aria-label={t('run.items', { count: items.length })}>
        {items.slice(0, most).map((item) => (
          <Row
            key={item.index}
            head={
              <>
                <span className={classes.name}>{t('run.item', { number: item.index + 1 })}</span>
                <span className={classes.end}>
                  <StepState status={item.status} />
                </span>
              </>
            }
          >
            <StepList runs={item.steps} label={t('run.item', { number: item.index + 1 })} />
          </Row>
        ))}
      </ol>
      {items.length > most && (
        <Button variant="subtle" size="xs" onClick={() => setMost(Infinity)}>
          {t('run.moreItems', { count: items.length - most })}
        </Button>
      )}
    </>
  );
}
