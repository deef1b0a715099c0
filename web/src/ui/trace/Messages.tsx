import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { JsonView } from '~/ui/JsonView';
import { RowPages } from '~/ui/RowPages';
import type { Message, Part } from '~/ui/trace/spanFacts';

import classes from './TraceView.module.css';

const MOST_HEIGHT = 260;
/** Messages that are drawn at once. */
const ROWS = 50;

/** Messages to or from a model, each under who said it. */
export function Messages({ messages }: { messages: Message[] }) {
  const { t } = useTranslation('trace');
  // The last ones are what it came to.
  const [page, setPage] = useState(Math.max(1, Math.ceil(messages.length / ROWS)));
  return (
    <>
      <ol className={classes.messages}>
        {messages.slice((page - 1) * ROWS, page * ROWS).map((message, index) => (
          <li key={index} className={classes.message}>
            <span className={classes.role}>{message.role ? t(`role.${message.role}`) : t('role.other')}</span>
            <div className={classes.parts}>
              {message.parts.map((part, place) => (
                <PartView key={place} part={part} />
              ))}
              {message.parts.length === 0 && <span className={classes.quiet}>{t('nothing')}</span>}
            </div>
          </li>
        ))}
      </ol>
      <RowPages page={page} onPage={setPage} total={messages.length} size={ROWS} />
    </>
  );
}

function PartView({ part }: { part: Part }) {
  const { t } = useTranslation('trace');
  const label = part.type === 'call' ? t('part.call', { name: part.name }) : t(`part.${part.type}`);
  return (
    <div>
      {part.type !== 'text' && <div className={classes.quiet}>{label}</div>}
      <JsonView value={part.content} label={label} maxHeight={MOST_HEIGHT} />
    </div>
  );
}
