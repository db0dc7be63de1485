import * as v from 'valibot';
import type { Parsed } from './schemas';

const optionalText = v.optional(v.string());

/** Schema of the search filter of a question (platform-api.md § Filter). */
export const askFilterSchema = v.object({
  version: optionalText,
  language: optionalText,
  groups: v.optional(v.array(v.string())),
});

/** Search filter. An absent field doesn't filter. */
export type AskFilter = Parsed<typeof askFilterSchema>;
