import { queryOptions } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { Json } from '~/ui/schema-form/schema';

// What is read is what is written, though the description of the API says less of it.
export type Simulation = Schemas['StaticSimulation-Input'] | Schemas['GeneratedSimulation'];
/** By the name of the tool or step that they stand in for. */
export type Simulations = Record<string, Simulation>;
export type StaticAnswer = Schemas['StaticAnswer-Input'];
export type Condition = Schemas['Condition-Input'];
/** A part of a target that can be simulated. `example`: a value that fits its output schema. */
export type Component = Omit<Schemas['ShownComponent'], 'example'> & { example: Json };

type Components = Omit<Schemas['Components'], 'tools'> & { tools: Component[] };

/** The tools and steps of a version of a target, the active one for null; what a run leaves out, and whether it takes files. */
export const componentsQuery = (targetId: string, version: number | null = null) =>
  queryOptions({
    queryKey: [...keys.target(targetId), 'components', ...(version === null ? [] : [version])],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/components', { params: { path: { target_id: targetId }, query: { version } }, signal })) as Promise<Components>,
  });

/** Why a component must be simulated: `person` always, `effect` unless the evaluation allows side effects. */
export type Need = 'person' | 'effect' | null;

export function needOf({ kind, side_effect }: Pick<Component, 'kind' | 'side_effect'>): Need {
  if (kind === 'human') return 'person';
  return side_effect ? 'effect' : null;
}

/** The components that must be simulated and are not, by why. */
export function missing(components: readonly Component[], simulations: Readonly<Simulations>): Record<'person' | 'effect', string[]> {
  const open = components.filter(({ name }) => !(name in simulations));
  const names = (need: Need) => open.filter((component) => needOf(component) === need).map(({ name }) => name);
  return { person: names('person'), effect: names('effect') };
}

export function without(simulations: Readonly<Simulations>, name: string): Simulations {
  return Object.fromEntries(Object.entries(simulations).filter(([key]) => key !== name));
}

/** Where what stands in for a target's tools and steps in a dataset is edited. */
export function simulationsAddress(datasetId: string, targetId: string | null): string {
  return `/datasets/${datasetId}/simulations${targetId === null ? '' : `?${new URLSearchParams({ target: targetId }).toString()}`}`;
}
