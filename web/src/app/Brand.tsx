import { useTranslation } from 'react-i18next';

import classes from './Brand.module.css';

/** The product's mark: a lozenge, the shape of a French maker's stamp on gold, with its name. */
export function Brand({ large = false }: { large?: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={classes.brand} data-large={large || undefined}>
      <svg viewBox="0 0 32 32" aria-hidden="true" className={classes.mark}>
        <path d="M16 1.2 30.8 16 16 30.8 1.2 16Z" className={classes.rim} />
        <path d="m11.4 21.4 4.6-11 4.6 11M13.2 17.6h5.6" className={classes.letter} />
      </svg>
      <span>{t('product')}</span>
    </span>
  );
}
