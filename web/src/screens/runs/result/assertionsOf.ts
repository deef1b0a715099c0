import type { Schemas } from '~/api/client';

type Sample = Pick<Schemas['JudgeSample'], 'details'>;

/** What the judge's verdicts say of one assertion. */
export interface AssertionVote {
  number: number;
  text: string;
  /** Verdicts in which it holds, of so many in all. */
  holds: number;
  votes: number;
  /** Why, by the first verdict of the majority; a tie does not hold. */
  reason: string;
}

interface Said {
  number: number;
  text: string;
  holds: boolean;
  reason: string;
}

/** The assertions one by one, over all verdicts of a judge; none where the judge was not asked about any. */
export function assertionsOf(samples: readonly Sample[]): AssertionVote[] {
  const said = samples.map(({ details }) => (Array.isArray(details.assertions) ? details.assertions.filter(isSaid) : []));
  return (said[0] ?? []).map(({ number, text }) => {
    const votes = said.flatMap((verdict) => verdict.filter((one) => one.number === number));
    const holds = votes.filter((one) => one.holds).length;
    const majority = holds * 2 > votes.length;
    return { number, text, holds, votes: votes.length, reason: votes.find((one) => one.holds === majority)?.reason ?? '' };
  });
}

export const assertionHolds = ({ holds, votes }: AssertionVote) => holds * 2 > votes;

/** The details of a judge of somebody's own may be anything. */
function isSaid(value: unknown): value is Said {
  if (typeof value !== 'object' || value === null) return false;
  const { number, text, holds, reason } = value as Partial<Said>;
  return typeof number === 'number' && typeof text === 'string' && typeof holds === 'boolean' && typeof reason === 'string';
}
