import { Group, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';
import { RowPages } from '~/ui/RowPages';
import { StepList } from '~/ui/steps/StepList';
import { stepRuns } from '~/ui/steps/stepRuns';
import { Failures } from '~/ui/trace/Failures';
import { SpanRow } from '~/ui/trace/SpanRow';
import { ancestors, failures, spanTree, visibleNodes, type SpanNode, type Trace } from '~/ui/trace/tree';

import classes from './TraceView.module.css';

/** Rows that are drawn at once; a trace may have fifty thousand. */
const ROWS = 100;
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
  const [page, setPage] = useState(1);
  const nodes = useMemo(() => visibleNodes(tree.roots, folded), [tree, folded]);
  const show = (node: SpanNode) => {
    const above = new Set(ancestors(tree, node));
    const left = new Set([...folded].filter((id) => !above.has(id)));
    setFolded(left);
    setOpen(new Set([...open, node.span.span_id]));
    setPage(Math.floor(visibleNodes(tree.roots, left).indexOf(node) / ROWS) + 1);
    requestAnimationFrame(() => document.getElementById(rowId(trace, node))?.focus());
  };
  // What is folded later may leave less than there was.
  const shown = Math.min(page, Math.max(1, Math.ceil(nodes.length / ROWS)));
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
        {trace.left_out > 0 && (
          <Text size="sm" c="var(--aloi-error)">
            {t('leftOut', { count: trace.left_out })}
          </Text>
        )}
        {!trace.shows_tools && (
          <Text size="sm" c="dimmed">
            {t('toolsHidden')}
          </Text>
        )}
      </Group>
      <ul aria-label={t('label')} className={classes.tree}>
        {nodes.slice((shown - 1) * ROWS, shown * ROWS).map((node) => (
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
      <RowPages page={shown} onPage={setPage} total={nodes.length} size={ROWS} />
    </div>
  );
}

const rowId = (trace: Trace, node: SpanNode) => `span-${trace.trace_id}-${node.span.span_id}`;

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
