import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Step } from '~/screens/workflows/steps';
import { rowId } from '~/screens/workflows/view/rowId';
import { JsonView } from '~/ui/JsonView';
import type { Json } from '~/ui/schema-form/schema';
import { OTHER_STEP, STEP_ICONS, useStepKindName } from '~/ui/steps/stepKinds';

import classes from './WorkflowView.module.css';

/** What the head of a step tells already. */
const TOLD = ['name', 'kind', 'description', 'steps'];
/** Longer texts get a box of their own. */
const SHORT = 120;
const MOST_HEIGHT = 280;

interface Props {
  steps: readonly Step[];
  opened: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** The steps as they are defined, each folded until somebody wants to read it. */
export function StepDefinitions({ steps, opened, onToggle }: Props) {
  const { t } = useTranslation('workflows');
  const kindName = useStepKindName();
  return (
    <ol className={classes.steps}>
      {steps.map((step) => {
        const open = opened.has(step.id);
        const Mark = open ? IconChevronDown : IconChevronRight;
        const Icon = STEP_ICONS[step.kind] ?? OTHER_STEP;
        return (
          <li key={step.id} className={classes.step}>
            <UnstyledButton id={rowId(step.id)} className={classes.head} aria-expanded={open} onClick={() => onToggle(step.id)}>
              <Mark size={16} aria-hidden className={classes.mark} />
              <Icon size={16} aria-hidden className={classes.mark} />
              <span className={classes.name}>{step.name}</span>
              <span className={classes.kind}>{kindName(step.kind)}</span>
              {step.inner.length > 0 && <span className={classes.kind}>{t('view.inner', { count: step.inner.length })}</span>}
            </UnstyledButton>
            {open && (
              <div className={classes.content}>
                {step.description && <Text size="sm">{step.description}</Text>}
                <Fields step={step} />
                {step.inner.length > 0 && <StepDefinitions steps={step.inner} opened={opened} onToggle={onToggle} />}
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** The fields by the names that the text of the workflow has for them. */
function Fields({ step }: { step: Step }) {
  const { t } = useTranslation('workflows');
  const fields = Object.entries(step.fields).filter(([name]) => !TOLD.includes(name));
  if (fields.length === 0) return null;
  return (
    <dl className={classes.fields} aria-label={t('view.fields', { step: step.name })}>
      {fields.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Value value={value} label={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, label }: { value: Json; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHORT || text.includes('\n') ? <JsonView value={value} label={label} maxHeight={MOST_HEIGHT} /> : <code className={classes.value}>{text}</code>;
}
