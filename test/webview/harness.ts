/** Opens the built webview in a headless browser, with a host that the test plays. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import type { HostEnvelope, ViewRequestName } from '../../src/shared/protocol';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { scaledMs } from '../tooling/speed.mjs';
import { FakeHost, type HostView } from './fakeHost';
import { bodyMarks, newNonce, themeVariables, WebviewServer, type ThemeName } from './webviewPage';

/** Flags for no sandbox (which root can't have), no GPU, and no request but the page's own. */
const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

declare global {
  interface Window {
    /** Calls back in the next frame of the browser, even where a test has stopped the page's clock. */
    readonly inNextFrame: (callback: () => void) => void;
    /** Number of times that the view's page was loaded. */
    readonly loadNumber: number;
    /** Accessible names that elements got since {@link OpenView.waitForName} began. */
    givenNames: Set<string>;
  }
}

/** Milliseconds after which a wait ends that only something broken makes so long. */
const waitLimitMs = scaledMs(60_000);

export interface ViewSettings {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly state?: unknown;
  /** Whether the view rests after each frame as in VS Code, for tests of when it draws. */
  readonly hasRests?: boolean;
  /** Before the page is loaded. */
  readonly prepare?: (host: FakeHost) => void;
}

const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined;

/** Browser of this process, in a worker of Mocha: all files of the worker use it. */
let workerBrowser: Promise<Browser> | undefined;

/** Starts the browser that the runner of the tests or benches has found. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'];
  assert.ok(executablePath, 'CHROME_PATH names no browser. Use npm run test:webview or bench.');
  return chromium.launch({
    executablePath,
    args: chromiumArgs,
    timeout: waitLimitMs,
  });
}

/** Returns a new context whose waits last as long as this machine may need. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(waitLimitMs);
  return context;
}

/**
 * Returns a browser for the tests of a file, and how to give it back. The files of one of Mocha's
 * workers share a browser, which ends with the worker.
 */
export async function borrowBrowser(): Promise<{
  browser: Browser;
  giveBack: () => Promise<void>;
}> {
  if (isWorker) {
    workerBrowser ??= launchBrowser();
    return { browser: await workerBrowser, giveBack: () => Promise.resolve() };
  }
  const browser = await launchBrowser();
  return { browser, giveBack: () => browser.close() };
}

/** One for all views, so that the browser compiles their scripts once. No text of a test knows it. */
const nonce = newNonce();

/** A page that shows one view after the other: loading a view in a new page takes several times as long. */
class ReusedPage {
  /** Whether a test changed the page in a way that outlives the test's document. */
  isSpoiled = false;
  /** Whether a test gave the page a clock, which all pages of its context then have. */
  hasClock = false;
  readonly page: Page;
  #view: OpenView | undefined;

  private constructor(page: Page) {
    this.page = page;
    const spoil = (): void => {
      this.isSpoiled = true;
    };
    page.on('crash', spoil);
    const { clock } = page;
    const [addInitScript, installClock] = [
      page.addInitScript.bind(page),
      clock.install.bind(clock),
    ];
    page.addInitScript = (...script: Parameters<typeof addInitScript>) => {
      spoil();
      return addInitScript(...script);
    };
    clock.install = (...options: Parameters<typeof installClock>) => {
      this.hasClock = true;
      return installClock(...options);
    };
  }

