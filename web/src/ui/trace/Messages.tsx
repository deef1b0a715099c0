import { useTranslation } from 'react-i18next';

import { JsonView } from '~/ui/JsonView';
import type { Message, Part } from '~/ui/trace/spanFacts';

import classes from './TraceView.module.css';

const MOST_HEIGHT = 260;

/** Messages to or from a model, each under who said it. */
export function Messages({ messages }: { messages: Message[] }) {
  const { t } = useTranslation('trace');
  return (
    <ol className={classes.messages}>
      {messages.map((message, index) => (
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
