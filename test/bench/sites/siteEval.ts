/**
 * Asks an enhanced site in a browser what the box finds and answers, and the engine on the same docs as Markdown. The
 * site is served by real hosts with the policy of its generated configuration, and no other network is there.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import send from 'send';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { systemClock } from '../../../src/common/clock';
import { silentLog } from '../../../src/common/ports';
import { enhanceSite, restoreSite } from '../../../src/enhance/enhanceSite';
import { retrieve } from '../../../src/docs/search/retrieval';
import { renderSite } from '../../../src/service/export/site/siteRenderer';
import { survey } from '../../builders/hostedSite';
import { startSiteHost } from '../../fakes/siteHost';
import { type RunningHost, startRealServer } from '../../fakes/webServers';
import { launchBrowser, openContext, takeScreenshot } from '../../webview/harness';
import { askAll, libraryOf } from '../retrievalEval';
import type { AskedQuestion, BuiltSite, SiteQuestions } from './builtSites.mjs';

/** Pages that one question or search found, best first, without repetition. */
interface Found {
  readonly asked: AskedQuestion;
  readonly pages: readonly string[];
  /** Pages that the box lists for a typed question, at most ten. For a search, `pages` are that list. */
  readonly listed?: readonly string[];
}

export interface Outcomes {
  readonly questions: readonly Found[];
  readonly searches: readonly Found[];
}

export interface HostOutcomes extends Outcomes {
  readonly host: string;
  /**
   * Errors of the pages, what a policy blocked, requests to other hosts, and findings of axe, without those that the site
   * has before it is enhanced.
   */
  readonly complaints: readonly string[];
}

export interface SiteOutcomes {
  readonly pages: number;
  /** Whether a second run changes nothing, and `--remove` gives back every byte of the site. */
  readonly isRestored: boolean;
  /** Outcomes of the engine on the docs as Markdown. */
  readonly engine: Outcomes;
  readonly hosts: readonly HostOutcomes[];
  /** Hosts that this machine lacks. */
  readonly skipped: readonly string[];
}

const unlimited = new AbortController().signal;

/** Writes the site of the sample docs into a folder. @returns it, beside its docs */
export async function sampleSite(): Promise<BuiltSite> {
  const docs = await realpath('src/service/sample/docs');
  const site = await realpath(await mkdtemp(path.join(os.tmpdir(), 'sample-site-')));
  await renderSite({
    root: docs,
    siteHost: 'sample.localhost',
    signal: unlimited,
    log: silentLog,
    write: async ({ path: name, content }) => {
      await mkdir(path.dirname(path.join(site, name)), { recursive: true });
      await writeFile(path.join(site, name), content);
    },
    onProgress: () => undefined,
  });
  return {
    name: 'Our export',
    questions: 'sample',
    docs,
    site,
    basePath: '',
    start: '/v2/en/quickstart',
    routeOf: (page) => page.replace(/\.mdx?$/, ''),
  };
}

/**
 * Enhances a copy of a site, asks it on each host, and asks the engine.
 * @param takesPictures whether to save screenshots in `out/screenshots`
 */
