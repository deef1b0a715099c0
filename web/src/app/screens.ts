import type { RouteObject } from 'react-router';

import { lazyScreen } from '~/app/lazyScreen';

/**
 * The screens within the shell, each fetched when somebody goes there. A screen adds one line:
 * `{ path: 'datasets', lazy: lazyScreen(() => import('~/screens/datasets/Datasets')) },`
 */
export const screens: RouteObject[] = [
  { path: 'datasets', lazy: lazyScreen(() => import('~/screens/datasets/Datasets')) },
  {
    path: 'datasets/:id',
    lazy: lazyScreen(() => import('~/screens/datasets/Dataset')),
    children: [
      { index: true, lazy: lazyScreen(() => import('~/screens/datasets/cases/Cases')) },
      { path: 'evaluators', lazy: lazyScreen(() => import('~/screens/datasets/DatasetEvaluators')) },
      { path: 'simulations', lazy: lazyScreen(() => import('~/screens/datasets/DatasetSimulations')) },
      { path: 'runs', lazy: lazyScreen(() => import('~/screens/datasets/DatasetRuns')) },
      { path: 'import', lazy: lazyScreen(() => import('~/screens/datasets/ImportCases')) },
      { path: 'settings', lazy: lazyScreen(() => import('~/screens/datasets/DatasetSettings')) },
    ],
  },
  { path: 'attachments', lazy: lazyScreen(() => import('~/screens/attachments/Attachments')) },
  { path: 'evaluators', lazy: lazyScreen(() => import('~/screens/evaluators/Evaluators')) },
  { path: 'evaluators/new', lazy: lazyScreen(() => import('~/screens/evaluators/NewEvaluator')) },
  { path: 'evaluators/:id', lazy: lazyScreen(() => import('~/screens/evaluators/Evaluator')) },
  { path: 'evaluators/:id/history', lazy: lazyScreen(() => import('~/screens/evaluators/EvaluatorHistory')) },
  { path: 'help/cases', lazy: lazyScreen(() => import('~/screens/help/CasesGuide')) },
  { path: 'runs', lazy: lazyScreen(() => import('~/screens/runs/Runs')) },
  { path: 'runs/:id', lazy: lazyScreen(() => import('~/screens/runs/Run')) },
  { path: 'runs/:id/labelling', lazy: lazyScreen(() => import('~/screens/labels/Labelling')) },
  { path: 'runs/:id/results/:caseId', lazy: lazyScreen(() => import('~/screens/runs/result/CaseResult')) },
  { path: 'calibration', lazy: lazyScreen(() => import('~/screens/calibration/Calibration')) },
  { path: 'compare', lazy: lazyScreen(() => import('~/screens/compare/Compare')) },
  { path: 'agents', lazy: lazyScreen(() => import('~/screens/agents/Targets')) },
  { path: 'agents/new', lazy: lazyScreen(() => import('~/screens/agents/NewTarget')) },
  {
    path: 'agents/:id',
    lazy: lazyScreen(() => import('~/screens/agents/Target')),
    children: [
      { index: true, lazy: lazyScreen(() => import('~/screens/agents/Overview')) },
      { path: 'runner', lazy: lazyScreen(() => import('~/screens/agents/runner/Runner')) },
      { path: 'executions', lazy: lazyScreen(() => import('~/screens/agents/TargetExecutions')) },
      { path: 'evaluations', lazy: lazyScreen(() => import('~/screens/agents/TargetDatasets')) },
      { path: 'evaluations/evaluators', lazy: lazyScreen(() => import('~/screens/agents/TargetEvaluators')) },
      { path: 'evaluations/files', lazy: lazyScreen(() => import('~/screens/agents/TargetFiles')) },
      { path: 'evaluations/history', lazy: lazyScreen(() => import('~/screens/agents/TargetHistory')) },
      { path: 'evaluations/schedules', lazy: lazyScreen(() => import('~/screens/schedules/TargetSchedules')) },
      { path: 'evaluations/online', lazy: lazyScreen(() => import('~/screens/online/TargetOnline')) },
      { path: 'evaluations/online/:ruleId', lazy: lazyScreen(() => import('~/screens/online/OnlineRule')) },
      { path: 'evaluations/runs', lazy: lazyScreen(() => import('~/screens/agents/TargetRuns')) },
      { path: 'versions/new', lazy: lazyScreen(() => import('~/screens/agents/NewVersion')) },
      { path: 'versions/compare', lazy: lazyScreen(() => import('~/screens/agents/versions/CompareVersions')) },
      { path: 'versions/:number', lazy: lazyScreen(() => import('~/screens/agents/Version')) },
    ],
  },
  { path: 'workflows', lazy: lazyScreen(() => import('~/screens/workflows/Workflows')) },
  { path: 'waiting', lazy: lazyScreen(() => import('~/screens/workflows/human/Waiting')) },
  { path: 'schedules', lazy: lazyScreen(() => import('~/screens/schedules/Schedules')) },
  { path: 'schedules/:id', lazy: lazyScreen(() => import('~/screens/schedules/Schedule')) },
  { path: 'notices', lazy: lazyScreen(() => import('~/screens/schedules/notices/Notices')) },
  { path: 'executions', lazy: lazyScreen(() => import('~/screens/executions/Executions')) },
  { path: 'executions/:id', lazy: lazyScreen(() => import('~/screens/executions/Execution')) },
  { path: 'usage', lazy: lazyScreen(() => import('~/screens/usage/Usage')) },
  {
    path: 'settings',
    lazy: lazyScreen(() => import('~/screens/settings/Settings')),
    children: [
      { index: true, lazy: lazyScreen(() => import('~/screens/settings/ToProfile')) },
      { path: 'profile', lazy: lazyScreen(() => import('~/screens/settings/Profile')) },
      { path: 'members', lazy: lazyScreen(() => import('~/screens/settings/Members')) },
      { path: 'api-keys', lazy: lazyScreen(() => import('~/screens/settings/ApiKeys')) },
      { path: 'models', lazy: lazyScreen(() => import('~/screens/settings/Models')) },
      { path: 'webhook', lazy: lazyScreen(() => import('~/screens/settings/Webhook')) },
      { path: 'retention', lazy: lazyScreen(() => import('~/screens/settings/Retention')) },
      { path: 'audit', lazy: lazyScreen(() => import('~/screens/settings/Audit')) },
    ],
  },
];
