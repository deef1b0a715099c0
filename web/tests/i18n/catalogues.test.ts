import { readdirSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { messages as en } from '~/i18n/en';
import { messages as fr } from '~/i18n/fr';

type Texts = Record<string, string>;

/** "list.title" -> the text. */
function flat(value: object, prefix = ''): Texts {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]: [string, unknown]) =>
      typeof part === 'object' && part !== null ? Object.entries(flat(part, `${prefix}${key}.`)) : [[`${prefix}${key}`, String(part)]],
    ),
  );
}

const variables = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort();

/** The words of kinds come from the server in English, so only French has a file of them. */
const FRENCH_ONLY = ['kinds'];

describe.each(Object.keys(en) as (keyof typeof en)[])('%s', (area) => {
  const [english, french] = [flat(en[area]), flat(fr[area])];

  test('both languages say the same things', () => {
    expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort());
  });

  test('nothing is empty', () => {
    expect(Object.entries({ ...english, ...french }).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('both take the same values', () => {
    for (const [key, text] of Object.entries(english)) expect([key, variables(french[key] ?? '')]).toEqual([key, variables(text)]);
  });

  test('French marks stand behind no-break spaces', () => {
    expect(Object.entries(french).filter(([, text]) => / [:;?!%»]|« /.test(text))).toEqual([]);
  });
});

test('every file is named', () => {
  const files = (language: string) => readdirSync(`src/i18n/${language}`).filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', '')).sort();
  expect(files('en')).toEqual(Object.keys(en).sort());
  expect(files('fr').filter((area) => !FRENCH_ONLY.includes(area))).toEqual(files('en'));
});
