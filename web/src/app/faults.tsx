import { Button, Container } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';

import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';

/** No screen has this address. */
export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title={t('notFound.title')} description={t('notFound.text')} />
      <Button component={Link} to="/" variant="default">
        {t('notFound.home')}
      </Button>
    </>
  );
}

/** A screen that broke, or could not be fetched. */
export function RouteFault() {
  const error = useRouteError();
  return (
    <Container py="xl">
      <ErrorPanel error={error} onRetry={() => window.location.reload()} />
    </Container>
  );
}
