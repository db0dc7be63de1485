/**
 * Collects everything that a content security policy must allow for the pages of a site. Uses
 * `node:crypto`.
 */
import { createHash } from 'node:crypto';
import type { FoundAddress } from '../../check/findings';
import { own } from '../../check/findings';
import type { InlineCode, MarkupContents } from '../../check/pageLinks';
import { addressesOf, parseScript } from '../../check/scriptFetches';
import {
  directiveOf,
  impliedSources,
  sourceDirectives,
  sourceOf,
  type SourceDirective,
} from './policySources';
import { scriptTraits } from './scriptTraits';

/** Hashes of one kind of inline code, as a policy writes them, and how many different ones there are. */
interface InlineHashes {
  /** `sha256-…` of each text, at most {@link MAX_HASHES}. */
  readonly hashes: readonly string[];
  /** Number of different texts. Counting stops at {@link MAX_COUNTED}. */
  readonly count: number;
}

/** A kind of uncertainty, and the first file in which it occurs. */
export interface PolicyDoubt {
  readonly code:
    | 'unreadable-script'
    | 'unknown-requests'
    | 'evaluates'
    | 'wasm'
    | 'builds-styles'
    | 'javascript-url'
    | 'odd-address'
    | 'outside-scripts'
    | 'outside-styles';
  readonly file: string;
  readonly count: number;
}

/** Everything that a policy must allow for a site. It is plain data, so that a worker can post it. */
export interface PolicyNeeds {
  /** Sources besides the site itself, sorted. */
  readonly sources: Readonly<Record<SourceDirective, readonly string[]>>;
  readonly scripts: InlineHashes;
  readonly handlers: InlineHashes;
  readonly styles: InlineHashes;
  readonly styleAttributes: InlineHashes;
  readonly evaluates: boolean;
  readonly compilesWasm: boolean;
  readonly buildsStyles: boolean;
  readonly doubts: readonly PolicyDoubt[];
}

/** Maximum number of hashes to keep. More don't fit into a header. */
const MAX_HASHES = 200;

/**
 * Maximum number of different texts to count. Without a limit, 200,000 pages with their own script would
 * take too much memory.
 */
const MAX_COUNTED = 5000;

/** Maximum number of sources to keep for each directive. */
const MAX_SOURCES = 200;

