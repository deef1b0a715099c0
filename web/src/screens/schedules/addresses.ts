/** The schedules of a target. */
export function schedulesAddress(targetId: string): string {
  return `/agents/${targetId}/evaluations/schedules`;
}

/** The form of a new schedule, on a dataset; of a target where one is known. */
export function newScheduleAddress(targetId: string | null, datasetId: string): string {
  const query = new URLSearchParams({ new: '1', dataset: datasetId }).toString();
  return `${targetId === null ? '/schedules' : schedulesAddress(targetId)}?${query}`;
}

/** What a schedule told. */
export function noticesAddress(scheduleId: string): string {
  return `/notices?${new URLSearchParams({ schedule: scheduleId }).toString()}`;
}
