/** Defines how the rows of an index hold facts and words. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';

const name = v.optional(v.string());

/** Facts of a page, as JSON. */
export const storedFactsSchema = v.object({
  title: v.string(),
  description: v.string(),
  version: name,
  language: name,
  readLanguage: name,
  canonicalUrl: name,
  groups: v.array(v.string()),
  firstSection: v.number(),
  /** Weighted number of words of the page, and of each section. */
  length: v.number(),
  lengths: v.array(v.number()),
  /** Positions of sections with code, and the languages of the code. */
  code: v.array(v.tuple([v.number(), v.array(v.string())])),
});
export type StoredFacts = v.InferOutput<typeof storedFactsSchema>;

/** Longest word that is stored itself. PostgreSQL refuses longer ones in an index than some 2,700 bytes. */
const MAX_WORD = 300;

/** Returns the text under which the postings of a word are stored. No word of a text has a space. */
export function wordKey(word: string): string {
  if (word.length <= MAX_WORD) return word;
  return `long ${createHash('sha256').update(word).digest('base64url')}`;
}
