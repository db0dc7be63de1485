/**
 * Measures how well the proof of replies tells true statements from false ones, on docs that it was not made
 * for. The same reading of pages and the same proof as in the service, in this process.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { docsNamesOf } from '../../../src/docs/answers/proof/docsNames';
import { proveReply } from '../../../src/docs/answers/proof/proveReply';
import { type DocsPage, type FoundSection, parsePage } from '../../../src/docs/pages/page';
import { SetIndex } from '../../../src/docs/search/setIndex';
import type { Proof } from '../../../src/shared/proof';

/** A statement about a section. */
export interface Claim {
  /** Set, page and fragment of the cited section. */
  readonly section: string;
  readonly text: string;
  /** Kind of the planted error, or `true` for a true statement. */
  readonly kind: string;
  /** Whether the claim belongs to the half on which the rules were chosen. */
  readonly isChosenOn: boolean;
}

type FileOf = (page: string) => string;

export interface Verdict {
  readonly claim: Claim;
  readonly isMarked: boolean;
  readonly reasons: readonly string[];
}

/** Reads the claims of a file. Lines without a mark of a claim or a section are comments. */
export function readClaims(text: string): Claim[] {
  let section = '';
  let sections = 0;
  const claims: Claim[] = [];
  for (const line of text.split('\n')) {
    const rest = line.slice(2).trim();
    const isChosenOn = sections % 2 === 1;
    if (line.startsWith('@ ')) {
      section = rest;
      sections++;
    } else if (line.startsWith('+ ')) {
      claims.push({ section, text: rest, kind: 'true', isChosenOn });
    } else if (line.startsWith('- ')) {
      const [, kind = '', claim = ''] = /^(\w+): (.*)$/.exec(rest) ?? [];
      claims.push({ section, text: claim, kind, isChosenOn });
    }
  }
  return claims;
}

/** A true reply, with false twins of its lines. */
export interface Reply {
  readonly question: string;
  /** Sets, pages and fragments of the sources, [1] first. */
  readonly sections: readonly string[];
  readonly lines: readonly string[];
  readonly twins: readonly {
    readonly line: number;
    readonly kind: string;
    readonly text: string;
  }[];
  readonly isChosenOn: boolean;
}

/** Reads the replies of a file. The hash of the sources chooses the half, unless the file says which one it is. */
export function readReplies(text: string): Reply[] {
  const half = /^= (\w+)$/m.exec(text)?.[1];
  return text.split('\n\n').flatMap((block) => {
    let question = '';
    const sections: string[] = [];
    const lines: string[] = [];
    const twins: { line: number; kind: string; text: string }[] = [];
    for (const line of block.split('\n')) {
      const rest = line.slice(2).trim();
      if (line.startsWith('? ')) question = rest;
      else if (line.startsWith('@ ')) sections.push(rest);
      else if (line.startsWith('+ ')) lines.push(rest);
      else if (line.startsWith('- ')) {
        const [, kind = '', twin = ''] = /^(\w+): (.*)$/.exec(rest) ?? [];
        twins.push({ line: lines.length - 1, kind, text: twin });
      }
    }
    const [hashed = 0] = createHash('sha256').update(sections.join('\n')).digest();
    const isChosenOn = half === undefined ? hashed % 2 === 0 : half === 'chosen';
    return sections.length === 0 ? [] : [{ question, sections, lines, twins, isChosenOn }];
  });
}

/**
 * Proves every claim from the section that it cites.
 * @param fileOf returns the file of a page, whose path begins with its set.
 * @throws if a section isn't there.
 */
export async function proveClaims(fileOf: FileOf, claimsFile: string): Promise<Verdict[]> {
  const claims = readClaims(await readFile(claimsFile, 'utf8'));
  const docs = new DocsFolder(fileOf);
  const verdicts: Verdict[] = [];
  for (const claim of claims) {
    const proof = docs.prove(`${claim.text} [1]`, [await docs.sectionAt(claim.section)]);
    const isMarked = proof.found !== proof.statements;
    verdicts.push({ claim, isMarked, reasons: reasonsOf(proof) });
  }
  return verdicts;
}

/**
 * Proves every reply whole, and then once for each false twin, in which the twin replaces its line. A true
 * verdict is one of a statement of the reply, a false one that of a twin.
 * @param fileOf returns the file of a page, whose path begins with its set.
 * @throws if a section isn't there.
 */
export async function proveReplies(fileOf: FileOf, repliesFile: string): Promise<Verdict[]> {
  const docs = new DocsFolder(fileOf);
  const verdicts: Verdict[] = [];
  for (const reply of readReplies(await readFile(repliesFile, 'utf8'))) {
    const { question, sections: places, lines, twins, isChosenOn } = reply;
    const sections: FoundSection[] = [];
    for (const place of places) sections.push(await docs.sectionAt(place));
    const section = places.join(' ');
    const proof = docs.prove(lines.join('\n'), sections, [question]);
    const add = (text: string, kind: string, reasons: readonly string[]): void => {
      const isMarked = reasons.length > 0;
      verdicts.push({ claim: { section, text, kind, isChosenOn }, isMarked, reasons });
    };
    for (const one of proof.unproven) add(one.quote, 'true', reasonsOf({ unproven: [one] }));
    const rest = `${proof.found} more statements`;
    for (let count = 0; count < proof.found; count++) add(rest, 'true', []);
    const known = new Set(proof.unproven.map(({ quote }) => quote));
    for (const { line, kind, text } of twins) {
      const changed = lines.map((own, position) => (position === line ? text : own));
      const { unproven } = docs.prove(changed.join('\n'), sections, [question]);
      const marks = unproven.filter(({ quote }) => !known.has(quote));
      add(text, kind, reasonsOf({ unproven: marks }));
    }
  }
  return verdicts;
}

function reasonsOf({ unproven }: Pick<Proof, 'unproven'>): string[] {
  return unproven.map(({ reason, missing }) => `${reason} ${missing.join(', ')}`);
}

/** The pages of the sets, each read once, and the proof from them. */
class DocsFolder {
  readonly #pages = new Map<string, DocsPage>();
  readonly #docsNames = docsNamesOf(new SetIndex());

  constructor(private readonly fileOf: FileOf) {}

  prove(
    text: string,
    sections: readonly FoundSection[],
    readersTexts: readonly string[] = [],
  ): Proof {
    return proveReply({ text, sections, docsNames: this.#docsNames, readersTexts });
  }

  /** Returns a section by its fragment, which a heading can have in a comment behind its text. */
  async sectionAt(place: string): Promise<FoundSection> {
    const [file = '', fragment = ''] = place.split('#');
    const page =
      this.#pages.get(file) ?? parsePage(file, await readFile(this.fileOf(file), 'utf8'));
    this.#pages.set(file, page);
    const section = page.sections.find(
      ({ slug }) => slug === fragment || (fragment !== '' && slug.endsWith(`-${fragment}`)),
    );
    if (section) return { page, section };
    throw new Error(`No section ${place}`);
  }
}
