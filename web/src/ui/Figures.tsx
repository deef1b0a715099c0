import type { ReactNode } from 'react';

import classes from './Figures.module.css';

export interface Figure {
  name: string;
  value: ReactNode;
  /** Below it, smaller. */
  more?: ReactNode;
}

/** A few figures side by side, each under its name. */
export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, more }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className={classes.value}>{value}</span>
            {more && <span className={classes.more}>{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
