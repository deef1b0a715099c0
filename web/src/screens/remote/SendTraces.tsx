import { Anchor, Code, List, Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { exporterVariables } from '~/screens/remote/environment';
import { CopyButton } from '~/ui/CopyButton';
import { Help } from '~/ui/Help';

import classes from './SendTraces.module.css';

/** How an agent that runs elsewhere sends its traces here, with the variables to copy. */
export function SendTraces({ target }: { target: string }) {
  const { t } = useTranslation('remote');
  const variables = exporterVariables(window.location.origin, target);
  return (
    <Stack gap="sm" ta="start" w="100%" maw={720} miw={0}>
      <List type="ordered" spacing={6}>
        <List.Item>
          <Trans t={t} i18nKey="send.key" components={{ keys: <Anchor component={Link} to="/settings/api-keys" underline="always" /> }} />
        </List.Item>
        <List.Item>{t('send.set')}</List.Item>
      </List>
      <div className={classes.variables}>
        <Code block className={classes.code} tabIndex={0} role="region" aria-label={t('send.variables')}>
          {variables}
        </Code>
        <div className={classes.copy}>
          <CopyButton value={variables} />
        </div>
      </div>
      <Text size="sm" c="dimmed">
        <Help text={t('send.which')} />
      </Text>
    </Stack>
  );
}
