import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { FileList } from '~/screens/attachments/FileList';

/** The files that cases may have; they belong to the workspace, whatever the target. */
export default function TargetFiles() {
  const { t } = useTranslation('attachments');
  const { id } = useThisTarget().value;
  return (
    <>
      <EvaluationViews targetId={id} />
      <Text c="dimmed" mb="md" maw="75ch">
        {t('lead')}
      </Text>
      <FileList />
    </>
  );
}
