import type { messages } from '~/i18n/en';

// Message keys are checked by the compiler against the English catalogues.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof messages;
  }
}
