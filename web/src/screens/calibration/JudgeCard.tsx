import { Anchor, Badge, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Schemas } from '~/api/client';
import { Kappa, SelfAgreement } from '~/screens/calibration/Agreement';
import { Corrected } from '~/screens/calibration/Corrected';
import { Measure } from '~/screens/calibration/Measure';
import { useKindName } from '~/screens/evaluators/kinds';
import { JsonView } from '~/ui/JsonView';

import classes from './Calibration.module.css';

/** Human passes, and human fails, from which on pass rates are corrected. */
const ENOUGH = 20;
const HASH_SHOWN = 12;

/** One judge: how often it agrees with people, with itself, and what that makes of pass rates. */
export function JudgeCard({ calibration }: { calibration: Schemas['Calibration'] }) {
  const { t } = useTranslation('calibration');
  const id = useId();
  const nameOf = useKindName();
  const { judge, sensitivity, specificity, labelled, left_out } = calibration;
  return (
    <Paper p="lg" component="section" aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {judge.evaluator}
        </Title>
        {judge.kind !== judge.evaluator && <Badge color="gray">{nameOf(judge.kind)}</Badge>}
        <Text size="sm" c="dimmed">
          {[judge.model.model, t('samples', { count: judge.samples }), t('hash', { hash: judge.hash.slice(0, HASH_SHOWN) })].join(' · ')}
        </Text>
      </div>
      <Spec judge={judge} />
      <div className={classes.measures}>
        {labelled > 0 && (
          <>
            <Measure name={t('tpr.name')} text={t('tpr.text', { count: sensitivity.total, right: sensitivity.count })} measure={sensitivity} />
            <Measure name={t('tnr.name')} text={t('tnr.text', { count: specificity.total, right: specificity.count })} measure={specificity} />
            <Counts calibration={calibration} />
            <Kappa calibration={calibration} />
          </>
        )}
        {(labelled > 0 || calibration.resampled > 0) && <SelfAgreement calibration={calibration} />}
      </div>
      <Missing calibration={calibration} />
      <Text size="sm" c="dimmed" mt="xs">
        {labelled > 0 ? t('labelled', { count: labelled }) : t('unlabelled')} {left_out > 0 && t('leftOut', { count: left_out })}
      </Text>
      <Corrected corrected={calibration.corrected} />
    </Paper>
  );
}

/** What the judge goes by. */
function Spec({ judge: { spec } }: { judge: Schemas['JudgeIdentity'] }) {
  const { t } = useTranslation('calibration');
  const { kind: _, ...rest } = spec;
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  if (Object.keys(fields).length === 0) return null;
  return (
    <details className={classes.spec}>
      <summary>{t('spec')}</summary>
      <JsonView value={fields} label={t('spec')} maxHeight={240} />
    </details>
  );
}

/** Who said what, as a table: rows are people, columns the judge. */
function Counts({ calibration: { true_passes, false_passes, false_fails, true_fails } }: { calibration: Schemas['Calibration'] }) {
  const { t } = useTranslation('calibration');
  return (
    <table className={classes.counts}>
      <caption>{t('counts.title')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('counts.judgePass')}</th>
          <th scope="col">{t('counts.judgeFail')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('counts.peoplePass')}</th>
          <td data-agree>{true_passes}</td>
          <td>{false_fails}</td>
        </tr>
        <tr>
          <th scope="row">{t('counts.peopleFail')}</th>
          <td>{false_passes}</td>
          <td data-agree>{true_fails}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** How many labels are wanting until pass rates can be corrected. */
function Missing({ calibration: { sensitivity, specificity, corrected } }: { calibration: Schemas['Calibration'] }) {
  const { t } = useTranslation('calibration');
  const [passes, fails] = [Math.max(0, ENOUGH - sensitivity.total), Math.max(0, ENOUGH - specificity.total)];
  if (passes === 0 && fails === 0) return null;
  const run = corrected[0]?.run_id;
  const words = [passes > 0 && t('missing.passes', { count: passes }), fails > 0 && t('missing.fails', { count: fails })].filter(Boolean).join(t('missing.and'));
  return (
    <Text size="sm" mt="md">
      {t('missing.text', { words })}{' '}
      {run && (
        <Anchor component={Link} to={`/runs/${run}/labelling`} inherit underline="always">
          {t('missing.label')}
        </Anchor>
      )}
    </Text>
  );
}
