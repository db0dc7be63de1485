import type { SectionBlock } from '../../pages/sections';
import type { DocsIndex } from '../../search/docsIndex';
import { termsOf } from '../../search/terms';

/** Tells which names of a reply's code the docs have. */
export interface DocsNames {
  /** Returns whether a name of code occurs in the docs, in any notation. */
  hasName(name: string): boolean;
  /** Returns whether a flag occurs in the docs as it is written, such as `--dry-run`. */
  hasFlag(flag: string): boolean;
}

/**
 * Maximum characters of the docs to scan for the names of one reply. Names that are looked up after that
 * count as known, so that the check of a reply about huge docs ends in time.
 */
const MAX_SCANNED = 100_000_000;

/**
 * Returns the lookup of names in the indexed docs, for one reply. Looks up a name of several words in the
 * index. Looks for single words and flags in the docs' code only, because most words occur somewhere in the
 * text.
 */
export function docsNamesOf(index: DocsIndex): DocsNames {
  let scanned = 0;
  const isInCode = (name: string, pattern: RegExp): boolean => {
    const terms = termsOf(name).flatMap(({ text, isCompound }) => (isCompound ? [] : text));
    for (const page of index.pagesWith?.(terms) ?? index.pages()) {
      for (const { blocks } of page.sections) {
        for (const block of blocks) {
          const code = codeOf(block);
          scanned += code.length;
          if (scanned > MAX_SCANNED || pattern.test(code)) return true;
        }
      }
    }
    return false;
  };
  return {
    hasName: (name) => {
      const terms = termsOf(name);
      const whole = terms.find((term) => term.isCompound);
      if (whole) return index.has(whole.text);
      if (terms.length !== 1 || terms.some((term) => !index.has(term.text))) {
        return terms.every((term) => index.has(term.text));
      }
      return isInCode(name, wordPattern(name));
    },
    hasFlag: (flag) => isInCode(flag, new RegExp(`(?<![\\w-])${flag}(?![\\w-])`)),
  };
}

/** Returns the code of a block: all of it, or its code spans. */
function codeOf({ kind, markdown }: SectionBlock): string {
  if (kind === 'code') return markdown;
  return markdown.includes('`') ? (markdown.match(/`[^`\n]+`/g)?.join(' ') ?? '') : '';
}

/** Returns a pattern for a word whose first letter can have either case. */
function wordPattern(name: string): RegExp {
  const first = name.charAt(0);
  const start = `[${first.toLowerCase()}${first.toUpperCase()}]`;
  return new RegExp(`(?<![\\w$])${start}${name.slice(1)}(?![\\w$])`);
}
