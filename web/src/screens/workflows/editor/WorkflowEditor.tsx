import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Checked } from '~/screens/workflows/editor/check';
import type { CodeEditorHandle } from '~/screens/workflows/editor/codeEditorProps';
import { FaultList } from '~/screens/workflows/editor/FaultList';
import { WorkflowGraph } from '~/screens/workflows/graph/WorkflowGraph';

import classes from './WorkflowEditor.module.css';

const CodeEditor = lazy(() => import('~/screens/workflows/editor/CodeEditor'));

interface Props {
  text: string;
  onChange: (text: string) => void;
  checked: Checked;
}

/** The text of a workflow, which is what is saved, beside a picture of its steps. A step of the picture leads to its lines. */
export function WorkflowEditor({ text, onChange, checked }: Props) {
  const { t } = useTranslation('workflows');
  const help = useId();
  const editor = useRef<CodeEditorHandle>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { source, faults } = checked;
  const counts = useMemo(() => countsOf(faults.map(({ step }) => step)), [faults]);
  const goTo = (id: string) => {
    const lines = source?.linesOf(id);
    setChosen(id);
    if (lines) editor.current?.goTo(lines.from, lines.to);
  };
  return (
    <div className={classes.parts}>
      <div className={classes.writing}>
        <Text size="sm" c="dimmed" id={help}>
          {t('editor.help')}
        </Text>
        <div className={classes.text} data-workflow-text>
          <Suspense fallback={<Skeleton height="100%" radius={0} />}>
            <CodeEditor ref={editor} value={text} onChange={onChange} faults={faults} label={t('editor.label')} describedBy={help} />
          </Suspense>
        </div>
        <FaultList checked={checked} onGoTo={(line) => editor.current?.goTo(line)} />
      </div>
      <div className={classes.picture}>
        <WorkflowGraph steps={source?.steps ?? []} faults={counts} selected={chosen} onSelect={goTo} hint={t('editor.goTo')} />
      </div>
    </div>
  );
}

function countsOf(ids: (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
