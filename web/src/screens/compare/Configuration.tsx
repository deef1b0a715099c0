import { Paper, Text, Title } from '@mantine/core';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';

import classes from './Compare.module.css';

const WORDS: Record<string, ParseKeys<'compare'>> = {
  dataset: 'configuration.differs.dataset',
  target: 'configuration.differs.target',
  evaluators: 'configuration.differs.evaluators',
  'evaluator versions': 'configuration.differs.evaluatorVersions',
  judge: 'configuration.differs.judge',
  'judge address': 'configuration.differs.judgeAddress',
  'judge settings': 'configuration.differs.judgeSettings',
  'judge samples': 'configuration.differs.judgeSamples',
  'judge prompts': 'configuration.differs.judgePrompts',
  trials: 'configuration.differs.trials',
};
const TARGET_FIELD = 'target ';

/** What differs in how the two runs were made; it stands before the cases, since it may explain them. */
export function Configuration({ differences }: { differences: Schemas['ConfigurationDifference'][] }) {
  const { t } = useTranslation('compare');
  const name = (what: string) => {
    const known = WORDS[what];
    if (known) return t(known);
    return what.startsWith(TARGET_FIELD) ? t('configuration.differs.targetField', { field: what.slice(TARGET_FIELD.length).replaceAll('_', ' ') }) : what;
  };
  return (
    <section aria-label={t('configuration.title')}>
      <Title order={2} mb="xs">
        {t('configuration.title')}
      </Title>
      {differences.length === 0 ? (
        <Text c="dimmed">{t('configuration.same')}</Text>
      ) : (
        <Paper className={classes.frame}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('configuration.what')}</th>
                <th scope="col">{t('a')}</th>
                <th scope="col">{t('b')}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ what, a, b }) => (
                <tr key={what}>
                  <th scope="row">{name(what)}</th>
                  <td>{a}</td>
                  <td>{b}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Paper>
      )}
    </section>
  );
}
