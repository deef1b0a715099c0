import { Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { layOut } from '~/screens/workflows/graph/layout';
import { WorkflowGraph } from '~/screens/workflows/graph/WorkflowGraph';
import { stepsOf } from '~/screens/workflows/steps';
import { rowId } from '~/screens/workflows/view/rowId';
import { StepDefinitions } from '~/screens/workflows/view/StepDefinitions';
import { JsonView } from '~/ui/JsonView';
import type { Json } from '~/ui/schema-form/schema';

import classes from './WorkflowView.module.css';

const MOST_HEIGHT = 320;
/** A wider picture has no room beside the texts, in pixels. */
const MOST_BESIDE = 560;

/** A workflow to read: the picture of its steps, then each of them with its fields, its schemas, and its output. */
export function WorkflowView({ definition }: { definition: Record<string, unknown> }) {
  const { t } = useTranslation('workflows');
  const steps = useMemo(() => stepsOf(definition), [definition]);
  const wide = useMemo(() => layOut(steps).width > MOST_BESIDE, [steps]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<string | null>(null);
  const show = (id: string) => {
    // A step within a map can only be seen where the map is open.
    const parts = id.split('.');
    setOpened(new Set([...opened, ...parts.map((_, index) => parts.slice(0, index + 1).join('.'))]));
    setShown(id);
    requestAnimationFrame(() => {
      const row = document.getElementById(rowId(id));
      row?.scrollIntoView({ block: 'nearest' });
      row?.focus({ preventScroll: true });
    });
  };
  const toggle = (id: string) => setOpened(opened.has(id) ? new Set([...opened].filter((each) => each !== id)) : new Set([...opened, id]));
  const output = definition.output as Json | undefined;
  return (
    <div className={classes.parts} data-wide={wide || undefined}>
      <div className={classes.picture}>
        <WorkflowGraph steps={steps} selected={shown} onSelect={show} hint={t('view.show')} />
      </div>
      <div className={classes.texts}>
        <Schema title={t('view.inputSchema')} schema={definition.input_schema} none={t('view.anyInput')} />
        <section>
          <Title order={3} mb={6}>
            {t('view.steps')}
          </Title>
          <StepDefinitions steps={steps} opened={opened} onToggle={toggle} />
        </section>
        <section>
          <Title order={3} mb={6}>
            {t('view.output')}
          </Title>
          {output === undefined || output === null ? <Text size="sm">{t('view.lastStep')}</Text> : <JsonView value={output} label={t('view.output')} maxHeight={MOST_HEIGHT} />}
        </section>
        {isSet(definition.output_schema) && <Schema title={t('view.outputSchema')} schema={definition.output_schema} none="" />}
      </div>
    </div>
  );
}

function Schema({ title, schema, none }: { title: string; schema: unknown; none: string }) {
  return (
    <section>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {isSet(schema) ? <JsonView value={schema} label={title} maxHeight={MOST_HEIGHT} /> : <Text size="sm">{none}</Text>}
    </section>
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
