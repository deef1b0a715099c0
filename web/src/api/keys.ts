/**
 * Names of what is cached. The first word is the area, so that
 * `queries.invalidateQueries({ queryKey: keys.datasets() })` makes every list and object of it stale.
 */
type Filters = Record<string, unknown>;

export const keys = {
  session: () => ['session'] as const,
  datasets: () => ['datasets'] as const,
  datasetList: (filters: Filters) => ['datasets', 'list', filters] as const,
  dataset: (id: string) => ['datasets', id] as const,
  cases: (datasetId: string, filters: Filters) => ['datasets', datasetId, 'cases', filters] as const,
  runs: () => ['runs'] as const,
  runList: (filters: Filters) => ['runs', 'list', filters] as const,
  run: (id: string) => ['runs', id] as const,
  results: (runId: string, filters: Filters) => ['runs', runId, 'results', filters] as const,
  result: (runId: string, caseId: string) => ['runs', runId, 'results', 'one', caseId] as const,
  labelling: (runId: string) => ['labelling', runId] as const,
  comparison: (a: string, b: string) => ['comparison', a, b] as const,
  targets: () => ['targets'] as const,
  targetList: (filters: Filters) => ['targets', 'list', filters] as const,
  target: (id: string) => ['targets', id] as const,
  targetVersions: (id: string) => ['targets', id, 'versions'] as const,
  gate: (targetId: string) => ['targets', targetId, 'gate'] as const,
  calibration: (filters: Filters) => ['calibration', filters] as const,
  targetKinds: () => ['kinds', 'target'] as const,
  evaluatorKinds: () => ['kinds', 'evaluator'] as const,
  evaluators: (filters: Filters = {}) => ['evaluators', filters] as const,
  executions: (filters: Filters) => ['executions', 'list', filters] as const,
  waiting: (filters?: Filters) => (filters ? (['executions', 'waiting', filters] as const) : (['executions', 'waiting'] as const)),
  execution: (id: string) => ['executions', id] as const,
  usage: (filters: Filters) => ['usage', filters] as const,
  members: () => ['members'] as const,
  apiKeys: () => ['api-keys'] as const,
  audit: (filters: Filters) => ['audit', filters] as const,
};