  static async open(context: BrowserContext): Promise<ReusedPage> {
    const page = await context.newPage();
    const reused = new ReusedPage(page);
    const expose = (
      name: string,
      hear: (view: OpenView, value: unknown, loadNumber: number) => void,
    ): Promise<unknown> =>
      page.exposeFunction(name, (value: unknown, viewPath: string, loadNumber: number) => {
        // The document of an earlier test may still speak while it goes.
        if (reused.#view?.path === viewPath) hear(reused.#view, value, loadNumber);
      });
    await Promise.all([
      expose('hostReceive', (view, message, loadNumber) => view.receive(message, loadNumber)),
      expose('hostKeepState', (view, state) => (view.state = state)),
      expose('hostNoteViolation', (view, text) => view.policyViolations.push(String(text))),
      expose('hostNoteNavigation', (view, href) => view.navigations.push(String(href))),
    ]);
    return reused;
  }

  /** Gives the page to the view of a test. */
  async lendTo(view: OpenView, settings: ViewSettings): Promise<void> {
    this.#view = view;
    const { width = 420, height = 720, reducedMotion = false } = settings;
    await Promise.all([
      // Chromium draws one frame a second in a page that another page of its context covers.
      this.page.bringToFront(),
      this.page.setViewportSize({ width, height }),
      this.page.emulateMedia({
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        forcedColors: null,
      }),
    ]);
  }

  /** Makes the page ready for the next test. */
  async clean(): Promise<void> {
    this.#view = undefined;
    this.page.removeAllListeners();
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
  }
}

/** Tester of this process, in a worker of Mocha: all files of the worker use it. */
let workerTester: Promise<ViewTester> | undefined;

/** Opens views: one context at a time and one server for the tests of a worker, or of a file where there are no workers. */
export class ViewTester {
  readonly #browser: Browser;
  #context: BrowserContext;
  readonly #server: WebviewServer;
  readonly #giveBack: () => Promise<void>;
  #free: ReusedPage[] = [];
  readonly #views: { view: OpenView; reused: ReusedPage }[] = [];

  private constructor(
    browser: Browser,
    context: BrowserContext,
    server: WebviewServer,
    giveBack: () => Promise<void>,
  ) {
    this.#browser = browser;
    this.#context = context;
    this.#server = server;
    this.#giveBack = giveBack;
  }

  /** Returns the tester of the worker. Its pages have the scripts of the view compiled already. */
  static start(): Promise<ViewTester> {
    if (!isWorker) return ViewTester.#startNew();
    return (workerTester ??= ViewTester.#startNew());
  }

  static async #startNew(): Promise<ViewTester> {
    const [{ browser, giveBack }, server] = await Promise.all([
      borrowBrowser(),
      WebviewServer.start(),
    ]);
    return new ViewTester(browser, await openContext(browser), server, giveBack);
  }

  async open(view: HostView, settings: ViewSettings = {}): Promise<OpenView> {
    const host = new FakeHost(view);
    settings.prepare?.(host);
    const reused = this.#free.pop() ?? (await ReusedPage.open(this.#context));
    const opened = new OpenView(reused.page, host, this.#server, settings);
    this.#views.push({ view: opened, reused });
    await reused.lendTo(opened, settings);
    await opened.load();
    return opened;
  }

  /** Ends the views of a test and fails if one of them misbehaved unseen. */
  async closeViews(): Promise<void> {
    const views = this.#views.splice(0);
    for (const { view, reused } of views) {
      await reused.clean();
      if (reused.isSpoiled) await reused.page.close();
      else this.#free.push(reused);
      view.end();
    }
    if (views.some(({ reused }) => reused.hasClock)) {
      await this.#context.close();
      this.#free = [];
      this.#context = await openContext(this.#browser);
    }
    for (const { view } of views) view.assertQuiet();
  }

  /** Saves what the views of a failed test show. */
  async takeScreenshots(title: string): Promise<void> {
    for (const [index, { view }] of this.#views.entries()) {
      await takeScreenshot(view.page, index === 0 ? title : `${title} ${index + 1}`);
    }
  }

  /**
   * Ends the tester after the tests of a file. That of a worker keeps one page for the next file. It is blank
   * meanwhile, so that nothing turns in it.
   */
  async stop(): Promise<void> {
    if (isWorker) {
      await Promise.all(this.#free.splice(1).map(({ page }) => page.close()));
      await this.#free[0]?.page.goto('about:blank');
      return;
    }
    await this.#context.close();
    await this.#giveBack();
    await this.#server.stop();
  }
}

const screenshotFolder = path.join('out', 'screenshots');

/** Saves a screenshot under the title in `out/screenshots`. */
export async function takeScreenshot(page: Page, title: string): Promise<void> {
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120);
  await mkdir(screenshotFolder, { recursive: true });
  // Playwright hides carets and animations by a style, which the view's policy refuses.
  await page.screenshot({
    path: path.join(screenshotFolder, `${name}.png`),
    caret: 'initial',
    animations: 'allow',
  });
}

/** Whether tests save screenshots of what they show, and not only of failures. */
export const wantsScreenshots = process.env['SCREENSHOTS'] === '1';

/**
 * Returns a tester for the tests of a suite. The views of each test are ended after it, and judged:
 * by errors, by what their policy refused, by what was asked of the network. A test that fails
 * leaves a screenshot.
 */
export function useViewTester(): Pick<ViewTester, 'open' | 'closeViews'> {
  let started: ViewTester | undefined;
  before(async () => {
    started = await ViewTester.start();
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed() === true) {
      await started?.takeScreenshots(this.currentTest.fullTitle()).catch(() => undefined);
    }
    await started?.closeViews();
  });
  after(() => started?.stop());
  return {
    open: (...view) => {
      assert.ok(started, 'a view can be opened in a test or a hook only');
      return started.open(...view);
    },
    closeViews: async () => started?.closeViews(),
  };
}

/** The webview as a person has it before them. */
export class OpenView {
  readonly page: Page;
  readonly host: FakeHost;
  /** Uncaught errors and what was written to the console as an error. */
  readonly errors: string[] = [];
  readonly policyViolations: string[] = [];
  /** Requests to anywhere but the page's own files, refused ones included. */
  readonly foreignRequests: string[] = [];
  /** Requests that the page's policy refused, so that nothing left the browser. */
  readonly refusedRequests: string[] = [];
  /** Links that VS Code would have opened by itself, past the host. */
  readonly navigations: string[] = [];
  state: unknown;
  readonly #address: string;
  #loadNumber = 0;
  #isEnded = false;
  #theme: ThemeName;

