import { useTranslation } from 'react-i18next';

/** A threshold in percent with the digits that it was written with: 0.875 is 87.5 %. */
export function useThreshold(): (share: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 4 });
  return (share) => format.format(share);
}
