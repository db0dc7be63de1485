/**
 * Passes the docs of a window, with their key, to the MCP server that the window starts. They are
 * in the server's environment.
 */
import * as v from 'valibot';
import { askFilterSchema } from '../../shared/askFilter';
import type { DocsTarget } from '../docsTools';

/** Environment variable with the {@link DocsTarget} of the window as JSON. */
export const TARGET_VARIABLE = 'DOCS_ASSISTANT_TARGET';

const milliseconds = v.pipe(v.number(), v.minValue(1));

const targetSchema = v.object({
  settings: v.object({
    baseUrl: v.optional(v.string()),
    unavailable: v.exactOptional(v.picklist(['assistant-air-gapped', 'assistant-switched-off'])),
    assistantDomain: v.optional(v.string()),
    fp: v.string(),
    retrievalPageSize: v.number(),
    filter: askFilterSchema,
    idleTimeoutMs: milliseconds,
    headersTimeoutMs: milliseconds,
  }),
  label: v.string(),
  key: v.optional(v.string()),
  spendsCredit: v.boolean(),
  local: v.exactOptional(v.object({ url: v.string(), domain: v.string(), key: v.string() })),
});

/** Returns the value of {@link TARGET_VARIABLE}. */
export function targetText(target: DocsTarget): string {
  return JSON.stringify(target);
}

/** Returns the target of a window, or undefined for text that isn't one. */
export function parseTarget(text: string): DocsTarget | undefined {
  try {
    const { settings, key, ...target } = v.parse(targetSchema, JSON.parse(text));
    const { baseUrl, assistantDomain, ...rest } = settings;
    return { ...target, key, settings: { ...rest, baseUrl, assistantDomain } };
  } catch {
    return undefined;
  }
}
