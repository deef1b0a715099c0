import { Badge, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';

import classes from './Folded.module.css';

interface Props {
  title: string;
  /** The fields within. */
  fields: readonly string[];
  form: SchemaFormState;
  children: ReactNode;
}

/** A part of a form that is folded until somebody wants it, or something in it is wrong. It says whether any of it is set. */
export function Folded({ title, fields, form, children }: Props) {
  const { t } = useTranslation('agents');
  const id = useId();
  const [asked, setAsked] = useState(false);
  const inside = (pointer: string) => fields.some((name) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
  const wrong = [form.faults, form.told, form.unreadable].some((faults) => [...faults.keys()].some(inside));
  const open = asked || wrong;
  const set = fields.some((name) => form.value[name] !== undefined);
  return (
    <div className={classes.part}>
      <UnstyledButton className={classes.head} onClick={() => setAsked(!open)} aria-expanded={open} aria-controls={id}>
        <IconChevronRight size={16} aria-hidden className={classes.mark} />
        {title}
        {set && (
          <Badge color="gray" className={classes.set}>
            {t('agent.set')}
          </Badge>
        )}
      </UnstyledButton>
      <div id={id} className={classes.body} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}
