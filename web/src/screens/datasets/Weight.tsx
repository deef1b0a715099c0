import { NumberInput } from '@mantine/core';
import { useState } from 'react';

interface Props {
  /** What it is the weight of, for screen readers. */
  name: string;
  /** What stands above it; nothing where that is told otherwise. */
  label?: string;
  weight: number;
  disabled: boolean;
  onChange: (weight: number) => void;
  className?: string;
}

/** The weight of an evaluator. It counts once the field is left, or by Enter. */
export function Weight({ name, label, weight, disabled, onChange, className }: Props) {
  const [typed, setTyped] = useState<number | string>(weight);
  const [last, setLast] = useState(weight);
  if (weight !== last) {
    setLast(weight);
    setTyped(weight);
  }
  const commit = () => {
    const next = typed === '' ? weight : Math.max(0, Number(typed));
    setTyped(next);
    if (next !== weight) onChange(next);
  };
  return (
    <NumberInput
      className={className}
      label={label}
      aria-label={name}
      size="xs"
      min={0}
      step={0.5}
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      disabled={disabled}
    />
  );
}
