import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Translate } from '../../../common/errors';
import type { Clock, Log } from '../../../common/ports';
import { readHtmlPage } from '../../pages/html/htmlPage';
import { withoutByteOrderMark } from '../../../shared/characters';
import { parseUrl } from '../../../shared/links';
import { durationText, numberText, sizeText } from '../../../shared/units';
import type { KeptFile, SiteSet } from './siteCache';
import type { SiteClient, FetchedFile, Validators } from './siteClient';
import { SiteError } from './siteErrors';
import { isNoPage, readLlmsIndex } from './llmsIndex';
import { splitLlmsFull } from './llmsFull';
import { MB, type SiteLimits } from './siteLimits';
import { readSitemap } from './sitemap';
import { listFolders, pagePathOf, pathOfTitle, readersUrl, withinScope } from './sitePaths';

/** Maximum characters of a page. The rest is cut. Pages of a docs folder have a similar limit. */
const MAX_PAGE_LENGTH = 2 * MB;
/** Number of requests at once. More would be impolite, and one process indexes the pages anyway. */
const LANES = 4;
/** Maximum number of sitemaps or `llms.txt` files to read, because they can list each other. */
const MAX_LISTS = 50;
/** Number of consecutive pages that can't be reached after which the site counts as down. */
const MAX_FAILURES = 8;

/** A page that was fetched, or a file that has not changed, with its pages in the cache. */
export type Fetched =
  | {
      readonly kind: 'page';
      readonly fileUrl: string;
      readonly validators: Validators;
      readonly path: string;
      readonly canonicalUrl?: string;
      readonly source: string;
    }
  | { readonly kind: 'kept'; readonly file: KeptFile };

interface SiteFetcherPorts {
  readonly client: SiteClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: SiteLimits;
  readonly translate: Translate;
}

/** Reasons why a set lacks a listed page. */
type CountedPages = 'elsewhere' | 'disallowed' | 'redirected' | 'missing' | 'failed' | 'empty';

interface ListedPage {
  readonly url: URL;
  readonly path: string;
}

/**
 * Fetches the docs of a site in the best form that it publishes: its `llms-full.txt`, or else the pages
 * that its `llms.txt` lists, or else the pages of its sitemap.
 */
export class SiteFetcher {
  readonly notes: string[] = [];
  form: SiteSet['form'] = 'sitemap';
  /** Number of listed pages to fetch, once it is known. */
  total: number | undefined;
  readonly #start: URL;
  readonly #previous: SiteSet | undefined;
  readonly #ports: SiteFetcherPorts;
  /** Paths of all pages, with the last number that was tried behind each. */
  readonly #paths = new Map<string, number>();
  /** Name of a list file that is too large to read. */
  #tooLarge: string | undefined;
  #isDisallowed = false;
  /** Status with which the site has failed to send a list of the form that is read. */
  #failedStatus: number | undefined;
  #startedAt = 0;
  #count = 0;

  constructor(start: URL, previous: SiteSet | undefined, ports: SiteFetcherPorts) {
    this.#start = start;
    this.#previous = previous;
    this.#ports = ports;
  }

