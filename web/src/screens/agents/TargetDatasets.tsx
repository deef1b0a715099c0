import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { DatasetList } from '~/screens/datasets/DatasetList';
import { NewDatasetButton } from '~/screens/datasets/NewDatasetButton';

/** The datasets that were made for this target. */
export default function TargetDatasets() {
  const { id } = useThisTarget().value;
  return (
    <>
      <EvaluationViews targetId={id} action={<NewDatasetButton targetId={id} />} />
      <DatasetList targetId={id} />
    </>
  );
}
