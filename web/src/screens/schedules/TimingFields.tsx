import { Button, Group, Input, NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useRecurrenceWords } from '~/screens/schedules/recurrenceWords';
import { type ScheduleDraft, type ScheduleField, type Unit, UNITS } from '~/screens/schedules/scheduleDraft';
import { ZoneSelect } from '~/screens/schedules/ZoneSelect';
import { readersZone } from '~/screens/schedules/zones';

import classes from './ScheduleDialog.module.css';

interface Props {
  draft: ScheduleDraft;
  onChange: (changes: Partial<ScheduleDraft>) => void;
  errors: Partial<Record<ScheduleField, string>>;
}

/** Common ones, to begin from. */
const PRESETS = ['0 7 * * 1-5', '0 3 * * *', '0 8 * * 1', '0 9-17 * * 1-5', '0 0 1 * *'];
const EXAMPLE = '0 7 * * 1-5';

/** How often, from when to when, and in which zone. */
export function TimingFields(props: Props) {
  const { t } = useTranslation(['schedules', 'common']);
  const { draft, onChange, errors } = props;
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('form.kind')}
        data={(['every', 'cron'] as const).map((value) => ({ value, label: t(`form.${value}`) }))}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as ScheduleDraft['kind'] })}
      />
      {draft.kind === 'every' ? <EveryFields {...props} /> : <CronField {...props} />}
      <ZoneSelect label={t('form.zone')} description={t('form.zoneHelp', { zone: readersZone() })} required value={draft.zone} onChange={(zone) => onChange({ zone })} error={errors.zone} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          type="datetime-local"
          label={t('form.start')}
          description={t('form.startHelp')}
          required
          value={draft.start}
          onChange={({ currentTarget }) => onChange({ start: currentTarget.value })}
          error={errors.start}
        />
        <TextInput
          type="datetime-local"
          label={`${t('form.end')} (${t('common:optional')})`}
          description={t('form.endHelp')}
          value={draft.end}
          min={draft.start}
          onChange={({ currentTarget }) => onChange({ end: currentTarget.value })}
          error={errors.end}
        />
      </SimpleGrid>
    </Stack>
  );
}

function EveryFields({ draft, onChange, errors }: Props) {
  const { t } = useTranslation('schedules');
  const count = typeof draft.n === 'number' ? draft.n : 2;
  return (
    <Input.Wrapper label={t('form.often')} error={errors.recurrence} labelElement="div">
      <Group gap="sm" wrap="nowrap" mt={4}>
        <NumberInput aria-label={t('form.number')} min={1} allowDecimal={false} w={110} value={draft.n} onChange={(n) => onChange({ n })} error={Boolean(errors.recurrence)} />
        <Select
          aria-label={t('form.unit')}
          data={UNITS.map((value) => ({ value, label: t(`form.units.${value}`, { count }) }))}
          value={draft.unit}
          onChange={(unit) => unit && onChange({ unit: unit as Unit })}
          allowDeselect={false}
          flex={1}
        />
      </Group>
    </Input.Wrapper>
  );
}

function CronField({ draft, onChange, errors }: Props) {
  const { t } = useTranslation('schedules');
  const words = useRecurrenceWords();
  return (
    <div>
      <TextInput
        label={t('form.expression')}
        description={t('form.expressionHelp')}
        placeholder={EXAMPLE}
        required
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={draft.expression}
        onChange={({ currentTarget }) => onChange({ expression: currentTarget.value })}
        error={errors.recurrence}
      />
      <div className={classes.presets} role="group" aria-label={t('form.presets')}>
        {PRESETS.map((expression) => (
          <Button key={expression} size="compact-xs" variant="default" onClick={() => onChange({ expression })}>
            {words({ start: draft.start, end: null, zone: readersZone(), recurrence: { kind: 'cron', expression } })}
          </Button>
        ))}
      </div>
    </div>
  );
}
