import { Group, Loader, Text } from '@mantine/core';

/** That something is on its way, in words. */
export function Loading({ label }: { label: string }) {
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" />
      <Text size="sm">{label}</Text>
    </Group>
  );
}
