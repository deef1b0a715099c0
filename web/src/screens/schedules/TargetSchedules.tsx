import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { NewSchedule, ScheduleList } from '~/screens/schedules/ScheduleList';
import { useListParams } from '~/ui/listParams';

/** The schedules of this target. */
export default function TargetSchedules() {
  const { id, name } = useThisTarget().value;
  return (
    <>
      <EvaluationViews targetId={id} action={<NewSchedule params={useListParams()} />} />
      <ScheduleList target={{ id, name }} />
    </>
  );
}
