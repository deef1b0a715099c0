import classes from './Help.module.css';

/** A text of the documentation, in which `words between backticks` are code. */
export function Help({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} className={classes.code}>
        {part}
      </code>
    ),
  );
}
