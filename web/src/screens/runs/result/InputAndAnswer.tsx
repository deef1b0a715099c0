import { Box, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { ShownFiles } from '~/screens/attachments/ShownFiles';
import { Section } from '~/screens/runs/result/Section';
import { JsonView } from '~/ui/JsonView';
import { TextDiff } from '~/ui/TextDiff';

import classes from './CaseResult.module.css';

interface Props {
  asked: Schemas['Case-Output'];
  result: Pick<Schemas['CaseResult'], 'outcome'>;
}

/** What was asked; then what was expected beside what came, with the differences marked where both are values. */
export function InputAndAnswer({ asked, result }: Props) {
  const { t } = useTranslation('runs');
  const { output } = result.outcome;
  const comparable = asked.expected_output !== null && output !== null;
  const worded = asked.expected_behavior !== null || asked.assertions.length > 0;
  return (
    <>
      <Section title={t('result.input')}>
        <JsonView value={asked.input} label={t('row.prompt')} />
        {asked.attachments.length > 0 && (
          <Box mt="sm">
            <ShownFiles files={asked.attachments} />
          </Box>
        )}
      </Section>
      <Section title={t('result.comparison')}>
        {comparable && <TextDiff expected={asked.expected_output} actual={output} />}
        {(worded || !comparable) && (
          <div className={classes.sides} data-below={comparable || undefined}>
            <Expected asked={asked} withOutput={!comparable} title={comparable ? t('result.expectedBehavior') : t('result.expected')} />
            {!comparable && <Actual output={output} />}
          </div>
        )}
      </Section>
    </>
  );
}

function Expected({ asked, withOutput, title }: { asked: Props['asked']; withOutput: boolean; title: string }) {
  const { t } = useTranslation('runs');
  const { expected_behavior, expected_output, assertions } = asked;
  const nothing = expected_behavior === null && assertions.length === 0 && expected_output === null;
  return (
    <section className={classes.side} aria-label={title}>
      <h3 className={classes.sideTitle}>{title}</h3>
      {nothing && <Text c="dimmed">{t('result.nothingExpected')}</Text>}
      {withOutput && expected_output !== null && <JsonView value={expected_output} label={t('result.expectedOutput')} />}
      {expected_behavior !== null && <p className={classes.prose}>{expected_behavior}</p>}
      {assertions.length > 0 && (
        <ol className={classes.assertions} aria-label={t('result.assertions')}>
          {assertions.map((assertion, index) => (
            <li key={index}>{assertion}</li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Actual({ output }: { output: unknown }) {
  const { t } = useTranslation('runs');
  return (
    <section className={classes.side} aria-label={t('result.actual')}>
      <h3 className={classes.sideTitle}>{t('result.actual')}</h3>
      {output === null ? <Text c="dimmed">{t('row.noAnswer')}</Text> : <JsonView value={output} label={t('result.actual')} />}
    </section>
  );
}
