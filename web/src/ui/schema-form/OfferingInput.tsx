import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';

/** A line of text; where some texts are known, they are offered, though any other may be typed. */
export function OfferingInput({ offered, ...props }: TextInputProps & { offered: readonly string[] }) {
  const id = useId();
  if (offered.length === 0) return <TextInput {...props} autoComplete="off" />;
  return (
    <>
      <TextInput {...props} autoComplete="off" list={id} />
      <datalist id={id}>
        {offered.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
}
