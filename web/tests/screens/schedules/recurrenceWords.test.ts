import i18next from 'i18next';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { changeLanguage } from '~/i18n';
import { recurrenceWords } from '~/screens/schedules/recurrenceWords';
import type { Timing } from '~/screens/schedules/scheduleQueries';

const START = '2026-01-31T07:00:00Z'; // a Saturday, 08:00 in Paris

function words(language: 'en' | 'fr', recurrence: Timing['recurrence'], zone = 'Europe/Paris', reader = 'Europe/Paris'): string {
  const t = i18next.getFixedT(language, 'schedules');
  // Some versions of the language data put other spaces before AM and PM.
  return recurrenceWords({ t, language }, { start: START, end: null, zone, recurrence }, reader).replaceAll('\u202f', ' ');
}

const every = (n: number, unit: 'minutes' | 'hours' | 'days' | 'weeks' | 'months') => ({ kind: 'every' as const, n, unit });
const cron = (expression: string) => ({ kind: 'cron' as const, expression });

beforeAll(() => changeLanguage('fr'));
afterAll(() => changeLanguage('en'));

describe('every so often', () => {
  test.each([
    [every(1, 'minutes'), 'every minute', 'chaque minute'],
    [every(30, 'minutes'), 'every 30 minutes', 'toutes les 30 minutes'],
    [every(1, 'hours'), 'every hour', 'chaque heure'],
    [every(6, 'hours'), 'every 6 hours', 'toutes les 6 heures'],
    [every(1, 'days'), 'every day at 8:00 AM', 'chaque jour à 08:00'],
    [every(3, 'days'), 'every 3 days at 8:00 AM', 'tous les 3 jours à 08:00'],
    [every(1, 'weeks'), 'every week on Saturday at 8:00 AM', 'chaque semaine, le samedi à 08:00'],
    [every(2, 'weeks'), 'every 2 weeks on Saturday at 8:00 AM', 'toutes les 2 semaines, le samedi à 08:00'],
    [every(1, 'months'), 'every month on day 31 (or the month’s last) at 8:00 AM', 'chaque mois, le 31 (ou le dernier jour du mois) à 08:00'],
    [every(2, 'months'), 'every 2 months on day 31 (or the month’s last) at 8:00 AM', 'tous les 2 mois, le 31 (ou le dernier jour du mois) à 08:00'],
    [every(1000, 'minutes'), 'every 1,000 minutes', 'toutes les 1 000 minutes'],
  ])('%j', (recurrence, english, french) => {
    expect(words('en', recurrence)).toBe(english);
    expect(words('fr', recurrence)).toBe(french);
  });
});

describe('cron', () => {
  test.each([
    ['0 7 * * *', 'every day at 7:00 AM', 'chaque jour à 07:00'],
    ['0 7 * * 1-5', 'every weekday at 7:00 AM', 'du lundi au vendredi à 07:00'],
    ['0 7,19 * * *', 'every day at 7:00 AM and 7:00 PM', 'chaque jour à 07:00 et 19:00'],
    ['30 6 * * 1', 'every Monday at 6:30 AM', 'chaque lundi à 06:30'],
    ['0 8 * * 6,0', 'every Saturday and Sunday at 8:00 AM', 'chaque samedi et dimanche à 08:00'],
    ['0 8 * * 4-7', 'from Thursday to Sunday at 8:00 AM', 'du jeudi au dimanche à 08:00'],
    ['0 0 1 * *', 'on day 1 of the month at 12:00 AM', 'le 1 du mois à 00:00'],
    ['30 8 1,15 * *', 'on days 1 and 15 of the month at 8:30 AM', 'les 1 et 15 du mois à 08:30'],
    ['0 9 L * *', 'on the last day of the month at 9:00 AM', 'le dernier jour du mois à 09:00'],
    ['0 9 1 1,7 *', 'on day 1 of the month at 9:00 AM, in January and July', 'le 1 du mois à 09:00, en janvier et juillet'],
    ['* * * * *', 'every minute', 'chaque minute'],
    ['*/15 * * * *', 'every 15 minutes', 'toutes les 15 minutes'],
    ['0 * * * *', 'every hour', 'chaque heure'],
    ['5 * * * *', 'every hour at minute 5', 'chaque heure, à la minute 5'],
    ['0 */2 * * *', 'every 2 hours', 'toutes les 2 heures'],
    ['*/15 9-17 * * 1-5', 'every 15 minutes from 9:00 AM to 5:59 PM, every weekday', 'toutes les 15 minutes, de 09:00 à 17:59, du lundi au vendredi'],
    ['0 9-17 * * 1-5', 'every hour from 9:00 AM to 5:00 PM, every weekday', 'chaque heure, de 09:00 à 17:00, du lundi au vendredi'],
    ['0 7 1 * 1', 'at the times of 0 7 1 * 1', 'selon 0 7 1 * 1'],
    ['0 7 * * 1#2', 'at the times of 0 7 * * 1#2', 'selon 0 7 * * 1#2'],
  ])('%s', (expression, english, french) => {
    expect(words('en', cron(expression))).toBe(english);
    expect(words('fr', cron(expression))).toBe(french);
  });
});

test('the zone is told where it is not the reader’s, and matters', () => {
  expect(words('en', cron('0 7 * * *'), 'America/New_York')).toBe('every day at 7:00 AM (America/New_York)');
  expect(words('fr', every(1, 'days'), 'America/New_York')).toBe('chaque jour à 02:00 (America/New_York)');
  expect(words('en', every(5, 'minutes'), 'America/New_York')).toBe('every 5 minutes');
  expect(words('en', every(1, 'days'), 'Nowhere/Land')).toBe('every day at 7:00 AM (Nowhere/Land)');
});