export class PolicyCollector {
  readonly #sources = new Map<SourceDirective, Set<string>>(
    sourceDirectives.map((directive) => [directive, new Set<string>()]),
  );
  readonly #inline = {
    script: new Set<string>(),
    handler: new Set<string>(),
    style: new Set<string>(),
    'style-attribute': new Set<string>(),
  };
  readonly #doubts = new Map<PolicyDoubt['code'], { file: string; count: number }>();

  addInline({ kind, text, isCode }: InlineCode, file: string): void {
    if (kind === 'javascript-url') {
      this.#doubt('javascript-url', file);
      return;
    }
    const seen = this.#inline[kind];
    const hash = hashOf(text);
    if (seen.has(hash) || seen.size >= MAX_COUNTED) return;
    seen.add(hash);
    if (isCode) this.#addTraits(text, file, kind === 'handler');
  }

  addPage({ found, baseHref }: MarkupContents, file: string): void {
    if (baseHref !== undefined) {
      const needed = sourceOf({ address: baseHref, kind: 'link' });
      this.#add('base-uri', needed.kind === 'source' ? needed.source : "'self'");
      if (needed.kind === 'odd') this.#doubt('odd-address', file);
    }
    for (const address of found) this.#addAddress(address, file, baseHref);
  }

  /** Adds the addresses of a style sheet. */
  addStyle(found: readonly FoundAddress[], file: string): void {
    for (const address of found) this.#addAddress(address, file);
  }

  /** Adds the addresses and the traits of a script. */
  addScript(text: string, file: string): void {
    this.#addTraits(text, file, false);
  }

  /** Adds an address that a script requests, which no script has as text. */
  addRequest(address: string, file: string): void {
    this.#addAddress({ kind: 'fetch', address, start: 0, end: 0 }, file);
  }

  /** Returns the needs of everything that was added. */
  needs(): PolicyNeeds {
    const sources = Object.fromEntries(
      [...this.#sources].map(([directive, all]) => [directive, [...all].sort()]),
    ) as Record<SourceDirective, string[]>;
    const hashes = (all: ReadonlySet<string>): InlineHashes => ({
      hashes: [...all].sort().slice(0, MAX_HASHES),
      count: all.size,
    });
    return {
      sources,
      scripts: hashes(this.#inline.script),
      handlers: hashes(this.#inline.handler),
      styles: hashes(this.#inline.style),
      styleAttributes: hashes(this.#inline['style-attribute']),
      evaluates: this.#doubts.has('evaluates'),
      compilesWasm: this.#doubts.has('wasm'),
      buildsStyles: this.#doubts.has('builds-styles'),
      doubts: [...this.#doubts].map(([code, { file, count }]) => ({ code, file, count })),
    };
  }

  #addTraits(text: string, file: string, isHandler: boolean): void {
    try {
      const program = parseScript(text);
      const traits = scriptTraits(program);
      if (traits.evaluates) this.#doubt('evaluates', file);
      if (traits.compilesWasm) this.#doubt('wasm', file);
      if (traits.buildsStyles) this.#doubt('builds-styles', file);
      if (traits.unknownRequests > 0) this.#doubt('unknown-requests', file, traits.unknownRequests);
      if (traits.makesBlobs) {
        this.#add('img-src', 'blob:');
        this.#add('media-src', 'blob:');
        if (traits.startsWorkers) this.#add('worker-src', 'blob:');
      }
      // The markup reader has read the addresses of handlers and inline scripts of pages as well,
      // but not which elements the script makes for them.
      for (const found of addressesOf(program)) {
        this.#addAddress(found, file);
        if (found.role === 'outside-only') this.#addElementAddress(found, file, traits.makes);
      }
    } catch {
      // A handler is the body of a function, so it may contain `return`, which can't be parsed on
      // its own. Other handlers are just broken.
      if (!isHandler) this.#doubt('unreadable-script', file);
    }
  }

  /** Adds an address that a script gives to an element, for the elements that the script makes. */
  #addElementAddress(found: FoundAddress, file: string, makes: ReadonlySet<string>): void {
    const isScript = /\.m?js(?:[?#]|$)/i.test(found.address);
    if (makes.has('script') || isScript) this.#addAddress({ ...found, kind: 'script' }, file);
    if (makes.has('iframe')) this.#addAddress({ ...found, kind: 'frame' }, file);
    if (makes.has('video') || makes.has('audio')) {
      this.#addAddress({ ...found, kind: 'media' }, file);
    }
    if (!isScript) this.#addAddress({ ...found, kind: 'image' }, file);
  }

  #addAddress(found: FoundAddress, file: string, baseHref?: string): void {
    const { kind, role } = found;
    if (role === 'mention' || role === 'origin') return;
    const directive = directiveOf(kind);
    if (directive === undefined) return;
    const needed = sourceOf(found, baseHref);
    if (needed.kind === 'odd') this.#doubt('odd-address', file);
    if (needed.kind !== 'source') return;
    this.#add(directive, needed.source);
    if (directive === 'script-src') this.#doubt('outside-scripts', file);
    const implied = impliedSources[needed.source];
    if (directive === 'style-src' && implied) this.#add(...implied);
    else if (directive === 'style-src') this.#doubt('outside-styles', file);
  }

  #add(directive: SourceDirective, source: string): void {
    const sources = this.#sources.get(directive);
    if (sources && sources.size < MAX_SOURCES) sources.add(own(source));
  }

  #doubt(code: PolicyDoubt['code'], file: string, count = 1): void {
    const known = this.#doubts.get(code);
    if (known) known.count += count;
    else this.#doubts.set(code, { file, count });
  }
}

/**
 * Returns the hash of inline code as a browser computes it. Browsers convert every line end to LF.
 */
function hashOf(text: string): string {
  const read = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  return `sha256-${createHash('sha256').update(read, 'utf8').digest('base64')}`;
}
