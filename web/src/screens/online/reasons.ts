import type { OnlineResult } from '~/screens/online/onlineQueries';

/** Why a result has its verdict: what failed it, or else what its first evaluator says. */
export function reasonOf({ verdict, failure, scores }: Pick<OnlineResult, 'verdict' | 'failure' | 'scores'>): string {
  if (failure) return failure.message;
  const deciding = scores.filter(({ weight }) => weight > 0);
  const telling = deciding.find((score) => score.verdict === verdict) ?? scores[0];
  return telling?.explanation ?? '';
}