export async function evalSite(
  site: BuiltSite,
  asked: SiteQuestions,
  takesPictures: boolean,
): Promise<SiteOutcomes> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'eval-site-')));
  const browser = await launchBrowser();
  const skipped: string[] = [];
  try {
    // A server that root starts reads its files as another user.
    await chmod(root, 0o755);
    const folder = path.join(root, site.basePath);
    await cp(site.site, folder, { recursive: true });
    const known = new Map<string, ReadonlySet<string>>();
    for (const [name, start] of Object.entries(hostStarts)) {
      const host = await start(root, folder);
      if (host === undefined) {
        skipped.push(name);
        continue;
      }
      known.set(name, await complaintsOf(browser, host, site));
      await host.stop();
    }
    const before = await digestOf(folder);
    const enhance = () =>
      enhanceSite({
        root: folder,
        scripts: path.resolve('dist/site'),
        signal: unlimited,
        onProgress: () => undefined,
        clock: systemClock,
        log: silentLog,
      });
    const { indexed } = await enhance();
    const enhanced = await digestOf(folder);
    await enhance();
    const isRepeatable = (await digestOf(folder)) === enhanced;
    const hosts: HostOutcomes[] = [];
    for (const [name, start] of Object.entries(hostStarts)) {
      const host = known.has(name) ? await start(root, folder) : undefined;
      if (host === undefined) continue;
      try {
        const pictures = takesPictures && hosts.length === 0 ? site.name : undefined;
        const outcomes = await askHost(browser, host, site, asked, pictures);
        const complaints = outcomes.complaints.filter(
          (each) => known.get(name)?.has(each) !== true,
        );
        hosts.push({
          host: name,
          questions: outcomes.questions,
          searches: outcomes.searches,
          complaints,
        });
      } finally {
        await host.stop();
      }
    }
    await restoreSite({ root: folder, signal: unlimited, onProgress: () => undefined });
    const isRestored = isRepeatable && (await digestOf(folder)) === before;
    return {
      pages: indexed,
      isRestored,
      engine: await askEngine(site.docs, asked),
      hosts,
      skipped,
    };
  } finally {
    await browser.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** Returns the digest of all files of a folder with their paths. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.toSorted())
    hash.update(`${path.relative(folder, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

type SiteHost = Pick<RunningHost, 'origin' | 'stop'>;

const hostStarts: Readonly<
  Record<string, (root: string, folder: string) => Promise<SiteHost | undefined>>
> = {
  nginx: async (root, folder) => startRealServer('nginx', root, await survey(folder)),
  'docs-assistant host': async (_root, folder) =>
    startSiteHost({ folder, site: await survey(folder), redirects: [] }),
  'plain server': (root) => startPlainServer(root),
};

/** Starts a server that sends files and indexes of folders, and knows nothing else. */
async function startPlainServer(root: string): Promise<SiteHost> {
  const server = createServer((request, response) => {
    send(request, new URL(request.url ?? '/', 'http://any').pathname, {
      root,
      extensions: ['html'],
    }).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Opens a page that reaches its own host only, and notes what it complains of. Ports are left out. */
async function openPage(
  browser: Browser,
  { origin }: SiteHost,
  address: string,
  options: BrowserContextOptions,
  complaints: Set<string>,
): Promise<Page> {
  const add = (text: string): unknown => complaints.add(text.replaceAll(origin, ''));
  const context = await openContext(browser, options);
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => add(message));
  page.on('console', (message) => {
    if (message.type() === 'error') add(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()} ${response.url()}`);
  });
  await page.route('**', (route) => {
    const url = route.request().url();
    if (url.startsWith(origin) || /^(?:data|blob):/.test(url)) return route.continue();
    add(`asked another host: ${url}`);
    return route.abort();
  });
  await page.goto(origin + address);
  return page;
}

/** Returns what the pages of a site complain of that isn't enhanced. */
async function complaintsOf(
  browser: Browser,
  host: SiteHost,
  site: BuiltSite,
): Promise<ReadonlySet<string>> {
  const complaints = new Set<string>();
  const page = await openPage(browser, host, site.start, {}, complaints);
  await page.waitForLoadState('networkidle');
  await page.context().close();
  return complaints;
}

