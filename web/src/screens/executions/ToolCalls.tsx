import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { Part } from '~/screens/executions/Part';
import { JsonView } from '~/ui/JsonView';
import { ProvenanceTag } from '~/ui/trace/ProvenanceTag';
import { spanFacts } from '~/ui/trace/spanFacts';
import type { Trace } from '~/ui/trace/tree';

import classes from './ToolCalls.module.css';

/** The tools that were called, in order, each with what it was given and what it gave back. */
export function ToolCalls({ trace }: { trace: Trace }) {
  const { t } = useTranslation('executions');
  const calls = useMemo(() => callsOf(trace), [trace]);
  if (calls.length === 0) return null;
  return (
    <Part title={t('tools')}>
      <ol className={classes.calls}>
        {calls.map(({ id, name, provenance, args, result, error }) => (
          <li key={id} className={classes.call}>
            <details>
              <summary>
                <span className={classes.name}>{name}</span>
                <ProvenanceTag provenance={provenance} />
                <span className={classes.args}>{JSON.stringify(args)}</span>
                {error !== null && (
                  <span className={classes.failed}>
                    <IconAlertTriangleFilled size={14} aria-hidden /> {t('toolFailed')}
                  </span>
                )}
              </summary>
              <div className={classes.sides}>
                <div>
                  <p className={classes.heading}>{t('toolArguments')}</p>
                  <JsonView value={args} label={t('toolArguments')} maxHeight={240} />
                </div>
                <div>
                  <p className={classes.heading}>{t('toolResult')}</p>
                  <JsonView value={error ?? result} label={t('toolResult')} maxHeight={240} />
                </div>
              </div>
            </details>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function callsOf(trace: Trace) {
  return [...trace.spans]
    .sort((a, b) => a.start_ns - b.start_ns)
    .flatMap((span) => {
      const { title, call, provenance } = spanFacts(span);
      return call ? [{ id: span.span_id, name: title, provenance: provenance ?? 'real', args: call.args, result: call.result, error: span.error }] : [];
    });
}
