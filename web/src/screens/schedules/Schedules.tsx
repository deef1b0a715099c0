import { useTranslation } from 'react-i18next';

import { NewSchedule, ScheduleList } from '~/screens/schedules/ScheduleList';
import { useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';

/** The schedules of the workspace. */
export default function Schedules() {
  const { t } = useTranslation('schedules');
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={<NewSchedule params={useListParams()} />} />
      <ScheduleList />
    </>
  );
}
