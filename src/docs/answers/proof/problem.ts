import type { Proof } from '../../../shared/proof';

/**
 * A reason why a statement isn't proven. `missing` lists what the sections have nowhere. It is empty for a
 * number or name that they have, but in a passage about something else.
 */
export type Problem = Pick<Proof['unproven'][number], 'reason' | 'missing'>;
