import { Alert, Paper } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';

import guide from '../../../../docs/how-to/cases.md?raw';

import { Markdown } from '~/ui/Markdown';
import { PageHeader } from '~/ui/PageHeader';

/** The first line of the guide is its title, which the page's head shows. */
const [, title = '', text = ''] = /^#\s+(.+)\n([\s\S]*)$/.exec(guide) ?? [];

/** How to write good cases and read their results: `docs/how-to/cases.md`, as it was when the pages were built. */
export default function CasesGuide() {
  const { t, i18n } = useTranslation('help');
  const { hash } = useLocation();
  // The browser looked for the part before this page was there.
  useEffect(() => {
    void document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <>
      <PageHeader title={t('cases.title')} />
      {i18n.language !== 'en' && <Alert mb="md">{t('cases.inEnglish')}</Alert>}
      <Paper p={{ base: 'md', sm: 'xl' }} maw={820} component="article" lang="en" aria-label={title}>
        <Markdown text={text} />
      </Paper>
    </>
  );
}
