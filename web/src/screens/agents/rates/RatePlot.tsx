import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';

import { Mark } from '~/screens/agents/rates/Mark';
import type { RatePoint } from '~/screens/agents/rates/rateSeries';
import { versionsOf } from '~/screens/agents/rates/rateSeries';
import { useRateText } from '~/ui/RateInterval';
import { useFormat } from '~/ui/format';

import classes from './RatePlot.module.css';

const HEIGHT = 260;
const LEFT = 48;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 28;
const LABEL_PX = 124;
const SHARES = [0, 0.25, 0.5, 0.75, 1];
const DAY_MS = 86_400_000;

interface Props {
  label: string;
  /** In the order that they stand in. */
  points: readonly RatePoint[];
  /** Whether a line leads from one to the next, as it does over time. */
  joined: boolean;
  /** Ids of the runs that are chosen to compare. */
  a?: string | null;
  b?: string | null;
  /** Takes the id of a point that was clicked. The table offers the same to the keyboard. */
  onChoose?: (id: string) => void;
}

/**
 * Rates with their intervals, each version by a mark of its own. Points stand evenly, since many runs are often made
 * within an hour, and then none for weeks.
 */
export function RatePlot({ label, points, joined, a, b, onChoose }: Props) {
  const { ref, width } = useElementSize();
  const format = useFormat();
  const versions = versionsOf(points);
  const step = Math.max(width - LEFT - RIGHT, 0) / points.length;
  const x = (index: number) => LEFT + step * (index + 0.5);
  const line = points.map(({ rate }, index) => `${x(index)},${y(rate)}`).join(' ');
  return (
    <div ref={ref} className={classes.plot}>
      <svg role="img" aria-label={label} height={HEIGHT} viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`}>
        {SHARES.map((share) => (
          <g key={share}>
            <line className={classes.grid} x1={LEFT} x2={width - RIGHT} y1={y(share)} y2={y(share)} />
            <text className={classes.axis} x={LEFT - 8} y={y(share) + 4} textAnchor="end">
              {format.percent(share)}
            </text>
          </g>
        ))}
        {joined && <polyline className={classes.trend} points={line} />}
        {points.map((point, index) => {
          const letter = point.id === a ? 'A' : point.id === b ? 'B' : null;
          const begins = points[index - 1]?.version !== point.version;
          return <Point key={point.id} point={point} x={x(index)} width={step} place={versions.indexOf(point.version)} letter={letter} named={begins} onChoose={onChoose} />;
        })}
        <Times points={points} x={x} step={step} />
      </svg>
      <Legend versions={versions} />
    </div>
  );
}

/** A share of 0..1 from the top of the plot. */
function y(share: number): number {
  return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
}

interface PointProps {
  point: RatePoint;
  x: number;
  /** How much room it has. */
  width: number;
  place: number;
  letter: 'A' | 'B' | null;
  /** Whether its version is written above. */
  named: boolean;
  onChoose: Props['onChoose'];
}

function Point({ point, x, width, place, letter, named, onChoose }: PointProps) {
  const { t } = useTranslation('agents');
  const format = useFormat();
  const text = useRateText()(point);
  const { id, version, rate, low, high, finished, complete } = point;
  const tick = Math.min(4, width / 3);
  const name = [t('version', { number: version }), text, format.dateTime(finished), complete ? null : t('rates.partialRun')].filter(Boolean).join(' · ');
  return (
    <g className={classes.point} data-choose={onChoose ? true : undefined} data-partial={complete ? undefined : true} onClick={() => onChoose?.(id)}>
      <title>{name}</title>
      <rect className={classes.hit} x={x - width / 2} width={width} y={TOP} height={HEIGHT - TOP - BOTTOM} />
      <path className={classes.interval} d={`M${x - tick} ${y(high)}h${2 * tick}M${x} ${y(high)}V${y(low)}M${x - tick} ${y(low)}h${2 * tick}`} />
      <g transform={`translate(${x} ${y(rate)})`}>
        <Mark place={place} />
        {letter && <circle className={classes.ring} r={9} />}
      </g>
      {(letter ?? named) && (
        <text className={letter ? classes.letter : classes.version} x={x} y={y(high) - 8}>
          {letter ?? t('version', { number: version })}
        </text>
      )}
    </g>
  );
}

/** When the runs ended, as often as there is room. Hours where all are of two days, else days. */
function Times({ points, x, step }: { points: readonly RatePoint[]; x: (index: number) => number; step: number }) {
  const { i18n } = useTranslation();
  const times = points.map(({ finished }) => Date.parse(finished));
  const short = Math.max(...times) - Math.min(...times) < 2 * DAY_MS;
  const when = new Intl.DateTimeFormat(i18n.language, short ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' });
  const every = Math.max(1, Math.ceil(LABEL_PX / Math.max(step, 1)));
  return times.map(
    (time, index) =>
      index % every === 0 && (
        <text key={index} className={classes.axis} x={x(index)} y={HEIGHT - 8} textAnchor="middle">
          {when.format(time)}
        </text>
      ),
  );
}

function Legend({ versions }: { versions: readonly number[] }) {
  const { t } = useTranslation('agents');
  return (
    <ul className={classes.legend} aria-label={t('rates.legend')}>
      {versions.map((version, place) => (
        <li key={version}>
          <svg viewBox="-7 -7 14 14" aria-hidden>
            <Mark place={place} />
          </svg>
          {t('version', { number: version })}
        </li>
      ))}
    </ul>
  );
}
