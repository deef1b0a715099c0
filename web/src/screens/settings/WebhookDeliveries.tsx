import { Paper, Table, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { DeliveryState } from '~/screens/schedules/notices/DeliveryState';
import { useNotices } from '~/screens/schedules/notices/noticeQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { DateTime } from '~/ui/Values';

const LOOKED_BACK = 10;

/** How far the latest notices got on their way to the webhook. */
export function WebhookDeliveries() {
  const { t } = useTranslation('notices');
  const id = useId();
  const notices = useNotices({ page: 1, size: LOOKED_BACK });
  const sent = notices.data?.items.filter(({ delivery }) => delivery.status !== 'none');
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {t('webhook.deliveries')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('webhook.deliveriesText')}
      </Text>
      {notices.error && <ErrorPanel error={notices.error} onRetry={() => void notices.refetch()} />}
      {sent?.length === 0 && <Text>{t('webhook.noDeliveries')}</Text>}
      {sent && sent.length > 0 && (
        <Paper>
          <Table.ScrollContainer minWidth={480} type="native">
            <Table aria-labelledby={id}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('webhook.when')}</Table.Th>
                  <Table.Th>{t('webhook.what')}</Table.Th>
                  <Table.Th>{t('webhook.how')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sent.map(({ id: notice, at, kind, schedule_name, delivery }) => (
                  <Table.Tr key={notice}>
                    <Table.Td>
                      <DateTime time={at} />
                    </Table.Td>
                    <Table.Td>
                      {t(`kind.${kind}.title`)}
                      <Text size="sm" c="dimmed">
                        {schedule_name}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm" component="span">
                        <DeliveryState delivery={delivery} />
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </section>
  );
}
