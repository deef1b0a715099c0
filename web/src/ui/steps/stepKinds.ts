import { type Icon, IconArrowsSplit2, IconCircleDashed, IconMessage, IconRepeat, IconRobot, IconTool, IconTransform, IconUser, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { sentence } from '~/ui/schema-form/schema';

const STEP_KINDS = ['prompt', 'agent', 'tool', 'http', 'transform', 'branch', 'map', 'human'] as const;
type StepKind = (typeof STEP_KINDS)[number];

const ICONS: Record<StepKind, Icon> = {
  prompt: IconMessage,
  agent: IconRobot,
  tool: IconTool,
  http: IconWorld,
  transform: IconTransform,
  branch: IconArrowsSplit2,
  map: IconRepeat,
  human: IconUser,
};

/** The signs of the kinds of workflow steps: `STEP_ICONS[kind] ?? OTHER_STEP`. */
export const STEP_ICONS: Readonly<Record<string, Icon>> = ICONS;
export const OTHER_STEP: Icon = IconCircleDashed;

/** The word for a kind of step, in the reader's language; kinds of plug-ins keep their own. */
export function useStepKindName(): (kind: string) => string {
  const { t } = useTranslation('workflows');
  return (kind) => {
    const known = STEP_KINDS.find((each) => each === kind);
    return known ? t(`kind.${known}`) : kind === '' ? t('kind.none') : sentence(kind);
  };
}
