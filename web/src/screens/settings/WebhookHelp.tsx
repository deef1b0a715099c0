import { Code, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

const HEADER = 'X-Aloi-Signature';
/** As in docs/how-to/schedules.md. */
const CHECK = `import hashlib
import hmac
import time


def is_ours(secret: str, header: str, body: bytes) -> bool:
    parts = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(secret.encode(), parts["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    fresh = abs(time.time() - int(parts["t"])) < 300
    return fresh and hmac.compare_digest(expected, parts["v1"])`;

/** How a receiver knows that a notice is ours. */
export function WebhookHelp() {
  const { t } = useTranslation('notices');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="xs">
        {t('webhook.check')}
      </Title>
      <Text mb="sm">{t('webhook.checkText', { header: HEADER })}</Text>
      <Code block tabIndex={0} role="region" aria-label={t('webhook.checkCode')} lang="en">
        {CHECK}
      </Code>
    </section>
  );
}
