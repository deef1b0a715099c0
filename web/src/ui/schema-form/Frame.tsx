import { Input } from '@mantine/core';
import type { ReactNode } from 'react';

import { Help } from '~/ui/Help';
import { type Named, useFault, useWords } from '~/ui/schema-form/context';

import classes from './Frame.module.css';

interface Props extends Named {
  children: ReactNode;
  /** Beside the name, such as a button. */
  aside?: ReactNode;
}

/** The frame of a field that has parts: a named group with help and fault. */
export function Frame({ children, aside, ...rest }: Props) {
  const { label, help } = useWords(rest);
  const fault = useFault(rest.path, true);
  return (
    <fieldset className={classes.frame}>
      <legend className={classes.legend}>
        {label}
        {rest.field.required && rest.label === undefined && (
          <span className={classes.needed} aria-hidden>
            {' *'}
          </span>
        )}
      </legend>
      {help && (
        <Input.Description>
          <Help text={help} />
        </Input.Description>
      )}
      {fault && (
        <Input.Error role="alert" mt={4}>
          {fault}
        </Input.Error>
      )}
      <div className={classes.parts}>{children}</div>
      {aside}
    </fieldset>
  );
}
