import { useTranslation } from 'react-i18next';

import type { Notice } from '~/screens/schedules/notices/noticeQueries';
import { useFormat } from '~/ui/format';

/** How far a notice got on its way to the webhook; nothing where there was none. */
export function DeliveryState({ delivery }: { delivery: Notice['delivery'] }) {
  const { t } = useTranslation('notices');
  const format = useFormat();
  const { status, attempts, next_at, reason, delivered_at } = delivery;
  if (status === 'none') return null;
  const words = {
    pending: attempts === 0 ? t('delivery.sending') : t('delivery.again', { count: attempts, time: format.dateTime(next_at) }),
    delivered: t('delivery.delivered', { time: format.dateTime(delivered_at) }),
    failed: t('delivery.failed', { count: attempts }),
  }[status];
  return (
    <span>
      {words}
      {reason && (
        <>
          {' ('}
          <span lang="en">{reason}</span>
          {')'}
        </>
      )}
    </span>
  );
}
