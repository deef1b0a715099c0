import { Text, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { TEMPLATE_NAMES, type TemplateName } from '~/screens/workflows/templates/templates';
import { ConfirmDialog } from '~/ui/ConfirmDialog';

import classes from './TemplateChoice.module.css';

interface Props {
  value: TemplateName;
  /** Whether something was written that another template would replace. */
  written: boolean;
  onChange: (name: TemplateName) => void;
}

/** The examples that a new workflow can begin as. */
export function TemplateChoice({ value, written, onChange }: Props) {
  const { t } = useTranslation('workflows');
  const id = useId();
  const [asked, setAsked] = useState<TemplateName | null>(null);
  const choose = (name: TemplateName) => {
    if (written) setAsked(name);
    else onChange(name);
  };
  return (
    <div role="group" aria-labelledby={id}>
      <Text size="sm" fw={600} id={id} mb={6}>
        {t('template.label')}
      </Text>
      <div className={classes.choices}>
        {TEMPLATE_NAMES.map((name) => (
          <UnstyledButton key={name} className={classes.choice} aria-pressed={name === value} onClick={() => choose(name)}>
            <span className={classes.name}>{t(`template.${name}.name`)}</span>
            <span className={classes.text}>{t(`template.${name}.text`)}</span>
          </UnstyledButton>
        ))}
      </div>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => {
          if (asked) onChange(asked);
          setAsked(null);
        }}
        title={t('template.replaceTitle')}
        text={t('template.replaceText')}
        confirmLabel={t('template.replace')}
      />
    </div>
  );
}
