import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type GrantedTarget, type Member, setGrants, useGrants, useMemberChange } from '~/screens/settings/members';
import { SeenTargets } from '~/screens/settings/SeenTargets';
import { ErrorPanel } from '~/ui/ErrorPanel';

interface Props {
  member: Member;
  opened: boolean;
  onClose: () => void;
}

/** Which targets a member sees: all of them, or some that are chosen here. */
export function GrantsDialog({ member, opened, onClose }: Props) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Modal opened={opened} onClose={onClose} title={t('grants.title', { email: member.email })} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Present member={member} onClose={onClose} />
    </Modal>
  );
}

/** The form, once it is known what the member has now. */
function Present({ member, onClose }: Omit<Props, 'opened'>) {
  const grants = useGrants(member.id);
  if (grants.error) return <ErrorPanel error={grants.error} onRetry={() => void grants.refetch()} />;
  if (!grants.data || grants.isFetching) return <Skeleton height={180} />;
  return <Form member={member} present={grants.data.targets} onClose={onClose} />;
}

interface FormProps {
  member: Member;
  present: readonly GrantedTarget[] | null;
  onClose: () => void;
}

function Form({ member, present, onClose }: FormProps) {
  const { t } = useTranslation(['settings', 'common']);
  const [ids, setIds] = useState<readonly string[] | null>(present?.map(({ id }) => id) ?? null);
  const save = useMemberChange(setGrants, ({ targets }) => {
    const said = targets === null ? t('grants.doneAll', { email: member.email }) : t('grants.done', { email: member.email, count: targets.length });
    notifications.show({ message: said });
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ id: member.id, targets: ids && [...ids] });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SeenTargets ids={ids} onChange={setIds} />
        {save.error && <ErrorPanel error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
