import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { shortText } from '~/ui/shortText';
import { spanFacts } from '~/ui/trace/spanFacts';
import type { SpanNode } from '~/ui/trace/tree';

import classes from './TraceView.module.css';

const SHOWN = 5;
/** The span itself shows its whole error. */
const MOST_TEXT = 1000;
const MOST_NAME = 200;

/** What went wrong in a trace, the deepest error first; each leads to its span. */
export function Failures({ nodes, onShow }: { nodes: SpanNode[]; onShow: (node: SpanNode) => void }) {
  const { t } = useTranslation('trace');
  if (nodes.length === 0) return null;
  return (
    <ul className={classes.failures} aria-label={t('errors')}>
      {nodes.slice(0, SHOWN).map((node, index) => (
        <li key={node.span.span_id}>
          <UnstyledButton className={classes.failure} onClick={() => onShow(node)}>
            <IconAlertTriangleFilled size={16} aria-hidden />
            <span>
              <b>{shortText(spanFacts(node.span).title, MOST_NAME)}</b> {index === 0 && nodes.length > 1 && <span className={classes.quiet}>{t('deepest')}</span>}
              <span className={classes.failureText}>{shortText(node.span.error ?? '', MOST_TEXT)}</span>
            </span>
          </UnstyledButton>
        </li>
      ))}
      {nodes.length > SHOWN && <li className={classes.quiet}>{t('moreErrors', { count: nodes.length - SHOWN })}</li>}
    </ul>
  );
}
