import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useFieldNames } from '~/screens/agents/definition/fieldNames';
import type { FieldChange } from '~/screens/agents/versions/definitionChanges';
import type { Json } from '~/ui/schema-form/schema';

import classes from './CompareVersions.module.css';

const FIRST = 20;
/** Characters of a long text that may be the same before what differs. */
const LEAD = 60;

interface Props {
  /** The kind of the target, whose words the fields have. */
  kind: string;
  changes: FieldChange[];
  titles: readonly [string, string];
  /** What a field is called, where it is not one of a target. */
  labelOf?: (name: string) => string;
}

/** Which fields differ, each with its value on both sides as far as it is short. */
export function ChangedFields({ kind, changes, titles, labelOf }: Props) {
  const { t } = useTranslation('agents');
  const nameOf = usePathName(kind, labelOf);
  const [most, setMost] = useState(FIRST);
  return (
    <>
      <table className={classes.changes} aria-label={t('diff.fields')}>
        <thead>
          <tr>
            <th scope="col">{t('diff.field')}</th>
            <th scope="col">{titles[0]}</th>
            <th scope="col">{titles[1]}</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, most).map((change) => (
            <tr key={`${change.what} ${change.path.join('\n')}`}>
              <th scope="row">
                {nameOf(change.path)}
                <span className={classes.what} data-what={change.what}>
                  {t(`diff.what.${change.what}`)}
                </span>
              </th>
              <td data-side={titles[0]}>
                <Short value={change.before} other={change.after} />
              </td>
              <td data-side={titles[1]}>
                <Short value={change.after} other={change.before} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > most && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setMost(Infinity)}>
          {t('diff.more', { count: changes.length - most })}
        </Button>
      )}
    </>
  );
}

function Short({ value, other }: { value: Json | undefined; other: Json | undefined }) {
  const { t } = useTranslation('agents');
  if (value === undefined) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {t('diff.notSet')}
      </Text>
    );
  }
  return <span className={classes.value}>{fromChange(textOf(value), other === undefined ? '' : textOf(other))}</span>;
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value.join(', ') : JSON.stringify(value);
}

/** A long text from a little before the first place where it differs. */
function fromChange(text: string, other: string): string {
  const length = Math.min(text.length, other.length);
  let same = 0;
  while (same < length && text[same] === other[same]) same += 1;
  return same > LEAD ? `…${text.slice(same - LEAD / 2)}` : text;
}

/** "Instructions", "Limits › Steps", "Steps › classify › prompt": an entry of a named list keeps its name. */
function usePathName(kind: string, given?: (name: string) => string): (path: string[]) => string {
  const own = useFieldNames(kind);
  const labelOf = given ?? own;
  return ([first = '', ...rest]) => {
    const named = kind === 'workflow' ? rest : rest.map((_, index) => labelOf([first, ...rest.slice(0, index + 1)].join('.')));
    return [labelOf(first), ...named].join(' › ');
  };
}
