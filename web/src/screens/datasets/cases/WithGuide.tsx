import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './WithGuide.module.css';

/** A field with the way to the guide beside its name. The guide opens apart, so that nothing typed is lost. */
export function WithGuide({ children }: { children: ReactNode }) {
  const { t } = useTranslation('datasets');
  return (
    <div className={classes.field}>
      <Anchor href="/help/cases#what-makes-a-good-case" target="_blank" size="sm" className={classes.link}>
        {t('case.guide')}
      </Anchor>
      {children}
    </div>
  );
}
