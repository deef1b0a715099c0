import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';

/** A sum of US dollars. */
export function Money({ dollars }: { dollars: number | null | undefined }) {
  return <span>{useFormat().money(dollars)}</span>;
}

interface TokensProps {
  input: number | null | undefined;
  output: number | null | undefined;
}

/** Input and output tokens together; each by itself on hover. */
export function Tokens({ input, output }: TokensProps) {
  const { t } = useTranslation('ui');
  const format = useFormat();
  const known = input !== null && input !== undefined && output !== null && output !== undefined;
  const parts = t('tokens', { input: format.number(input), output: format.number(output) });
  return <span title={parts}>{format.number(known ? input + output : null)}</span>;
}

/** A length of time, in seconds. */
export function Duration({ seconds }: { seconds: number | null | undefined }) {
  return <span>{useFormat().duration(seconds)}</span>;
}

/** A moment, in the reader's time zone; in full on hover. */
export function DateTime({ time }: { time: string | null | undefined }) {
  const format = useFormat();
  if (!time) return <span>{format.dateTime(null)}</span>;
  return (
    <time dateTime={time} title={time}>
      {format.dateTime(time)}
    </time>
  );
}

/** An address; where it must break, it does so before its "@" or a dot. */
export function EmailText({ email }: { email: string }) {
  return email.split(/(?=[@.])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
