import { Alert, Anchor } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Schemas } from '~/api/client';

/** Tells that the default evaluators were made just now, and which dataset binds the first of them. */
export function DefaultsMade({ made }: { made: Schemas['DefaultEvaluators'] }) {
  const { t } = useTranslation(['evaluators', 'common']);
  const [closed, setClosed] = useState(false);
  const [first] = made.created;
  if (closed || !first || !made.dataset) return null;
  return (
    <Alert role="status" color="gray" mb="md" icon={<IconInfoCircle aria-hidden />} title={t('defaults.title', { count: made.created.length })} withCloseButton closeButtonLabel={t('common:close')} onClose={() => setClosed(true)}>
      <Trans
        t={t}
        i18nKey={made.dataset_created ? 'defaults.textNew' : 'defaults.text'}
        values={{ name: first.name, dataset: made.dataset.name }}
        components={{ dataset: <Anchor component={Link} to={`/datasets/${made.dataset.id}`} inherit underline="always" /> }}
      />
    </Alert>
  );
}
