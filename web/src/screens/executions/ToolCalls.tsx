import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Part } from '~/screens/executions/Part';
import { JsonView } from '~/ui/JsonView';
import { RowPages } from '~/ui/RowPages';
import { shortText } from '~/ui/shortText';
import { ProvenanceTag } from '~/ui/trace/ProvenanceTag';
import { isToolCall, spanFacts } from '~/ui/trace/spanFacts';
import type { Span, Trace } from '~/ui/trace/tree';

import classes from './ToolCalls.module.css';

/** Calls that are drawn at once. */
const ROWS = 50;
const MOST_NAME = 200;

/** The tools that were called, in order, each with what it was given and what it gave back. */
export function ToolCalls({ trace }: { trace: Trace }) {
  const { t } = useTranslation('executions');
  const calls = useMemo(() => toolSpans(trace), [trace]);
  const [page, setPage] = useState(1);
  if (calls.length === 0) return null;
  return (
    <Part title={t('tools')}>
      <ol className={classes.calls} start={(page - 1) * ROWS + 1}>
        {calls.slice((page - 1) * ROWS, page * ROWS).map((span) => (
          <Call key={span.span_id} span={span} />
        ))}
      </ol>
      <RowPages page={page} onPage={setPage} total={calls.length} size={ROWS} />
    </Part>
  );
}

/** One call. What it was given and gave back is drawn when it is opened. */
function Call({ span }: { span: Span }) {
  const { t } = useTranslation('executions');
  const [open, setOpen] = useState(false);
  const { title, call, provenance } = useMemo(() => spanFacts(span), [span]);
  return (
    <li className={classes.call}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={classes.name}>{shortText(title, MOST_NAME)}</span>
          <ProvenanceTag provenance={provenance ?? 'real'} />
          <span className={classes.args}>{shortText(JSON.stringify(call?.args) ?? '')}</span>
          {span.error !== null && (
            <span className={classes.failed}>
              <IconAlertTriangleFilled size={14} aria-hidden /> {t('toolFailed')}
            </span>
          )}
        </summary>
        {open && (
          <div className={classes.sides}>
            <div>
              <p className={classes.heading}>{t('toolArguments')}</p>
              <JsonView value={call?.args} label={t('toolArguments')} maxHeight={240} />
            </div>
            <div>
              <p className={classes.heading}>{t('toolResult')}</p>
              <JsonView value={span.error ?? call?.result} label={t('toolResult')} maxHeight={240} />
            </div>
          </div>
        )}
      </details>
    </li>
  );
}

/** The spans of tool calls, by start. Only those that are shown are read further. */
function toolSpans(trace: Trace): Span[] {
  return trace.spans.filter(isToolCall).sort((a, b) => a.start_ns - b.start_ns);
}
