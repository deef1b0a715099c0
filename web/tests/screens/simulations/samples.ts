import type { Component } from '~/screens/simulations/simulations';

export const component = (name: string, more: Partial<Component> = {}): Component => ({ name, description: '', kind: 'tool', input_schema: null, output_schema: null, side_effect: false, example: null, ...more });

export const APPROVE = component('approve', {
  kind: 'human',
  side_effect: true,
  output_schema: { type: 'object', properties: { approved: { type: 'boolean' }, note: { type: 'string' } }, required: ['approved'] },
  example: { approved: true, note: 'text' },
});
export const REFUND = component('refund', { kind: 'step', description: 'Pays back.', side_effect: true });
export const SUM = component('sum', { output_schema: { type: 'number' }, example: 0 });
