import { type Icon, IconCalendarClock, IconChartBar, IconChecklist, IconDatabase, IconGitCompare, IconHandStop, IconHistory, IconPlayerPlay, IconRobot, IconScale, IconSettings, IconSitemap } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';

import type { Role } from '~/api/session';

export interface NavigationItem {
  to: string;
  /** A key of the messages in `shell.json`. */
  label: ParseKeys<'shell'>;
  icon: Icon;
  group: 'evaluation' | 'workspace';
  /** What is counted beside the label, where there is any. */
  count?: 'waiting';
  /** The least role that sees it; everyone when left out. */
  role?: Role;
}

/**
 * What the navigation shows, in order. A screen that exists adds one line, such as
 * `{ to: '/datasets', label: 'navigation.datasets', icon: IconDatabase, group: 'evaluation' },`
 */
export const navigation: NavigationItem[] = [
  { to: '/agents', label: 'navigation.agents', icon: IconRobot, group: 'evaluation' },
  { to: '/workflows', label: 'navigation.workflows', icon: IconSitemap, group: 'evaluation' },
  { to: '/datasets', label: 'navigation.datasets', icon: IconDatabase, group: 'evaluation' },
  { to: '/runs', label: 'navigation.runs', icon: IconPlayerPlay, group: 'evaluation' },
  { to: '/schedules', label: 'navigation.schedules', icon: IconCalendarClock, group: 'evaluation' },
  { to: '/evaluators', label: 'navigation.evaluators', icon: IconChecklist, group: 'evaluation' },
  { to: '/calibration', label: 'navigation.calibration', icon: IconScale, group: 'evaluation' },
  { to: '/compare', label: 'navigation.compare', icon: IconGitCompare, group: 'evaluation' },
  { to: '/executions', label: 'navigation.executions', icon: IconHistory, group: 'evaluation' },
  { to: '/waiting', label: 'navigation.waiting', icon: IconHandStop, group: 'evaluation', count: 'waiting' },
  { to: '/usage', label: 'navigation.usage', icon: IconChartBar, group: 'workspace' },
  { to: '/settings', label: 'navigation.settings', icon: IconSettings, group: 'workspace' },
];
