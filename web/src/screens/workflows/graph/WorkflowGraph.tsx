import { Text, UnstyledButton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { type Edge, layOut, type Layout, type Placed, type Point } from '~/screens/workflows/graph/layout';
import type { Step } from '~/screens/workflows/steps';
import { OTHER_STEP, STEP_ICONS, useStepKindName } from '~/ui/steps/stepKinds';
import { StepState, type StepStatus } from '~/ui/steps/StepState';

import classes from './WorkflowGraph.module.css';

/** The smallest that text can still be read at; what is wider scrolls. */
const LEAST_SCALE = 0.72;
const EDGE_ROOM = 3;

interface Props {
  steps: readonly Step[];
  /** By the step's id: how many faults it has. */
  faults?: ReadonlyMap<string, number>;
  /** By the step's id: where it stands in an execution. */
  states?: ReadonlyMap<string, StepStatus>;
  selected?: string | null;
  onSelect?: (id: string) => void;
  /** What choosing a step does, for screen readers: "Go to its lines". */
  hint?: string;
}

/** The steps of a workflow as a picture: what follows on what, from top to bottom. */
export function WorkflowGraph(props: Props) {
  const { t } = useTranslation('workflows');
  const { steps } = props;
  const layout = useMemo(() => layOut(steps), [steps]);
  const { ref, width } = useElementSize();
  const wide = layout.width + 2 * EDGE_ROOM;
  const scale = width > 0 ? Math.min(1, Math.max(LEAST_SCALE, width / wide)) : 1;
  if (steps.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        {t('graph.empty')}
      </Text>
    );
  }
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('graph.label')}>
      <div ref={ref}>
        <div style={{ width: wide * scale, height: (layout.height + 2 * EDGE_ROOM) * scale, marginInline: 'auto' }}>
          <div className={classes.canvas} style={{ width: wide, height: layout.height + 2 * EDGE_ROOM, scale: String(scale) }}>
            <Lines layout={layout} width={wide} states={props.states} />
            <Nodes {...props} layout={layout} />
          </div>
        </div>
      </div>
    </div>
  );
}

function Lines({ layout, width, states }: { layout: Layout; width: number; states: Props['states'] }) {
  const id = useId();
  const edges = allEdges(layout);
  return (
    <svg width={width} height={layout.height + 2 * EDGE_ROOM} aria-hidden className={classes.lines} viewBox={`${-EDGE_ROOM} ${-EDGE_ROOM} ${width} ${layout.height + 2 * EDGE_ROOM}`}>
      <defs>
        <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
          <path d="M1 1 7 4 1 7" className={classes.arrow} />
        </marker>
      </defs>
      {edges.map((edge) => (
        <path key={`${edge.from} ${edge.to}`} d={curve(edge.points)} className={classes.edge} data-skipped={states?.get(edge.to) === 'skipped' || undefined} markerEnd={`url(#${id})`} />
      ))}
      {edges.map((edge) => edge.label !== null && <Label key={`${edge.from} ${edge.to}`} edge={edge} text={edge.label} />)}
    </svg>
  );
}

function allEdges({ nodes, edges }: Layout): Edge[] {
  return [...edges, ...nodes.flatMap(({ inner }) => (inner ? allEdges(inner) : []))];
}

/** Down to the next point, and level with it only half way: the lines leave and arrive upright. */
function curve(points: readonly Point[]): string {
  return points
    .map(([x, y], index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      const bend = (y - before[1]) / 2;
      return `C${before[0]} ${before[1] + bend} ${x} ${y - bend} ${x} ${y}`;
    })
    .join('');
}

/** The way of a branch that an edge is, just above where it arrives. */
function Label({ edge, text }: { edge: Edge; text: string }) {
  const [x, y] = edge.points.at(-1) ?? [0, 0];
  return (
    <text x={x} y={y - 13} className={classes.label} textAnchor="middle">
      {text.length > 26 ? `${text.slice(0, 25)}…` : text}
    </text>
  );
}

function Nodes({ layout, ...props }: Props & { layout: Layout }) {
  const { t } = useTranslation('workflows');
  return (
    <ol className={classes.nodes} aria-label={t('graph.steps')}>
      {layout.nodes.map((node) => (
        <li key={node.step.id} data-frame={node.inner ? true : undefined} className={node.inner ? classes.frame : undefined} style={node.inner ? box(node, node.height) : undefined}>
          <Node node={node} {...props} />
          {node.inner && <Nodes {...props} layout={within(node.inner, node)} />}
        </li>
      ))}
    </ol>
  );
}

/** The steps of a map lie in its frame, which is where their places are counted from. */
function within(inner: Layout, { x, y }: Placed): Layout {
  return { ...inner, nodes: inner.nodes.map((node) => ({ ...node, x: node.x - x, y: node.y - y, inner: node.inner && within(node.inner, { ...node, x, y }) })) };
}

function box({ x, y, width }: Placed, height: number) {
  return { left: x, top: y, width, height };
}

function Node({ node, faults, states, selected, onSelect, hint }: Omit<Props, 'steps'> & { node: Placed }) {
  const { t } = useTranslation('workflows');
  const kindName = useStepKindName();
  const { step, inner } = node;
  const Icon = STEP_ICONS[step.kind] ?? OTHER_STEP;
  const count = faults?.get(step.id) ?? 0;
  const status = states?.get(step.id);
  const content = (
    <>
      <Icon size={18} stroke={1.7} aria-hidden className={classes.icon} />
      <span className={classes.texts}>
        <span className={classes.name}>{step.name}</span>
        <span className={classes.kind}>
          {kindName(step.kind)}
          {status && <StepState status={status} />}
          {count > 0 && (
            <span className={classes.faults}>
              <IconAlertTriangleFilled size={14} aria-hidden />
              {t('graph.faults', { count })}
            </span>
          )}
        </span>
        <span className="sr-only">{step.needs.map((need) => t(need.way === null ? 'graph.after' : 'graph.afterWay', { step: need.step, way: need.way ?? '' })).join(' ')}</span>
      </span>
    </>
  );
  const shared = {
    className: classes.node,
    style: inner ? undefined : box(node, node.height),
    title: step.description || step.name,
    'data-status': status,
    'data-faulty': count > 0 || undefined,
    'data-head': inner ? true : undefined,
  };
  if (!onSelect) return <div {...shared}>{content}</div>;
  return (
    <UnstyledButton {...shared} onClick={() => onSelect(step.id)} aria-pressed={selected === undefined ? undefined : selected === step.id} data-selected={selected === step.id || undefined}>
      {content}
      {hint && <span className="sr-only">{hint}</span>}
    </UnstyledButton>
  );
}
