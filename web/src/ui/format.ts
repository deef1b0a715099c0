import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

type Maybe<T> = T | null | undefined;

export interface Format {
  number: (value: Maybe<number>) => string;
  /** A share of 0..1 in whole percents. */
  percent: (share: Maybe<number>) => string;
  /** A score of 0..1 with two decimals at most. */
  score: (value: Maybe<number>) => string;
  /** US dollars; small sums keep two figures. */
  money: (dollars: Maybe<number>) => string;
  /** Seconds: "320 ms", "2.4 s", "3 min 5 s". */
  duration: (seconds: Maybe<number>) => string;
  /** An RFC 3339 time in the reader's time zone. */
  dateTime: (time: Maybe<string>) => string;
  date: (time: Maybe<string>) => string;
}

/** Values in the reader's language. What is not known reads "unknown", never 0. */
export function useFormat(): Format {
  const { t, i18n } = useTranslation('common');
  const unknown = t('unknown');
  return useMemo(() => makeFormat(i18n.language, unknown), [i18n.language, unknown]);
}

/** `unknown`: the word for what is not known. */
export function makeFormat(language: string, unknown: string): Format {
  const number = new Intl.NumberFormat(language);
  const score = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const known = <T>(show: (value: T) => string) => (value: Maybe<T>) => (value === null || value === undefined ? unknown : show(value));
  return {
    number: known((value) => number.format(value)),
    score: known((value) => score.format(value)),
    percent: known((share) => percent.format(share)),
    money: known((dollars) => money(language, dollars)),
    duration: known((seconds) => duration(language, seconds)),
    dateTime: known((time) => dateTime.format(new Date(time))),
    date: known((time) => date.format(new Date(time))),
  };
}

function money(language: string, dollars: number): string {
  const small = dollars !== 0 && Math.abs(dollars) < 0.1;
  const figures = small ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...figures }).format(dollars);
}

function duration(language: string, seconds: number): string {
  const show = (value: number, unit: string, maximumFractionDigits = 0) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(value);
  if (seconds < 0.9995) return show(seconds * 1000, 'millisecond', seconds < 0.01 ? 1 : 0);
  if (seconds < 59.95) return show(seconds, 'second', 1);
  const whole = Math.round(seconds);
  const parts = [
    { value: Math.floor(whole / 3600), unit: 'hour' },
    { value: Math.floor((whole % 3600) / 60), unit: 'minute' },
    { value: whole >= 3600 ? 0 : whole % 60, unit: 'second' },
  ];
  return parts
    .filter(({ value }) => value > 0)
    .map(({ value, unit }) => show(value, unit))
    .join(' ');
}