  constructor(page: Page, host: FakeHost, server: WebviewServer, settings: ViewSettings) {
    this.page = page;
    this.host = host;
    this.state = settings.state;
    this.#theme = settings.theme ?? 'dark';
    this.#address = server.addPage(() => ({
      theme: this.#theme,
      state: this.state,
      nonce,
      restFactor: settings.hasRests === true ? undefined : 0,
      loadNumber: ++this.#loadNumber,
    }));
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (entry) => {
      if (entry.type() === 'error') this.errors.push(entry.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(server.origin)) this.foreignRequests.push(request.url());
    });
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') this.refusedRequests.push(request.url());
    });
    page.on('framenavigated', (frame) => {
      if (frame.url() !== this.#address && frame.url() !== 'about:blank') {
        this.navigations.push(frame.url());
      }
    });
    host.post = (message) => this.#post(message);
  }

  /** Path of the view's page, which no other view has. */
  get path(): string {
    return new URL(this.#address).pathname;
  }

  async load(): Promise<void> {
    await this.page.goto(this.#address);
    await this.ready();
  }

  /**
   * Hands a message of the page to the host.
   *
   * @param loadNumber load that the message comes from. The answer is for that document alone.
   */
  receive(message: unknown, loadNumber: number): void {
    this.host
      .receive(message, (answer) => this.#post(answer, loadNumber))
      .catch((error: unknown) => this.#noteFailure(error, loadNumber));
  }

  /**
   * Gives the page a message of the host. When this resolves, the page has handled it: a message that
   * waits in the browser's queue could be overtaken by what the test does or reads next.
   *
   * @param loadNumber the only load whose document gets the message, or undefined for any.
   */
  async #post(message: HostEnvelope, loadNumber?: number): Promise<void> {
    if (this.#isEnded) return;
    await this.page.evaluate(
      ({ data, only }) => {
        if (only !== undefined && only !== window.loadNumber) return;
        window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
      },
      { data: message, only: loadNumber },
    );
  }

  /** Stops the host's answers: the page belongs to another view from now on. */
  end(): void {
    this.#isEnded = true;
  }

  /** Reloads the view as VS Code does when it is moved, or hidden and shown again. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Waits until the panel is there, in its fonts, and has come to rest where it opens. */
  async ready(): Promise<void> {
    await this.page.locator('.chat-panel').waitFor();
    await this.page.evaluate(async () => {
      await document.fonts.ready;
    });
    await this.drawn();
  }

  /** Sets variables on the root and marks on the body, as VS Code does when the theme changes. */
  async setTheme(theme: ThemeName): Promise<void> {
    this.#theme = theme;
    await this.page.evaluate(
      ({ variables, className, kind }) => {
        const { style } = document.documentElement;
        for (const name of [...style]) style.removeProperty(name);
        for (const [name, value] of variables) style.setProperty(name, value);
        document.body.className = `vscode-body ${className}`;
        document.body.dataset['vscodeThemeKind'] = kind;
      },
      { variables: themeVariables(theme), ...bodyMarks(theme) },
    );
  }

  /** Waits until everything that was posted has been drawn. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.inNextFrame(() => window.inNextFrame(() => resolve()));
        }),
    );
  }

  /**
   * Turns the wheel over an element and waits until that has scrolled. The browser first tells the
   * page of the turn, and scrolls some frames later.
   */
  async turnWheel(scroller: Locator, deltaY: number): Promise<void> {
    const top = (): Promise<number> => scroller.evaluate(({ scrollTop }) => scrollTop);
    await scroller.hover();
    const before = await top();
    await this.page.mouse.wheel(0, deltaY);
    await this.until(async () => (await top()) !== before, 'the wheel to scroll');
    await this.drawn();
  }

  /**
   * Stops the clock of the page, so that its timers and frames come only by `page.clock.runFor`,
   * however long the test takes.
   */
  async stopClock(): Promise<void> {
    const now = Date.now();
    await this.page.clock.install({ time: now });
    // The clock runs until it is told to stop, and can't be stopped in the past.
    await this.page.clock.pauseAt(now + 3_600_000);
  }

  /** Waits until an element got this accessible name after the action, if only for a moment. */
  async waitForName(name: string, act: () => Promise<unknown>): Promise<void> {
    await this.page.evaluate(() => {
      const names = (window.givenNames = new Set());
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          if (target instanceof Element) names.add(target.getAttribute('aria-label') ?? '');
        }
      }).observe(document.body, { subtree: true, attributeFilter: ['aria-label'] });
    });
    await act();
    await this.until(
      () => this.page.evaluate((wanted) => window.givenNames.has(wanted), name),
      `something called ${name}`,
    );
  }

  /** Waits for what neither an element nor a frame tells. @throws when it takes too long. */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const tooLate = new AbortController();
    let isOver = false;
    const wait = async (): Promise<void> => {
      while (!isOver && !(await condition())) await this.drawn();
    };
    // A page that gives no answer must not hide what the test waits for.
    const limit = delay(waitLimitMs, undefined, { signal: tooLate.signal }).then(() =>
      assert.fail(`waited in vain for ${what}`),
    );
    try {
      await Promise.race([wait(), limit]);
    } finally {
      isOver = true;
      tooLate.abort();
    }
  }

  /** Waits until the host has been asked so often. @returns every such request so far, in order. */
  async requested<Name extends ViewRequestName>(name: Name, times = 1) {
    await this.until(() => this.host.requestsFor(name).length >= times, `${times} × ${name}`);
    return this.host.requestsFor(name);
  }

  /** Waits until the last reply reads like this. */
  async replyShows(pattern: RegExp): Promise<void> {
    const reply = this.page.locator('.reply').last();
    await this.until(async () => pattern.test(await reply.innerText()), String(pattern));
  }

  /** Waits until what VS Code keeps of the view over a reload holds such a text. */
  async stateHolds(text: string): Promise<void> {
    await this.until(
      () => JSON.stringify(this.state ?? null).includes(text),
      `${text} in the state`,
    );
  }

  /**
   * Returns the label of the focused element, or an empty text if it has none or nothing has the
   * focus.
   */
  async focusedName(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  }

  /** The view's texts. */
  get strings(): ViewStrings {
    return this.host.strings;
  }

  /** The question box's inner control. */
  get composer() {
    return this.page.getByRole('textbox', { name: this.strings.composerLabel });
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Fails if the page logged errors, broke its policy, asked the network or navigated. */
  assertQuiet(): void {
    assert.deepEqual(
      {
        errors: this.errors,
        policyViolations: this.policyViolations,
        foreignRequests: this.foreignRequests,
        navigations: this.navigations,
      },
      { errors: [], policyViolations: [], foreignRequests: [], navigations: [] },
    );
  }

  /** Forgets trouble that a test caused on purpose, once the test has looked at it. */
  forgetTrouble(): void {
    for (const list of [this.errors, this.policyViolations, this.foreignRequests]) list.length = 0;
    this.navigations.length = 0;
  }

  #noteFailure(error: unknown, loadNumber: number): void {
    // The page may be gone or loaded again before its last answer: that is no failure of the view.
    const isGone = this.#isEnded || this.page.isClosed() || loadNumber !== this.#loadNumber;
    if (isGone && !(error instanceof assert.AssertionError)) return;
    this.errors.push(error instanceof Error ? error.message : String(error));
  }
}
