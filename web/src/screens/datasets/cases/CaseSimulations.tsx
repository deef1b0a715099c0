import { Badge, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Dataset } from '~/screens/datasets/datasets';
import { SimulationList } from '~/screens/simulations/SimulationList';
import { type Simulations, without } from '~/screens/simulations/simulations';
import { TargetSimulations } from '~/screens/simulations/TargetSimulations';
import { pointerOf } from '~/ui/schema-form/values';

import classes from './CaseSimulations.module.css';

interface Props {
  dataset: Dataset;
  value: Simulations;
  onChange: (value: Simulations) => void;
  /** What the server said at a pointer of the case, or below it. */
  fault: (...pointers: string[]) => string | undefined;
  disabled: boolean;
}

/** What stands in for tools and steps in one case, in place of the dataset's; folded until somebody wants it. */
export function CaseSimulations({ dataset, value, onChange, fault, disabled }: Props) {
  const { t } = useTranslation('simulations');
  const id = useId();
  const [asked, setAsked] = useState(false);
  const wrong = fault('/simulations');
  const open = asked || wrong !== undefined;
  const count = Object.keys(value).length;
  return (
    <div className={classes.part}>
      <UnstyledButton className={classes.head} onClick={() => setAsked(!open)} aria-expanded={open} aria-controls={id}>
        <IconChevronRight size={16} aria-hidden className={classes.mark} />
        {t('inCase.title')}
        {count > 0 && (
          <Badge color="gray" className={classes.set}>
            {t('inCase.count', { count })}
          </Badge>
        )}
      </UnstyledButton>
      <div id={id} hidden={!open}>
        {open && (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {t('inCase.lead')}
            </Text>
            <Editor dataset={dataset} value={value} onChange={onChange} fault={fault} disabled={disabled} />
          </>
        )}
      </div>
    </div>
  );
}

function Editor({ dataset, value, onChange, fault, disabled }: Props) {
  const { t } = useTranslation(['simulations', 'common']);
  const [editing, setEditing] = useState<string | null>(null);
  const shared = { simulations: value, onRemove: (name: string) => onChange(without(value, name)), faultOf: (name: string) => fault(pointerOf(['simulations', name])), disabled };
  if (dataset.target_id === null) {
    return Object.keys(value).length > 0 ? <SimulationList components={null} onEdit={setEditing} {...shared} /> : <Text size="sm">{t('inCase.noTarget')}</Text>;
  }
  return (
    <TargetSimulations
      target={dataset.target_id}
      inherited={dataset.simulations as Simulations}
      open={editing}
      onOpen={setEditing}
      onDone={(name, simulation) => {
        onChange({ ...value, [name]: simulation });
        setEditing(null);
      }}
      submitLabel={t('common:apply')}
      {...shared}
    />
  );
}
