import type { Proof } from '../../../shared/proof';

/**
 * A reason why a statement isn't proven. `missing` has only what the sections have nowhere, as a number
 * can stand there beside something else.
 */
export type Problem = Pick<Proof['unproven'][number], 'reason' | 'missing'>;
