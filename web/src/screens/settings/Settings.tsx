import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';

import { LinkTabs } from '~/ui/LinkTabs';
import { PageHeader } from '~/ui/PageHeader';

/** The settings: of oneself, of the workspace, and what the server's operator has set. */
export default function Settings() {
  const { t } = useTranslation('settings');
  return (
    <>
      <PageHeader title={t('title')} />
      <LinkTabs
        label={t('tab.label')}
        tabs={[
          { to: '/settings/profile', label: t('tab.profile') },
          { to: '/settings/members', label: t('tab.members') },
          { to: '/settings/api-keys', label: t('tab.keys') },
          { to: '/settings/models', label: t('tab.models') },
          { to: '/settings/webhook', label: t('tab.webhook') },
          { to: '/settings/retention', label: t('tab.retention') },
          { to: '/settings/audit', label: t('tab.audit') },
        ]}
      />
      <Outlet />
    </>
  );
}
