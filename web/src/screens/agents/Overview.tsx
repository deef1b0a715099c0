import { Anchor, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { versionAddress } from '~/screens/agents/addresses';
import { DefinitionView } from '~/screens/agents/definition/DefinitionView';
import { RatesByVersion } from '~/screens/agents/rates/RatesByVersion';
import { isRemote, type Target, useThisTarget } from '~/screens/agents/targets';
import { GatePanel } from '~/screens/gate/GatePanel';
import { RemoteOverview } from '~/screens/remote/RemoteOverview';
import { VersionList } from '~/screens/agents/VersionList';

import classes from './Overview.module.css';

/** What a target is now, how its versions did, and which there are. */
export default function Overview() {
  const { value } = useThisTarget();
  return (
    <div className={classes.parts}>
      {isRemote(value.kind) ? (
        <RemoteOverview target={value} />
      ) : (
        <>
          <Active target={value} />
          <GatePanel target={value} />
          <RatesByVersion targetId={value.id} />
        </>
      )}
      <Versions target={value} />
    </div>
  );
}

function Active({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  const id = useId();
  const version = target.active_version;
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {t('overview.active')}
        </Title>
        {version && (
          <Anchor component={Link} to={versionAddress(target.id, version.number)}>
            {t('overview.same', { number: version.number })}
          </Anchor>
        )}
        {version?.note && (
          <Text size="sm" c="dimmed">
            {version.note}
          </Text>
        )}
      </div>
      <Paper p="lg">{version ? <DefinitionView kind={version.kind} definition={version.definition} /> : <Text>{t('overview.none')}</Text>}</Paper>
    </section>
  );
}

function Versions({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  return (
    <div>
      <Title order={2} mb="sm">
        {t('overview.versions')}
      </Title>
      <VersionList target={target} />
    </div>
  );
}
