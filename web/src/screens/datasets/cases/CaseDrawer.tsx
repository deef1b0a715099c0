import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { titleOf } from '~/screens/datasets/cases/caseDraft';
import { CaseForm } from '~/screens/datasets/cases/CaseForm';
import { useCase } from '~/screens/datasets/cases/caseQueries';
import type { Dataset } from '~/screens/datasets/datasets';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './CaseDrawer.module.css';

const NEW = 'new';

/** Where the form of a case stands in the address: `?case=ID`, or `?case=new`. */
export function useCaseAddress() {
  const [address, setAddress] = useSearchParams();
  const set = (id: string | null) =>
    setAddress(
      (old) => {
        const next = new URLSearchParams(old);
        if (id) next.set('case', id);
        else next.delete('case');
        return next;
      },
      { preventScrollReset: true },
    );
  const linkTo = (id: string) => {
    const next = new URLSearchParams(address);
    next.set('case', id);
    return `?${next.toString()}`;
  };
  return { id: address.get('case'), linkTo, add: () => set(NEW), close: () => set(null) };
}

/** The form of the case that the address names, beside the list. */
export function CaseDrawer({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation(['datasets', 'common']);
  const { id, add, close } = useCaseAddress();
  const [round, setRound] = useState(0);
  const another = () => {
    setRound(round + 1);
    add();
  };
  // Not by Mantine, which would close this together with a dialog that stands above it.
  const closeByEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && id !== null && isOnTop(event.target)) close();
  };
  useWindowEvent('keydown', closeByEscape, { capture: true });
  return (
    <Drawer.Root opened={id !== null} onClose={close} position="right" size={720} closeOnEscape={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.content}>
          {id === NEW && (
            <>
              <Head title={t('case.new')} />
              <Drawer.Body className={classes.body}>
                <CaseForm key={`new-${round}`} dataset={dataset} onClose={close} onAnother={another} />
              </Drawer.Body>
            </>
          )}
          {id !== null && id !== NEW && <Stored key={id} id={id} dataset={dataset} onClose={close} onAnother={another} />}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Whether a key is meant for the drawer, and not for a dialog or a list that opened above it. */
function isOnTop(target: EventTarget | null): boolean {
  const above = document.querySelectorAll('[role="dialog"][aria-modal="true"]').length > 1;
  const inList = target instanceof Element && (target.getAttribute('data-mantine-stop-propagation') === 'true' || target.closest('[role="menu"], [role="listbox"]') !== null);
  return !above && !inList;
}

interface StoredProps {
  id: string;
  dataset: Dataset;
  onClose: () => void;
  onAnother: () => void;
}

function Stored({ id, dataset, onClose, onAnother }: StoredProps) {
  const { t } = useTranslation('datasets');
  const found = useCase(dataset.id, id);
  return (
    <>
      <Head title={found.data ? titleOf(found.data.value) : t('case.title')} />
      <Drawer.Body className={classes.body}>
        {found.error && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
        {found.isPending && (
          <Stack>
            <Skeleton height={120} />
            <Skeleton height={180} />
          </Stack>
        )}
        {found.data && <CaseForm key={found.data.etag} dataset={dataset} stored={found.data} onClose={onClose} onAnother={onAnother} onReload={() => void found.refetch()} />}
      </Drawer.Body>
    </>
  );
}

function Head({ title }: { title: string }) {
  const { t } = useTranslation('common');
  return (
    <Drawer.Header>
      <Drawer.Title className={classes.title}>{title}</Drawer.Title>
      <Drawer.CloseButton aria-label={t('close')} />
    </Drawer.Header>
  );
}
