import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled, IconChevronDown, IconChevronRight, IconClipboardCheck, IconClock, IconGavel, IconMessage, IconPlayerPlay, IconRobot, IconRulerMeasure, IconTool } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';
import { ProvenanceTag } from '~/ui/trace/ProvenanceTag';
import { SpanDetail } from '~/ui/trace/SpanDetail';
import { shortText } from '~/ui/shortText';
import { spanFacts, type SpanFacts } from '~/ui/trace/spanFacts';
import type { SpanNode, SpanTree } from '~/ui/trace/tree';
import { VerdictBadge } from '~/ui/VerdictBadge';

import classes from './TraceView.module.css';

const ICONS = { agent: IconRobot, model: IconMessage, tool: IconTool, other: IconClock, case: IconClipboardCheck, execution: IconPlayerPlay, evaluator: IconRulerMeasure, sample: IconGavel };
const NS = 1e-9;
/** Deeper spans are not moved further to the right; there would be no room left. */
const MOST_INDENT = 12;
/** Characters of a name in a row; the names of spans may come from anywhere. */
const MOST_NAME = 200;

interface Props {
  id: string;
  node: SpanNode;
  tree: SpanTree;
  open: boolean;
  folded: boolean;
  onOpen: () => void;
  onFold: () => void;
}

/** One span: its name, tokens and length, where it lies in time, and, when it is open, what it says. */
export function SpanRow({ id, node, tree, open, folded, onOpen, onFold }: Props) {
  const { t } = useTranslation('trace');
  const format = useFormat();
  const { span, depth, children } = node;
  const facts = useMemo(() => spanFacts(span), [span]);
  const title = shortText(useTitle(facts), MOST_NAME);
  const seconds = (span.end_ns - span.start_ns) * NS;
  const Icon = ICONS[facts.operation];
  return (
    <li aria-level={depth + 1} className={classes.item} data-open={open || undefined}>
      <div className={classes.row}>
        <div className={classes.name} style={{ paddingInlineStart: Math.min(depth, MOST_INDENT) * 18 }}>
          {children.length > 0 ? (
            <ActionIcon variant="subtle" color="gray" size="sm" onClick={onFold} aria-expanded={!folded} aria-label={t('under', { name: title })}>
              {folded ? <IconChevronRight size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
            </ActionIcon>
          ) : (
            <span className={classes.leaf} />
          )}
          <UnstyledButton id={id} className={classes.toggle} onClick={onOpen} aria-expanded={open}>
            <Icon size={16} aria-hidden className={classes.icon} />
            <span className={classes.title}>{title}</span>
            {facts.operation !== 'execution' && <span className={classes.quiet}>{t(`operation.${facts.operation}`)}</span>}
            {facts.provenance && <ProvenanceTag provenance={facts.provenance} />}
            {facts.graded?.verdict && <VerdictBadge verdict={facts.graded.verdict} />}
            {span.error !== null && !facts.graded?.verdict && (
              <span className={classes.error}>
                <IconAlertTriangleFilled size={14} aria-hidden /> {t('error')}
              </span>
            )}
          </UnstyledButton>
        </div>
        <span className={classes.figure}>{tokensText(facts, format.number, t('tokens'))}</span>
        <span className={classes.figure}>{format.duration(seconds)}</span>
        <Bar node={node} tree={tree} operation={facts.operation} />
      </div>
      {open && (
        <div className={classes.detail} style={{ marginInlineStart: Math.min(depth, MOST_INDENT) * 18 + 26 }}>
          <SpanDetail span={span} facts={facts} />
        </div>
      )}
    </li>
  );
}

/** What a span is called; those that are of our making by words of the reader's language. */
function useTitle({ title, operation, graded }: SpanFacts): string {
  const { t } = useTranslation('trace');
  if (operation === 'execution') return t('operation.execution');
  return graded?.sample ? t('graded.sample', graded.sample) : title;
}

/** Empty where nothing is known: most spans use no tokens. */
function tokensText({ inputTokens, outputTokens }: SpanFacts, number: (value: number) => string, unit: string): string {
  if (inputTokens === null && outputTokens === null) return '';
  return `${number((inputTokens ?? 0) + (outputTokens ?? 0))} ${unit}`;
}

/** Where the span lies between the start and the end of its trace. */
function Bar({ node, tree, operation }: { node: SpanNode; tree: SpanTree; operation: string }) {
  const left = ((node.span.start_ns - tree.start) / tree.length) * 100;
  const width = Math.max(((node.span.end_ns - node.span.start_ns) / tree.length) * 100, 0.6);
  return (
    <svg className={classes.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden data-operation={operation} data-failed={node.span.error !== null || undefined}>
      <rect className={classes.line} x="0" y="4.6" width="100" height="0.8" />
      <rect className={classes.part} x={Math.min(left, 100 - width)} y="1" width={width} height="8" />
    </svg>
  );
}
