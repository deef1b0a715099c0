import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED = 'aloi.language';

const catalogues: Record<Language, () => Promise<{ messages: Resource[string] }>> = {
  en: () => import('~/i18n/en'),
  fr: () => import('~/i18n/fr'),
};

/** Starts the messages in the reader's language. Each language is a file of its own, fetched when it is wanted. */
export async function startI18n(language: Language = preferredLanguage()): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'common',
    resources: { [language]: await load(language) },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
}

/** Changes the language, now and for the next visit. */
export async function changeLanguage(language: Language): Promise<void> {
  for (const [area, messages] of Object.entries(await load(language))) {
    i18next.addResourceBundle(language, area, messages, true, true);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  window.localStorage.setItem(STORED, language);
}

/** The language chosen before, else the browser's, else English. */
function preferredLanguage(): Language {
  const wanted = [window.localStorage.getItem(STORED), ...navigator.languages].map((name) => name?.slice(0, 2));
  return LANGUAGES.find((language) => language === wanted.find((name) => LANGUAGES.some((known) => known === name))) ?? 'en';
}

async function load(language: Language): Promise<Resource[string]> {
  const { messages } = await catalogues[language]();
  return withManyForms(messages) as Resource[string];
}

/** French has a third plural, for millions. It reads as the second one does here, so it is not written twice. */
function withManyForms(messages: object): object {
  const entries = Object.entries(messages as Record<string, unknown>).flatMap(([key, value]) => {
    const complete = typeof value === 'object' && value !== null ? withManyForms(value) : value;
    return key.endsWith('_other') ? [[key, complete], [key.replace(/_other$/, '_many'), complete]] : [[key, complete]];
  });
  return Object.fromEntries(entries) as object;
}
