import { Switch, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

import { type OnlineRule, useSwitchRule } from '~/screens/online/onlineQueries';
import { useErrorText } from '~/ui/errorText';
import { useMay } from '~/ui/RoleGate';

import classes from './Online.module.css';

/** Whether a rule grades; switched at once. */
export function RuleSwitch({ rule }: { rule: OnlineRule }) {
  const { t } = useTranslation('online');
  const { may, reason } = useMay('editor');
  const change = useSwitchRule(rule, ({ name, enabled }) => notifications.show({ message: t(enabled ? 'switch.isOn' : 'switch.isOff', { name }) }));
  const fault = useErrorText(change.error);
  return (
    <Tooltip label={reason} disabled={may}>
      <span className={classes.switch}>
        <Switch
          aria-label={t('switch.label', { name: rule.name })}
          label={t(rule.enabled ? 'switch.on' : 'switch.off')}
          checked={rule.enabled}
          error={change.error ? fault.detail : undefined}
          disabled={change.isPending}
          aria-disabled={!may || undefined}
          onChange={({ currentTarget }) => may && change.mutate(currentTarget.checked)}
        />
      </span>
    </Tooltip>
  );
}
