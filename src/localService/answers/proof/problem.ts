import type { Proof } from '../../../shared/proof';

/** A reason why a statement isn't proven, and what the cited sections don't have. */
export type Problem = Pick<Proof['unproven'][number], 'reason' | 'missing'>;
