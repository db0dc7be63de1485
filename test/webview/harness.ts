/** Opens the built webview in a headless browser, with a host that the test plays. */
import assert from 'node:assert/strict';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { ViewRequestName } from '../../src/shared/protocol';
import { FakeHost, type HostView } from './fakeHost';
import { bodyMarks, themeVariables, WebviewServer, type ThemeName } from './webviewPage';

/** No sandbox (which root cannot have), no GPU, no request but the page's own. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export interface ViewSettings {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly state?: unknown;
  /** Before the page is loaded. */
  readonly prepare?: (host: FakeHost) => void;
}

/** One browser and one server for the tests of a file. */
export class ViewTester {
  readonly #browser: Browser;
  readonly #server: WebviewServer;
  readonly #views: OpenView[] = [];

  private constructor(browser: Browser, server: WebviewServer) {
    this.#browser = browser;
    this.#server = server;
  }

  static async start(): Promise<ViewTester> {
    const [browser, server] = await Promise.all([
      chromium.launch({
        executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
        args: chromiumArgs,
      }),
      WebviewServer.start(),
    ]);
    return new ViewTester(browser, server);
  }

  async open(view: HostView, settings: ViewSettings = {}): Promise<OpenView> {
    const context = await this.#browser.newContext({
      viewport: { width: settings.width ?? 420, height: settings.height ?? 720 },
      reducedMotion: settings.reducedMotion === true ? 'reduce' : 'no-preference',
    });
    const host = new FakeHost(view);
    settings.prepare?.(host);
    const page = await context.newPage();
    const opened = new OpenView(page, host, this.#server, settings);
    this.#views.push(opened);
    await opened.load();
    return opened;
  }

  /** Closes the views of a test and fails if one of them misbehaved unseen. */
  async closeViews(): Promise<void> {
    const views = this.#views.splice(0);
    await Promise.all(views.map(({ page }) => page.context().close()));
    for (const view of views) view.assertQuiet();
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
  }
}

/**
 * A tester for the tests of a suite. The views of each test are closed after it, and judged: by errors,
 * by what their policy refused, by what was asked of the network.
 */
export function useViewTester(): Pick<ViewTester, 'open'> {
  let started: ViewTester | undefined;
  before(async () => {
    started = await ViewTester.start();
  });
  afterEach(() => started?.closeViews());
  after(() => started?.stop());
  return {
    open: (...view) => {
      assert.ok(started, 'a view can be opened in a test or a hook only');
      return started.open(...view);
    },
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
  /** Those among them that the page's policy refused, so that nothing left the browser. */
  readonly refusedRequests: string[] = [];
  /** Links that VS Code would have opened by itself, past the host. */
  readonly navigations: string[] = [];
  state: unknown;
  readonly #address: string;
  #theme: ThemeName;

  constructor(page: Page, host: FakeHost, server: WebviewServer, settings: ViewSettings) {
    this.page = page;
    this.host = host;
    this.state = settings.state;
    this.#theme = settings.theme ?? 'dark';
    this.#address = server.addPage(() => ({ theme: this.#theme, state: this.state }));
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
    host.post = async (message) => {
      await page.evaluate((posted) => window.postMessage(posted, window.origin), message);
    };
  }

  async load(): Promise<void> {
    await this.page.exposeFunction('hostReceive', (message: unknown) => {
      this.host.receive(message).catch((error: unknown) => this.#noteFailure(error));
    });
    await this.page.exposeFunction('hostKeepState', (state: unknown) => {
      this.state = state;
    });
    await this.page.exposeFunction('hostNoteViolation', (violation: string) => {
      this.policyViolations.push(violation);
    });
    await this.page.exposeFunction('hostNoteNavigation', (href: string) => {
      this.navigations.push(href);
    });
    await this.page.goto(this.#address);
    await this.ready();
  }

  /** As VS Code does when the view is moved, or hidden and shown again. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.page.locator('.chat-panel').waitFor();
    await this.page.evaluate(() => document.fonts.ready);
  }

  /** As VS Code does when the theme changes: variables on the root, marks on the body. */
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

  /** Until everything that was posted has been drawn. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        }),
    );
  }

  /** Waits for what neither an element nor a frame tells. @throws when it takes too long. */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const end = Date.now() + 20_000;
    while (!(await condition())) {
      if (Date.now() > end) assert.fail(`waited in vain for ${what}`);
      await this.drawn();
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

  /** The label of what has the focus; empty where that has none, or nothing has it. */
  async focusedName(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  }

  /** The question box's inner control. */
  get composer() {
    return this.page.getByRole('textbox', { name: 'Question' });
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

  /** For tests that cause trouble on purpose, once they have looked at it. */
  forgetTrouble(): void {
    for (const list of [this.errors, this.policyViolations, this.foreignRequests]) list.length = 0;
    this.navigations.length = 0;
  }

  #noteFailure(error: unknown): void {
    // The page may be gone before its last answer: that is no failure of the view.
    if (this.page.isClosed()) return;
    this.errors.push(error instanceof Error ? error.message : String(error));
  }
}
