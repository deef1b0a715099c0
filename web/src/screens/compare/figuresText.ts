import { wholePercent } from '~/screens/runs/meaning';

/** A p-value with three decimals; one that would read 0 is said to be below 0.001. */
export function pText(p: number, language: string): string {
  const figures = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  return p < 0.0005 ? `< ${figures.format(0.001)}` : figures.format(p);
}

/** A difference of shares in whole points with its sign: "+12", "−3", "0". */
export function signedPoints(share: number, language: string): string {
  const whole = Math.sign(share) * wholePercent(Math.abs(share));
  return new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(whole === 0 ? 0 : whole).replace('-', '−');
}