async function askHost(
  browser: Browser,
  host: SiteHost,
  site: BuiltSite,
  asked: SiteQuestions,
  pictures: string | undefined,
): Promise<Omit<HostOutcomes, 'host'>> {
  const complaints = new Set<string>();
  const open = async (options: BrowserContextOptions): Promise<OpenBox> =>
    new OpenBox(
      await openPage(browser, host, site.start, options, complaints),
      host.origin + site.basePath,
    );
  const routes = new Map<string, string>();
  const pageOf = (url: string): string => {
    const route = decodeURIComponent(url)
      .replace(/[?#].*$/s, '')
      .replace(/(?:index)?(?:\.html)?\/?$/, '')
      .replace(/\/index$/, '');
    return routes.get(route) ?? route;
  };
  for (const { accept } of [...asked.questions, ...asked.searches])
    for (const page of accept) routes.set(site.routeOf(page), page);

  const box = await open({ viewport: { width: 1280, height: 860 } });
  const pagesOf = (urls: readonly string[]): string[] => [...new Set(urls.map(pageOf))];
  const searches: Found[] = [];
  for (const search of asked.searches)
    searches.push({ asked: search, pages: pagesOf(await box.search(search.q)) });
  const questions: Found[] = [];
  for (const question of asked.questions) {
    const listed = pagesOf(await box.search(question.q));
    questions.push({ asked: question, pages: pagesOf(await box.ask(question.q)), listed });
  }
  await box.close();
  const [{ q: question } = { q: '' }] = asked.questions;
  const [{ q: words } = { q: '' }] = asked.searches;
  for (const [name, width, colorScheme] of [
    ['wide light', 1280, 'light'],
    ['wide dark', 1280, 'dark'],
    ['narrow light', 380, 'light'],
    ['narrow dark', 380, 'dark'],
  ] as const) {
    const shown = await open({ viewport: { width, height: 800 }, colorScheme });
    for (const [step, show] of [
      ['search', () => shown.search(words)],
      ['answer', () => shown.ask(question)],
    ] as const) {
      await show();
      for (const finding of await shown.findings()) complaints.add(`${name}, ${step}: ${finding}`);
      if (pictures !== undefined) await takeScreenshot(shown.page, `${pictures} ${name} ${step}`);
    }
    await shown.close();
  }
  return { questions, searches, complaints: [...complaints] };
}

/** The box of a page in a browser. */
class OpenBox {
  readonly page: Page;
  readonly #root: string;

  /** @param root address of the site's root, without a slash at its end */
  constructor(page: Page, root: string) {
    this.page = page;
    this.#root = `${root}/`;
  }

  get #box() {
    return this.page.locator('docs-assistant-box');
  }

  get #field() {
    return this.#box.locator('input.field');
  }

  /** Types a text. @returns the pages of the results as paths below the root of the site, best first. */
  async search(text: string): Promise<readonly string[]> {
    await this.#open();
    await this.#field.fill(text);
    // The first row names the text that the shown results are for.
    await this.#box.getByRole('option', { name: `Ask: ${text}`, exact: true }).waitFor();
    return this.#addresses('.option[href]');
  }

  /** Asks a question. @returns the pages of the sources as paths below the root of the site, in their order. */
  async ask(text: string): Promise<readonly string[]> {
    await this.search(text);
    await this.#field.press('Control+Enter');
    await this.#box.locator('.reply').waitFor();
    return this.#addresses('.reply > ol a');
  }

  /** Returns what axe finds in the box. */
  async findings(): Promise<string[]> {
    await this.page.evaluate(await axeScript());
    return this.page.evaluate(async () => {
      const box = document.querySelector('docs-assistant-box');
      if (!box) return ['no box'];
      const { violations } = await window.axe.run(box, {
        // It would fetch the site's style sheets of other hosts.
        preload: false,
        resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    });
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  async #open(): Promise<void> {
    if (await this.#field.isVisible()) return;
    await this.#box.locator('button.open').waitFor();
    await this.page.keyboard.press('/');
    await this.#field.waitFor();
  }

  async #addresses(selector: string): Promise<readonly string[]> {
    const urls = await this.#box
      .locator(selector)
      .evaluateAll((links) =>
        links.map((link) => (link instanceof HTMLAnchorElement ? link.href : '')),
      );
    return urls.map((url) => (url.startsWith(this.#root) ? url.slice(this.#root.length) : url));
  }
}

let axe: Promise<string> | undefined;

function axeScript(): Promise<string> {
  return (axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
}

/** Asks the engine on docs as Markdown. */
async function askEngine(docs: string, asked: SiteQuestions): Promise<Outcomes> {
  const library = await libraryOf(docs);
  try {
    const answerable = asked.questions.map(({ q, accept }) => ({
      q,
      accept: [...accept],
      span: [''],
    }));
    const answers = askAll(library.index, {
      answerable,
      unanswerable: [],
      followups: [],
      withCode: [],
    });
    return {
      questions: asked.questions.map((question, at) => ({
        asked: question,
        pages: answers[at]?.found ?? [],
      })),
      searches: asked.searches.map((question) => {
        const plain = { text: question.q, earlier: [], contextItems: [], isOpen: true };
        const { sections } = retrieve(library.index, plain, undefined, 5);
        return { asked: question, pages: [...new Set(sections.map(({ page }) => page.path))] };
      }),
    };
  } finally {
    await library.stop();
  }
}

/**
 * Counts the questions whose first page is right, those that have a right page among the first five, and those that have
 * one in the list that a reader sees before the answer.
 */
export function rates(all: readonly Found[]): {
  readonly first: number;
  readonly inFive: number;
  readonly listed: number;
} {
  const isRight = ({ accept }: AskedQuestion, pages: readonly string[]): boolean =>
    pages.some((page) => accept.includes(page));
  return {
    first: all.filter(({ asked, pages }) => isRight(asked, pages.slice(0, 1))).length,
    inFive: all.filter(({ asked, pages }) => isRight(asked, pages.slice(0, 5))).length,
    listed: all.filter(({ asked, pages, listed }) => isRight(asked, listed ?? pages)).length,
  };
}
