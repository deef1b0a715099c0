import { Button, Group, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';
import { StepList } from '~/ui/steps/StepList';
import { stepRuns } from '~/ui/steps/stepRuns';
import { Failures } from '~/ui/trace/Failures';
import { SpanRow } from '~/ui/trace/SpanRow';
import { ancestors, failures, spanTree, visibleNodes, type SpanNode, type Trace } from '~/ui/trace/tree';

import classes from './TraceView.module.css';

/** More rows are drawn when somebody asks for them. */
const FIRST_ROWS = 200;
const NS = 1e-9;

/**
 * A trace as a tree with a waterfall. Each span opens to its messages, its tool call, its tokens and its error; the
 * deepest error stands first. The steps of a workflow stand before it, each with its input and output. Everything is
 * shown as text.
 */
export function TraceView({ trace }: { trace: Trace }) {
  const { t } = useTranslation('trace');
  const format = useFormat();
  const tree = useMemo(() => spanTree(trace), [trace]);
  const failed = useMemo(() => failures(tree), [tree]);
  const steps = useMemo(() => stepRuns(trace.spans), [trace]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [most, setMost] = useState(FIRST_ROWS);
  const nodes = useMemo(() => visibleNodes(tree.roots, folded), [tree, folded]);
  const show = (node: SpanNode) => {
    setFolded(new Set([...folded].filter((id) => !ancestors(tree, node).includes(id))));
    setOpen(new Set([...open, node.span.span_id]));
    setMost(Infinity);
    requestAnimationFrame(() => document.getElementById(rowId(trace, node))?.focus());
  };
  if (nodes.length === 0) return <Text c="dimmed">{t('empty')}</Text>;
  return (
    <div>
      <Failures nodes={failed} onShow={show} />
      {steps.length > 0 && (
        <>
          <StepList runs={steps} />
          <Title order={3} mt="lg" mb={4}>
            {t('waterfall')}
          </Title>
        </>
      )}
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="sm" c="dimmed">
          {t('spans', { count: tree.nodes.size })} {'·'} {format.duration(tree.length * NS)}
        </Text>
        {!trace.shows_tools && (
          <Text size="sm" c="dimmed">
            {t('toolsHidden')}
          </Text>
        )}
      </Group>
      <ul aria-label={t('label')} className={classes.tree}>
        {nodes.slice(0, most).map((node) => (
          <SpanRow
            key={node.span.span_id}
            id={rowId(trace, node)}
            node={node}
            tree={tree}
            open={open.has(node.span.span_id)}
            folded={folded.has(node.span.span_id)}
            onOpen={() => setOpen(toggled(open, node.span.span_id))}
            onFold={() => setFolded(toggled(folded, node.span.span_id))}
          />
        ))}
      </ul>
      {nodes.length > most && (
        <Button variant="default" size="xs" mt="xs" onClick={() => setMost(Infinity)}>
          {t('showAll', { count: nodes.length })}
        </Button>
      )}
    </div>
  );
}

const rowId = (trace: Trace, node: SpanNode) => `span-${trace.trace_id}-${node.span.span_id}`;

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
