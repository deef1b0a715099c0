import { EvaluatorEditor } from '~/screens/evaluators/EvaluatorEditor';

/** The form of a new evaluator. */
export default function NewEvaluator() {
  return <EvaluatorEditor />;
}
