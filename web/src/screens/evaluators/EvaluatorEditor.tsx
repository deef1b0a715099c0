import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Tagged } from '~/api/tagged';
import type { SavedEvaluator } from '~/screens/evaluators/EvaluatorList';
import { KindChooser } from '~/screens/evaluators/KindChooser';
import type { Kind } from '~/screens/evaluators/kinds';
import { SpecEditor } from '~/screens/evaluators/SpecEditor';
import { PageHeader } from '~/ui/PageHeader';

interface Props {
  /** The one to change; none for a new one. */
  saved?: Tagged<SavedEvaluator>;
  initialKind?: Kind;
  /** Reads the saved one again. */
  reload?: () => void;
}

/** A saved evaluator's form: first its kind, then its fields with a place to try it. */
export function EvaluatorEditor({ saved, initialKind, reload }: Props) {
  const { t } = useTranslation('evaluators');
  const [kind, setKind] = useState(initialKind);
  const [asked, setAsked] = useState(!saved);
  const crumbs = [{ label: t('title'), to: '/evaluators' }];
  if (saved && !initialKind && !kind && !asked) return <Skeleton height={360} />;
  if (asked || !kind) {
    const choose = (next: Kind) => {
      setKind(next);
      setAsked(false);
    };
    return (
      <>
        <PageHeader title={saved ? saved.value.name : t('new')} crumbs={crumbs} description={t('kind.lead')} />
        <KindChooser onChoose={choose} />
      </>
    );
  }
  return <SpecEditor key={kind.kind} kind={kind} saved={saved} crumbs={crumbs} reload={reload} onOther={() => setAsked(true)} />;
}
