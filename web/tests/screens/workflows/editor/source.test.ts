import { expect, test } from 'vitest';

import { readSource, sourceOf } from '~/screens/workflows/editor/source';
import type { JsonObject } from '~/ui/schema-form/schema';
import { TEMPLATE_NAMES, TEMPLATES, templateText } from '~/screens/workflows/templates/templates';

const TEXT = `# A comment
kind: workflow
steps:
  - name: fetch
    kind: http
    url: "https://example.org"
  - name: each
    kind: map
    items: "{{ steps.fetch }}"
    steps:
      - name: reply
        kind: prompt
        prompt: |
          One
          Two
output: "{{ steps.each }}"
`;

test('a step is found by its lines, also within a map', () => {
  const source = readSource(TEXT);
  expect(source?.linesOf('fetch')).toEqual({ from: 4, to: 6 });
  expect(source?.linesOf('each.reply')).toEqual({ from: 11, to: 15 });
  expect(source?.linesOf('nobody')).toBeNull();
});

test('a pointer leads to its line, or to what is nearest, and to its step', () => {
  const source = readSource(TEXT);
  expect(source?.lineOf('/steps/1/items')).toBe(9);
  expect(source?.lineOf('/steps/1/steps/0/prompt')).toBe(13);
  expect(source?.lineOf('/steps/0/method')).toBe(4);
  expect(source?.stepAt('/steps/1/steps/0/prompt')).toBe('each.reply');
  expect(source?.stepAt('/steps/1/items')).toBe('each');
  expect(source?.stepAt('/output')).toBeNull();
});

test('JSON is read as well; what is neither is nothing', () => {
  const source = readSource('{"steps": [\n{"name": "a", "kind": "tool"}]}');
  expect(source?.steps.map(({ id }) => id)).toEqual(['a']);
  expect(source?.linesOf('a')).toEqual({ from: 2, to: 2 });
  for (const text of ['steps: [', 'a: b: c', '\t- x\n  y: ']) expect(readSource(text)).toBeNull();
  expect(readSource('')?.steps).toEqual([]);
});

test('a text that only unfolds is not unfolded', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`)].join('\n');
  expect(readSource(bomb)).toBeNull();
});

test('a definition becomes a text that reads the same, names first and long texts in blocks', () => {
  const definition: JsonObject & { steps: JsonObject[] } = { steps: [{ prompt: 'One\nTwo\n', kind: 'prompt', name: 'a', model: 'openai:x' }, { name: 'b', kind: 'tool' }], kind: 'workflow' };
  const text = sourceOf(definition);
  expect(text).toBe('kind: workflow\nsteps:\n  - name: a\n    kind: prompt\n    prompt: |\n      One\n      Two\n    model: openai:x\n\n  - name: b\n    kind: tool\n');
  expect(readSource(text)?.steps[0]?.fields).toEqual(definition.steps[0]);
});

test('every template is a workflow, on the model that the server has', () => {
  for (const name of TEMPLATE_NAMES) {
    expect(readSource(TEMPLATES[name])?.steps.length).toBeGreaterThan(0);
    const text = templateText(name, { model: 'openai:echo', base_url: 'http://127.0.0.1:1/v1' });
    expect(text).not.toContain('gpt-4o-mini');
    const prompts = readSource(text)?.steps.flatMap(({ inner, ...step }) => [step, ...inner]).filter(({ kind }) => kind === 'prompt');
    for (const { fields } of prompts ?? []) expect(fields).toMatchObject({ model: 'openai:echo', base_url: 'http://127.0.0.1:1/v1' });
  }
});
