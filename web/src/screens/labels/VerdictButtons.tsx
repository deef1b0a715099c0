import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { LabelVerdict } from '~/screens/labels/labelQueries';
import { RoleGate } from '~/ui/RoleGate';

const ICONS = { pass: IconCircleCheck, fail: IconCircleX };
const COLOURS = { pass: 'var(--aloi-pass)', fail: 'var(--aloi-fail)' };

interface Props {
  /** The one that stands. */
  chosen: LabelVerdict | null;
  onChoose: (verdict: LabelVerdict) => void;
  loading: boolean;
}

/** Pass or fail, by a person. */
export function VerdictButtons({ chosen, onChoose, loading }: Props) {
  const { t } = useTranslation('labels');
  return (['pass', 'fail'] as const).map((verdict) => {
    const Icon = ICONS[verdict];
    return (
      <RoleGate key={verdict} role="editor">
        {(gate) => (
          <Button variant="default" leftSection={<Icon size={18} color={COLOURS[verdict]} aria-hidden />} aria-pressed={chosen === verdict} aria-keyshortcuts={verdict === 'pass' ? 'P' : 'F'} onClick={() => onChoose(verdict)} disabled={loading} {...gate}>
            {t(`say.${verdict}`)}
          </Button>
        )}
      </RoleGate>
    );
  });
}
