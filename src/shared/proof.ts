/**
 * Result of comparing a reply with the sections that it cites, as the service sends it. It comes
 * as a data part of the stream, `{"type": "data-proof", "id": "proof", "data": Proof}`; the last one
 * counts (docs/field-notes.md § Proven replies).
 */
import * as v from 'valibot';
import { keptDocsSchema } from './errorInfo';
import { count, type Parsed } from './schemas';

/**
 * Reasons why a statement isn't proven: a number or a name that the cited sections don't have, too
 * few of their words, no citation at all, or a name in a code block that occurs nowhere in the docs.
 */
export const proofReasons = ['number', 'name', 'words', 'uncited', 'code-name'] as const;

export const proofSchema = v.object({
  /** Number of statements that were compared: sentences and list items that claim something. */
  statements: count,
  /** Number of those statements that the cited sections support. */
  found: count,
  /** The other statements, and names in code that the docs don't have, in the reply's order. */
  unproven: v.array(
    v.object({
      /** Text as the reader sees it, without Markdown. For `code-name`, the name. */
      quote: v.string(),
      reason: v.picklist(proofReasons),
      /** Numbers and names that the cited sections don't have. */
      missing: v.array(v.string()),
      /** ID of the reply's source whose page comes nearest, if it is known. */
      sourceId: v.optional(v.string()),
    }),
  ),
  /** Docs on this machine that the extension compared the reply with. A service's own proof has none. */
  docs: v.optional(keptDocsSchema),
});

/** Statements of a reply that stand in the docs, counted, and those that don't. */
export type Proof = Parsed<typeof proofSchema>;