  /**
   * Yields the site's pages as they arrive.
   * @throws {SiteError} if no complete set of pages can be fetched.
   */
  async *pages(): AsyncGenerator<Fetched> {
    const { client, clock } = this.#ports;
    const { maxListMs } = this.#ports.limits;
    this.#startedAt = clock.now();
    client.giveUpAt = this.#startedAt + maxListMs;
    const sitemaps = await client.readRobots();
    yield* this.#fromFullText();
    if (this.#count === 0) yield* this.#fromOther('llms-full', this.#fromLlmsIndex());
    if (this.#count === 0) yield* this.#fromOther('llms', this.#fromSitemaps(sitemaps));
    if (this.#count === 0) throw this.#nothing();
  }

  /** Reads the site in another form, unless it only fails for now to send the form in which it was read before. */
  async *#fromOther(
    failed: SiteSet['form'],
    other: AsyncIterable<Fetched>,
  ): AsyncGenerator<Fetched> {
    if (this.#previous?.form === failed && this.#failedStatus !== undefined) throw this.#nothing();
    this.#failedStatus = undefined;
    yield* other;
  }

  #nothing(): SiteError {
    const { client, limits } = this.#ports;
    const { host } = new URL(client.origin);
    if (this.#tooLarge !== undefined) {
      const size = `${limits.maxFileBytes / MB} MB`;
      return new SiteError('too-large', { host, file: this.#tooLarge, size });
    }
    if (this.#isDisallowed || !client.isAllowed(this.#start))
      return new SiteError('disallowed', { host });
    if (client.elsewhere !== undefined)
      return new SiteError('elsewhere', { host: client.elsewhere });
    if (this.total !== undefined) return new SiteError('nothing-readable', { host });
    return this.#failedStatus === undefined
      ? new SiteError('nothing-published', { host })
      : new SiteError('unreachable', { host, causeCode: `HTTP ${this.#failedStatus}` });
  }

  /** Yields the URLs that a list of pages can have. `isAbove` tells whether the list is for the whole origin. */
  *#places(
    names: readonly string[],
  ): Generator<{ readonly url: string; readonly isAbove: boolean }> {
    const { origin } = this.#ports.client;
    const own = names.find((name) => this.#start.pathname.toLowerCase().endsWith(`/${name}`));
    if (own !== undefined) yield { url: origin + this.#start.pathname, isAbove: false };
    const folders = listFolders(this.#start);
    for (const [position, folder] of folders.entries()) {
      for (const name of names)
        yield { url: origin + folder + name, isAbove: position > 0 && folder === '/' };
    }
  }

  async #list(url: string, known?: Validators): Promise<FetchedFile> {
    const { client, limits, log } = this.#ports;
    const file = await client.get(url, {
      maxBytes: limits.maxFileBytes,
      known,
    });
    const name = url.slice(url.lastIndexOf('/') + 1);
    if (file.kind === 'missing') {
      if (file.reason === 'too-large') {
        this.#tooLarge = name;
        log.warn(`${url} is larger than ${limits.maxFileBytes / MB} MB and was not read`);
      }
      if (file.reason === 'disallowed') this.#isDisallowed = true;
      if (hasFailed(file)) this.#failedStatus = file.status;
    }
    return file;
  }

  async *#fromFullText(): AsyncGenerator<Fetched> {
    const { limits, log, translate } = this.#ports;
    for (const { url, isAbove } of this.#places(['llms-full.txt'])) {
      const kept = this.#keptFile(url, 'llms-full');
      const file = await this.#list(url, kept);
      if (file.kind === 'unchanged' && kept) {
        this.form = 'llms-full';
        this.notes.push(...(this.#previous?.notes ?? []));
        yield* this.#keep(kept);
        return;
      }
      if (file.kind !== 'found') continue;
      if (file.isHtml) {
        log.info(`${url} is a web page and was not read`);
        continue;
      }
      this.form = 'llms-full';
      const titles = await this.#titles(url);
      let isCut = false;
      let leftOut = 0;
      const scope = isAbove ? await this.#scopeOf(file.text, url) : undefined;
      for await (const page of splitLlmsFull(file.text, file.url.href, () => nextTurn())) {
        if (this.#count >= limits.maxPages) {
          leftOut++;
          continue;
        }
        const pageUrl = parseUrl(page.url ?? titles.get(page.title) ?? '');
        if (pageUrl && scope && !scope.has(pageUrl.href)) continue;
        const path = this.#freePath(pageUrl ? pagePathOf(pageUrl) : pathOfTitle(page.title));
        const isOwn = pageUrl !== undefined && this.#ports.client.isOwn(pageUrl);
        if (page.markdown.length > MAX_PAGE_LENGTH) isCut = true;
        this.#count++;
        yield {
          kind: 'page',
          fileUrl: url,
          validators: file.validators,
          path,
          canonicalUrl: isOwn ? readersUrl(pageUrl) : undefined,
          source: page.markdown.slice(0, MAX_PAGE_LENGTH),
        };
      }
      if (isCut)
        this.notes.push(translate('Pages longer than {0} were cut.', sizeText(MAX_PAGE_LENGTH)));
      if (leftOut > 0) this.#notePages();
      if (this.#count > 0) return;
    }
  }

  /** Returns the URLs below the site's own path, or undefined if all pages of the file are below it. */
  async #scopeOf(text: string, base: string): Promise<ReadonlySet<string> | undefined> {
    const urls: URL[] = [];
    for await (const page of splitLlmsFull(text, base, () => nextTurn())) {
      const url = parseUrl(page.url ?? '');
      if (url) urls.push(url);
    }
    const inside = withinScope(urls, this.#start);
    return inside.length === urls.length ? undefined : new Set(inside.map(({ href }) => href));
  }

  /** Returns the URLs of pages by their titles, from the `llms.txt` next to a file without URLs. */
  async #titles(fullUrl: string): Promise<ReadonlyMap<string, string>> {
    const url = fullUrl.replace(/[^/]*$/, 'llms.txt');
    const file = await this.#list(url);
    if (file.kind !== 'found' || file.isHtml) return new Map();
    const titles = new Map<string, string>();
    for (const page of readLlmsIndex(file.text, file.url.href, this.#ports.limits.maxPages).pages) {
      // Two pages with the same title can't be distinguished, so neither gets a URL.
      titles.set(page.title, titles.has(page.title) ? '' : page.url);
    }
    return titles;
  }

  async *#fromLlmsIndex(): AsyncGenerator<Fetched> {
    const { limits } = this.#ports;
    for (const { url, isAbove } of this.#places(['llms.txt'])) {
      const listed: URL[] = [];
      let isPartial = false;
      const seen = new Set<string>();
      const open = [url];
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        if (seen.has(next) || seen.size >= MAX_LISTS) continue;
        seen.add(next);
        const file = await this.#list(next);
        isPartial ||= hasFailed(file);
        if (file.kind !== 'found' || file.isHtml) continue;
        const index = readLlmsIndex(file.text, file.url.href, limits.maxPages + 1);
        listed.push(...index.pages.flatMap((page) => parseUrl(page.url) ?? []));
        open.push(...index.indexes);
      }
      if (listed.length === 0) continue;
      this.form = 'llms';
      if (isPartial) listed.push(...this.#listedBefore());
      yield* this.#fetchAll(listed, isAbove);
      if (this.#count > 0) return;
    }
  }

  async *#fromSitemaps(named: readonly string[]): AsyncGenerator<Fetched> {
    const { client, limits, translate } = this.#ports;
    this.form = 'sitemap';
    const names = ['sitemap.xml', 'sitemap-index.xml', 'sitemap_index.xml'];
    const roots = [...this.#places(names)].map(({ url }) => url);
    const seen = new Set<string>();
    // The sitemaps that robots.txt names are parts of one list. Each of the others is a guess.
    for (const together of [named, ...roots.map((root) => [root])]) {
      const listed: URL[] = [];
      let isPartial = false;
      const open = [...together];
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        const url = parseUrl(next, client.origin);
        if (!url || !client.isOwn(url) || seen.has(url.href)) continue;
        if (seen.size >= MAX_LISTS) {
          this.notes.push(
            translate('The site has more than {0} sitemaps. The others were left out.', MAX_LISTS),
          );
          break;
        }
        seen.add(url.href);
        const file = await this.#list(url.href);
        isPartial ||= hasFailed(file);
        if (file.kind !== 'found' || file.isHtml) continue;
        // A site can list a million pages. Most of them can be outside its own path and are left out later.
        const room = limits.maxPages * 10 - listed.length;
        const sitemap = await readSitemap(file.text, Math.max(0, room), () => nextTurn());
        for (const page of sitemap.pages) {
          const found = parseUrl(page, client.origin);
          if (found && client.isOwn(found)) listed.push(found);
          else if (found) this.#elsewhereCount++;
        }
        for (const further of sitemap.sitemaps) open.push(further);
      }
      if (listed.length === 0) continue;
      if (isPartial) listed.push(...this.#listedBefore());
      yield* this.#fetchAll(listed, true);
      if (this.#count > 0) return;
    }
  }

  /** Returns the pages of the last fetch, for a list that lacks those of a list that the site fails to send. */
  #listedBefore(): URL[] {
    this.notes.push(
      this.#ports.translate(
        'The site couldn’t send all lists of its pages. Some pages can be missing.',
      ),
    );
    if (this.#previous?.form !== this.form) return [];
    return this.#previous.files.flatMap(({ url }) => parseUrl(url) ?? []);
  }

  #elsewhereCount = 0;

  /** Fetches pages, {@link LANES} at once, and yields them in the order in which they arrive. */
  async *#fetchAll(urls: readonly URL[], isAbove: boolean): AsyncGenerator<Fetched> {
    const { client, limits, clock, log, translate: t } = this.#ports;
    const own = urls.filter((url) => client.isOwn(url) && !isNoPage(url));
    const elsewhere = urls.length - own.length + this.#elsewhereCount;
    const inScope = isAbove ? withinScope(own, this.#start) : own;
    const pages = new Map<string, ListedPage>();
    let disallowed = 0;
    for (const url of inScope) {
      url.hash = '';
      const path = pagePathOf(url);
      if (pages.has(path)) continue;
      if (client.isAllowed(url)) pages.set(path, { url, path });
      else disallowed++;
    }
    if (pages.size === 0 && disallowed > 0) this.#isDisallowed = true;
    const listed = [...pages.values()].slice(0, limits.maxPages);
    if (pages.size > limits.maxPages) this.#notePages();
    if (listed.length > 0) this.total = listed.length;
    client.giveUpAt = this.#startedAt + limits.maxMs;

    const counts = { missing: 0, failed: 0, inARow: 0, empty: 0, redirected: 0 };
    let limitNote: string | undefined;
    const fetchOne = async (page: ListedPage): Promise<Fetched[]> => {
      const kept = this.#keptFile(page.url.href, this.form);
      if (limitNote !== undefined) return kept ? [{ kind: 'kept', file: kept }] : [];
      try {
        const file = await client.get(page.url.href, {
          maxBytes: limits.maxPageBytes,
          known: kept,
        });
        counts.inARow = 0;
        if (file.kind === 'unchanged') return kept ? [{ kind: 'kept', file: kept }] : [];
        if (file.kind === 'found' && !asksToSignIn(page, file)) {
          const fetched = this.#pageOf(page, file);
          if (!fetched) counts.empty++;
          return fetched ? [fetched] : [];
        }
        const missing = file.kind === 'found' ? { status: undefined, reason: 'sign-in' } : file;
        if (missing.reason === 'elsewhere') counts.redirected++;
        else if (missing.status === 404 || missing.status === 410) counts.missing++;
        else {
          counts.failed++;
          log.info(`${page.url.pathname} was not read: ${missing.status ?? missing.reason}`);
          return kept ? [{ kind: 'kept', file: kept }] : [];
        }
        return [];
      } catch (error) {
        // The loop below notes that the time is over.
        if (clock.now() >= client.giveUpAt) return kept ? [{ kind: 'kept', file: kept }] : [];
        if (
          !(error instanceof SiteError) ||
          (error.code !== 'unreachable' && error.code !== 'too-slow') ||
          ++counts.inARow >= MAX_FAILURES
        )
          throw error;
        counts.failed++;
        return kept ? [{ kind: 'kept', file: kept }] : [];
      }
    };
    for await (const fetched of inLanes(listed, LANES, fetchOne)) {
      for (const one of fetched) {
        if (one.kind === 'kept') yield* this.#keep(one.file);
        else {
          this.#count++;
          yield one;
        }
      }
      // Reading an HTML page blocks the process for milliseconds, so other requests can run now.
      await nextTurn();
      if (limitNote !== undefined) continue;
      if (client.receivedBytes > limits.maxBytes)
        limitNote = t(
          'The site has more than {0}. The rest of its pages was left out.',
          sizeText(limits.maxBytes),
        );
      else if (clock.now() >= client.giveUpAt)
        limitNote = t(
          'The site took more than {0}. The rest of its pages was left out.',
          durationText(limits.maxMs, t),
        );
    }
    if (limitNote !== undefined) this.notes.push(limitNote);
    this.#noteCounts({ ...counts, elsewhere, disallowed });
  }

  #noteCounts(counts: Readonly<Record<CountedPages, number>>): void {
    const t = this.#ports.translate;
    const note = (count: number, one: string, several: string): void => {
      if (count > 0) this.notes.push(count === 1 ? one : several);
    };
    const { elsewhere, disallowed, redirected, missing, failed, empty } = counts;
    note(
      elsewhere,
      t('1 page is on another site and was left out.'),
      t('{0} pages are on other sites and were left out.', elsewhere),
    );
    note(
      disallowed,
      t('1 page was left out because robots.txt excludes it.'),
      t('{0} pages were left out because robots.txt excludes them.', disallowed),
    );
    note(
      redirected,
      t('1 page leads to another site.'),
      t('{0} pages lead to another site.', redirected),
    );
    note(missing, t('1 listed page doesn’t exist.'), t('{0} listed pages don’t exist.', missing));
    note(failed, t('1 page could not be read.'), t('{0} pages could not be read.', failed));
    note(empty, t('1 page has no text.'), t('{0} pages have no text.', empty));
  }

  #pageOf(page: ListedPage, file: Extract<FetchedFile, { kind: 'found' }>): Fetched | undefined {
    const source = file.isHtml ? htmlSource(page.path, file.text) : markdownSource(file.text);
    if (source === undefined) return undefined;
    return {
      kind: 'page',
      fileUrl: page.url.href,
      validators: file.validators,
      path: page.path,
      canonicalUrl: readersUrl(file.url),
      source: source.slice(0, MAX_PAGE_LENGTH),
    };
  }

  *#keep(file: KeptFile): Generator<Fetched> {
    this.#count += file.pages.length;
    yield { kind: 'kept', file };
  }

  #notePages(): void {
    const { limits, translate } = this.#ports;
    const max = numberText(limits.maxPages);
    this.notes.push(translate('The site has more than {0} pages. The first {0} were read.', max));
  }

  #keptFile(url: string, form: SiteSet['form']): KeptFile | undefined {
    if (this.#previous?.form !== form) return undefined;
    this.#keptFiles ??= new Map(this.#previous.files.map((file) => [file.url, file]));
    return this.#keptFiles.get(url);
  }

  #keptFiles: ReadonlyMap<string, KeptFile> | undefined;

  #freePath(path: string): string {
    let free = path;
    let number = this.#paths.get(path) ?? 1;
    while (this.#paths.has(free)) free = path.replace(/\.md$/, `-${++number}.md`);
    this.#paths.set(path, number);
    if (free !== path) this.#paths.set(free, 1);
    return free;
  }
}

/** Returns whether the site may send a file another time, while one that doesn't exist stays missing. */
function hasFailed(file: FetchedFile): boolean {
  return file.kind === 'missing' && (file.status === 429 || (file.status ?? 0) >= 500);
}

/** Returns whether the site leads to a form with a password in place of a page. */
function asksToSignIn({ url }: ListedPage, file: Extract<FetchedFile, { kind: 'found' }>): boolean {
  return (
    file.isHtml &&
    file.url.pathname !== url.pathname &&
    /<input\b[^<>]*\btype\s*=\s*["']?password\b/i.test(file.text)
  );
}

/** Returns an HTML page as Markdown with front matter, or undefined for a page without text. */
function htmlSource(path: string, html: string): string | undefined {
  const page = readHtmlPage(path.replace(/\.md$/, '.html'), html.slice(0, MAX_PAGE_LENGTH));
  if (page.emptyBecause !== undefined) return undefined;
  const head = [
    // JSON strings are valid YAML.
    ...(page.description === '' ? [] : [`description: ${JSON.stringify(page.description)}`]),
    ...(page.language === undefined ? [] : [`lang: ${JSON.stringify(page.language)}`]),
  ];
  return head.length === 0 ? page.markdown : `---\n${head.join('\n')}\n---\n\n${page.markdown}`;
}

/** Returns a Markdown page without the hint for programs that some platforms put at its beginning. */
function markdownSource(text: string): string | undefined {
  const plain = withoutByteOrderMark(text).replace(
    /^\s*(?:>[^\n]*\n)*>[^\n]*llms\.txt[^\n]*\n(?:>[^\n]*\n)*/,
    '',
  );
  return plain.trim() === '' ? undefined : plain;
}

/** Runs a task for each item, up to `lanes` at once, and yields the results as they arrive. */
async function* inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  task: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<{ readonly id: number; readonly result: Result }>>();
  let next = 0;
  try {
    while (next < items.length || running.size > 0) {
      while (next < items.length && running.size < lanes) {
        const id = next++;
        // The loop's condition keeps the index within the array.
        const item = items[id] as Item;
        running.set(
          id,
          task(item).then((result) => ({ id, result })),
        );
      }
      const { id, result } = await Promise.race(running.values());
      running.delete(id);
      yield result;
    }
  } finally {
    // The consumer has stopped. The errors of the tasks that still run must not be unhandled.
    for (const task of running.values()) task.catch(() => undefined);
  }
}
