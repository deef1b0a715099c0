import { ActionIcon, Button, Input } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconAlertTriangleFilled, IconListDetails, IconTool, IconUser, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { type Component, needOf, type Simulation, type Simulations } from '~/screens/simulations/simulations';
import { SimulationPreview } from '~/screens/simulations/SimulationPreview';
import { useKindWords } from '~/ui/kindWords';
import { RoleGate } from '~/ui/RoleGate';
import { ProvenanceTag } from '~/ui/trace/ProvenanceTag';

import classes from './SimulationList.module.css';

const KIND_ICONS: Record<Component['kind'], Icon> = { tool: IconTool, step: IconListDetails, human: IconUser };

interface Props {
  /** Null: nobody knows of which target; what is simulated can then be looked at and taken out. */
  components: readonly Component[] | null;
  simulations: Readonly<Simulations>;
  /** The dataset's, where `simulations` are those of one case. */
  inherited?: Readonly<Simulations>;
  onEdit: (name: string) => void;
  onRemove: (name: string) => void;
  /** What the server said of one. */
  faultOf?: (name: string) => string | undefined;
  disabled?: boolean;
}

/** The tools and steps of a target, and what stands in for each. Simulations of what it has not come last. */
export function SimulationList({ components, simulations, inherited = {}, onEdit, onRemove, faultOf, disabled }: Props) {
  const { t } = useTranslation('simulations');
  const known = components ?? [];
  const others = Object.keys(simulations).filter((name) => known.every((component) => component.name !== name));
  const rest = { onEdit, onRemove, faultOf, disabled };
  return (
    <ul className={classes.list} aria-label={t('list')}>
      {known.map((component) => (
        <Row key={component.name} name={component.name} own={simulations[component.name]} inherited={inherited[component.name]} component={component} {...rest} />
      ))}
      {others.map((name) => (
        <Row key={name} name={name} own={simulations[name]} strange={components !== null} {...rest} />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<Props, 'onEdit' | 'onRemove' | 'faultOf' | 'disabled'> {
  name: string;
  own?: Simulation;
  inherited?: Simulation;
  component?: Component;
  /** Whether the target has no such part. */
  strange?: boolean;
}

function Row({ name, own, inherited, component, strange = false, onEdit, onRemove, faultOf, disabled }: RowProps) {
  const { t } = useTranslation(['simulations', 'common']);
  const simulation = own ?? inherited;
  const fault = faultOf?.(name);
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        {component && <KindMark component={component} />}
        {strange ? <Open text={t('stranger')} /> : <State component={component} simulation={simulation} />}
        {inherited && <span className={classes.mark}>{t(own ? 'inCase.own' : 'inCase.inherited')}</span>}
      </div>
      <div className={classes.buttons}>
        {component && (
          <RoleGate role="editor">
            {(gate) => (
              <Button variant={simulation ? 'subtle' : 'default'} size="compact-sm" disabled={disabled} onClick={() => onEdit(name)} aria-label={t(own ? 'editOf' : inherited ? 'inCase.replaceOf' : 'simulateOf', { name })} {...gate}>
                {own ? t('common:edit') : t(inherited ? 'inCase.replace' : 'simulate')}
              </Button>
            )}
          </RoleGate>
        )}
        {own && (
          <RoleGate role="editor">
            {(gate) => (
              <ActionIcon variant="subtle" color="gray" disabled={disabled} aria-label={t('removeOf', { name })} onClick={() => onRemove(name)} {...gate}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </RoleGate>
        )}
      </div>
      <About component={component} strange={strange} />
      {simulation && <SimulationPreview simulation={simulation} />}
      {fault && (
        <Input.Error role="alert" className={classes.about}>
          {fault}
        </Input.Error>
      )}
    </li>
  );
}

/** What it is: a tool, a step, or a person's step; and whether it changes the world. */
function KindMark({ component }: { component: Component }) {
  const { t } = useTranslation('simulations');
  const Sign = KIND_ICONS[component.kind];
  return (
    <>
      <span className={classes.mark}>
        <Sign size={14} aria-hidden /> {t(`kind.${component.kind}`)}
      </span>
      {needOf(component) === 'effect' && (
        <span className={classes.mark}>
          <IconAlertTriangle size={14} aria-hidden /> {t('sideEffect')}
        </span>
      )}
    </>
  );
}

/** Whether something stands in for it, or must. */
function State({ component, simulation }: { component?: Component; simulation?: Simulation }): ReactNode {
  const { t } = useTranslation('simulations');
  const need = component ? needOf(component) : null;
  if (simulation) return <ProvenanceTag provenance={simulation.kind} />;
  return need ? <Open text={t(`must.${need}`)} /> : <ProvenanceTag provenance="real" />;
}

function Open({ text }: { text: string }) {
  return (
    <span className={classes.mark} data-open>
      <IconAlertTriangleFilled size={14} aria-hidden /> {text}
    </span>
  );
}

function About({ component, strange }: { component?: Component; strange: boolean }) {
  const { t } = useTranslation('simulations');
  const about = useAbout(component);
  const text = strange ? t('strangerText') : about;
  return text && <p className={classes.about}>{text}</p>;
}

/** What a component does, in the reader's language where it is a tool that everybody knows. */
export function useAbout(component: Component | undefined): string {
  const words = useKindWords();
  if (!component || component.kind !== 'tool') return component?.description ?? '';
  return words('tool', { kind: component.name, title: component.description, doc: '' }).title;
}
