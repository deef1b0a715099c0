import { Loader, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Checked } from '~/screens/workflows/editor/check';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './WorkflowEditor.module.css';

interface Props {
  checked: Checked;
  onGoTo: (line: number) => void;
}

/** What is wrong with the text, each with its line; or that nothing is. */
export function FaultList({ checked: { faults, checking, error }, onGoTo }: Props) {
  const { t } = useTranslation('workflows');
  if (error) return <ErrorPanel error={error} />;
  return (
    <div>
      <Text size="sm" role="status" className={classes.status} data-good={(!checking && faults.length === 0) || undefined}>
        {checking ? <Loader size={14} aria-hidden /> : faults.length === 0 ? <IconCircleCheck size={16} aria-hidden /> : <IconAlertTriangleFilled size={16} aria-hidden className={classes.bad} />}
        {checking ? t('check.checking') : faults.length === 0 ? t('check.good') : t('check.faults', { count: faults.length })}
      </Text>
      {faults.length > 0 && (
        <ul className={classes.faults} aria-label={t('check.label')}>
          {faults.map(({ line, detail }, index) => (
            <li key={index}>
              {line === null ? (
                <span className={classes.fault}>{detail}</span>
              ) : (
                <UnstyledButton className={classes.fault} onClick={() => onGoTo(line)}>
                  <span className={classes.line}>{t('check.line', { line })}</span> {detail}
                </UnstyledButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
