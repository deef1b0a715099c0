import classes from './RatePlot.module.css';

/** Outlines about the origin, 10 units wide: told apart without their colour. */
const SHAPES = [
  'M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0Z',
  'M-4.2 -4.2H4.2V4.2H-4.2Z',
  'M0 -5.4L5.2 4.2H-5.2Z',
  'M0 -5.8L5.4 0L0 5.8L-5.4 0Z',
  'M0 5.4L5.2 -4.2H-5.2Z',
  'M-1.7 -5.2H1.7V-1.7H5.2V1.7H1.7V5.2H-1.7V1.7H-5.2V-1.7H-1.7Z',
] as const;

/** The mark of a version, by its place among the versions; marks come again after the sixth. */
export function Mark({ place }: { place: number }) {
  const index = place % SHAPES.length;
  return <path d={SHAPES[index]} className={classes.mark} data-mark={index} />;
}
