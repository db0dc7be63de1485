import * as v from 'valibot';
import { askFilterSchema } from '../shared/askFilter';

const milliseconds = v.pipe(v.number(), v.minValue(1));

/**
 * Schema of the settings of a question. `activeSite.ts` has their type, so that the host can import
 * it at its start without the schema.
 */
export const askSettingsSchema = v.object({
  /**
   * Valid base URL without a trailing slash. It can have a path. Undefined if no site is set up.
   */
  // JSON leaves undefined fields out. The default adds them again.
  baseUrl: v.optional(v.string(), () => undefined),
  /** Reason why the assistant is off for this site, which then has no base URL here. */
  unavailable: v.optional(v.picklist(['assistant-air-gapped', 'assistant-switched-off'])),
  /** The identifier in the endpoint's path (platform-api.md § Create an Assistant message). */
  assistantDomain: v.optional(v.string(), () => undefined),
  /** `anonymous` or a unique user identifier. */
  fp: v.string(),
  /** Whether the service is one of this machine that knows installed packages. No other service gets their names. */
  hasPackages: v.optional(v.boolean()),
  retrievalPageSize: v.number(),
  filter: askFilterSchema,
  /** Longest silence after the response's headers. Any byte ends it. */
  idleTimeoutMs: milliseconds,
  /** Longest wait for the response's headers. */
  headersTimeoutMs: milliseconds,
});
