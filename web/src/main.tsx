import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '~/app/global.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Providers } from '~/app/Providers';
import { startI18n } from '~/i18n';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');

await startI18n();
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
