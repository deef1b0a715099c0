import { Alert, Autocomplete, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { modelsQuery } from '~/screens/runs/runQueries';
import { Help } from '~/ui/Help';
import { useFault, useForm } from '~/ui/schema-form/context';
import type { JsonObject } from '~/ui/schema-form/schema';

type Models = Schemas['ModelsInfo'];

/** Which model, and where and how it is reached. A default of the server brings its address along. */
export function ModelFields() {
  const { t } = useTranslation('agents');
  const { form } = useForm();
  const models = useQuery(modelsQuery());
  const text = (name: string) => (typeof form.value[name] === 'string' ? form.value[name] : '');
  const change = (changes: JsonObject) => form.setValue(Object.fromEntries(Object.entries({ ...form.value, ...changes }).filter(([, value]) => value !== '')));
  const choose = (model: string) => {
    const known = [models.data?.model, models.data?.judge].find((each) => each?.model === model);
    change({ model, ...(known?.base_url && { base_url: known.base_url }) });
  };
  const faults = { model: useFault(['model']), address: useFault(['base_url']), variable: useFault(['api_key_env']) };
  const missing = missingKey(models.data, text('model'), text('base_url'), text('api_key_env'));
  return (
    <Stack gap="sm">
      <Autocomplete
        label={t('agent.model')}
        description={<Help text={t('agent.modelHelp')} />}
        withAsterisk
        aria-required
        data={useSuggestions(models.data)}
        value={text('model')}
        onChange={choose}
        error={faults.model}
        autoComplete="off"
      />
      {missing && (
        <Alert color="orange" variant="light" icon={<IconKeyOff aria-hidden />} py="xs">
          {t('agent.noKey', { variable: missing.variable, provider: missing.provider })}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('agent.baseUrl')}
          description={t('agent.baseUrlHelp')}
          value={text('base_url')}
          onChange={({ currentTarget }) => change({ base_url: currentTarget.value.trim() })}
          error={faults.address}
          autoComplete="off"
        />
        <TextInput
          label={t('agent.keyVariable')}
          description={t('agent.keyVariableHelp')}
          value={text('api_key_env')}
          onChange={({ currentTarget }) => change({ api_key_env: currentTarget.value.trim() })}
          error={faults.variable}
          autoComplete="off"
        />
      </SimpleGrid>
    </Stack>
  );
}

/** The server's defaults, and how the names of providers begin whose key is there. */
function useSuggestions(models: Models | undefined) {
  const { t } = useTranslation('agents');
  const defaults = [...new Set([models?.model?.model, models?.judge?.model])].filter((name) => name !== undefined);
  const providers = (models?.providers ?? []).filter(({ is_set, permitted }) => is_set && permitted).map(({ provider }) => `${provider}:`);
  return [
    { group: t('agent.suggestions.default'), items: defaults },
    { group: t('agent.suggestions.providers'), items: providers },
  ].filter(({ items }) => items.length > 0);
}

/** The provider whose usual key this model would need and which is not there. */
function missingKey(models: Models | undefined, model: string, baseUrl: string, variable: string) {
  if (baseUrl || variable || !model.includes(':')) return undefined;
  return models?.providers.find(({ provider, is_set }) => !is_set && model.startsWith(`${provider}:`));
}
