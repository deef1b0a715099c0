import { Button, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './RubricHelp.module.css';

const POINTS = ['observable', 'one', 'examples', 'ignore', 'anchors', 'threshold', 'unusable'] as const;

interface Props {
  /** Whether nothing is written yet; the help stands open then. */
  empty: boolean;
  /** Takes the good example as a beginning. */
  onUse: (rubric: string) => void;
}

/** What makes a rubric hold, with a bad and a good one side by side. */
export function RubricHelp({ empty, onUse }: Props) {
  const { t } = useTranslation('evaluators');
  const [begun] = useState(empty);
  return (
    <details open={begun} className={classes.help}>
      <summary>{t('rubric.title')}</summary>
      <ul className={classes.points}>
        {POINTS.map((point) => (
          <li key={point}>
            <b>{t(`rubric.point.${point}.title`)}</b> {t(`rubric.point.${point}.text`)}
          </li>
        ))}
      </ul>
      <div className={classes.examples}>
        <Example tone="bad" />
        <Example tone="good">
          {empty && (
            <Button variant="default" size="xs" onClick={() => onUse(t('rubric.example.good.text'))}>
              {t('rubric.use')}
            </Button>
          )}
        </Example>
      </div>
    </details>
  );
}

function Example({ tone, children }: { tone: 'bad' | 'good'; children?: ReactNode }) {
  const { t } = useTranslation('evaluators');
  const Icon = tone === 'good' ? IconCircleCheck : IconCircleX;
  return (
    <section className={classes.example} data-tone={tone} aria-label={t(`rubric.example.${tone}.title`)}>
      <div className={classes.head}>
        <Icon size={18} aria-hidden />
        {t(`rubric.example.${tone}.title`)}
      </div>
      <p className={classes.text}>{t(`rubric.example.${tone}.text`)}</p>
      <Text size="sm" c="dimmed">
        {t(`rubric.example.${tone}.why`)}
      </Text>
      {children}
    </section>
  );
}
