import { useTranslation } from 'react-i18next';

import { type ConditionDraft, conditionDraft, type TestDraft } from '~/screens/simulations/conditionDraft';
import type { Simulation } from '~/screens/simulations/simulations';

import classes from './SimulationList.module.css';

const SHOWN = 3;

/** What a simulation answers, in a few lines. */
export function SimulationPreview({ simulation }: { simulation: Simulation }) {
  const { t } = useTranslation('simulations');
  if (simulation.kind === 'generated') return <p className={`${classes.preview} ${classes.words}`}>{simulation.description}</p>;
  const { answers } = simulation;
  return (
    <ul className={classes.preview} aria-label={t('answers')}>
      {answers.slice(0, SHOWN).map(({ output, when }, index) => (
        <li key={index}>
          {when.length > 0 && <Conditions conditions={when.map(conditionDraft)} />}
          <span className={classes.output}>{JSON.stringify(output)}</span>
        </li>
      ))}
      {answers.length > SHOWN && <li className={classes.when}>{t('moreAnswers', { count: answers.length - SHOWN })}</li>}
    </ul>
  );
}

function Conditions({ conditions }: { conditions: ConditionDraft[] }) {
  const { t } = useTranslation('simulations');
  const words = ({ name, texts }: TestDraft) => (name === 'exists' ? t(texts[0] === 'false' ? 'absent' : 'test.exists') : `${t(`test.${name}`)} ${texts.join(', ')}`);
  const text = t('if', { conditions: conditions.flatMap(({ path, tests }) => tests.map((test) => `${path} ${words(test)}`)).join(t('and')) });
  return (
    <span className={classes.when} title={text}>
      {text}
    </span>
  );
}
