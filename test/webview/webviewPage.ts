/**
 * The page around the built webview, as VS Code makes it: its default styles and theme variables
 * come before the page's own head, and `acquireVsCodeApi` is there. Served over loopback HTTP.
 */
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { chatViewHtml } from '../../src/shared/chatViewHtml';
import { pageStrings } from '../../src/shared/viewStrings';
import themes from './themes.json';

/**
 * The four themes that VS Code comes with, by what the tests call them. The values of the variables
 * in use were read off the workbench of code-server 4.100.3 in each theme.
 */
export type ThemeName = keyof typeof themes;

export const themeNames = ['dark', 'light', 'hcDark', 'hcLight'] as const satisfies ThemeName[];

/** Folder of the built webview. Another one is for a build beside the shipped one. */
const webviewFolder = process.env['DOCS_ASSISTANT_WEBVIEW_FOLDER'] ?? 'dist/webview';

/** `_defaultStyles` of VS Code's webview page (out/vs/workbench/contrib/webview/browser/pre). */
const vscodeDefaultStyles = `
html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
img, video { max-width: 100%; max-height: 100%; }
a, a code { color: var(--vscode-textLink-foreground); }
p > a { text-decoration: var(--text-link-decoration); }
a:hover { color: var(--vscode-textLink-activeForeground); }
a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
code { font-family: var(--monaco-monospace-font); color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
pre code { padding: 0; }
blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
::-webkit-scrollbar { width: 10px; height: 10px; }
::-webkit-scrollbar-corner { background-color: var(--vscode-editor-background); }
::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
::-webkit-scrollbar-thumb:hover { background-color: var(--vscode-scrollbarSlider-hoverBackground); }
::-webkit-scrollbar-thumb:active { background-color: var(--vscode-scrollbarSlider-activeBackground); }
/* The side bar behind the view, which is transparent. */
html { background: var(--vscode-sideBar-background); }
`;

/**
 * Milliseconds after which a test no longer waits for a frame. A busy browser may give a page none for long, and the
 * view then draws without one.
 */
const LATE_FRAME_MS = 2_000;

/** Runs before the page's own script, as VS Code's does. `state` is what `getState` gives. */
function apiScript({ state, loadNumber = 1 }: ServedPage): string {
  return `
(() => {
  const [nextFrame, later] = [requestAnimationFrame.bind(window), setTimeout.bind(window)];
  window.inNextFrame = (callback) => {
    const once = () => { const due = callback; callback = undefined; due?.(); };
    nextFrame(once);
    later(once, ${LATE_FRAME_MS});
  };
  window.loadNumber = ${loadNumber};
  const tell = (name, value) => void window[name](value, location.pathname, ${loadNumber});
  let state = ${JSON.stringify(state === undefined ? null : state).replaceAll('<', '\\u003c')} ?? undefined;
  let isAcquired = false;
  window.acquireVsCodeApi = () => {
    if (isAcquired) throw new Error('An instance of the VS Code API has already been acquired');
    isAcquired = true;
    return Object.freeze({
      postMessage: (message) => tell('hostReceive', JSON.parse(JSON.stringify(message))),
      setState: (next) => { state = next; tell('hostKeepState', next); return next; },
      getState: () => state,
    });
  };
  document.addEventListener('securitypolicyviolation', (event) => {
    tell('hostNoteViolation', event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
  });
  // VS Code opens every link that is clicked and that nobody stopped.
  window.addEventListener('click', (event) => {
    for (const node of event.composedPath()) {
      if (node.tagName?.toLowerCase() === 'a' && node.href) {
        tell('hostNoteNavigation', node.href);
        event.preventDefault();
        return;
      }
    }
  });
})();`;
}

/** Returns every variable that any theme sets, with the theme's value or `initial`. */
export function themeVariables(theme: ThemeName): [name: string, value: string][] {
  const own = new Map(Object.entries<string>(themes[theme].variables));
  const names = new Set(themeNames.flatMap((name) => Object.keys(themes[name].variables)));
  return [...names].map((name) => [name, own.get(name) ?? 'initial']);
}

/** Returns the class and the attribute of `body` in the theme. */
export function bodyMarks(theme: ThemeName): { className: string; kind: string } {
  const { kind } = themes[theme];
  const isLightContrast = kind === 'vscode-high-contrast-light';
  return { kind, className: isLightContrast ? `${kind} vscode-high-contrast` : kind };
}

export interface ServedPage {
  readonly theme: ThemeName;
  /** State that the webview stored before this load. */
  readonly state: unknown;
  /** Number of times that this page was loaded, this one included. Left out where nobody asks. */
  readonly loadNumber?: number;
  /**
   * Nonce of the page's script. Each load has one of its own by default. A browser keeps what it compiled of a script
   * for loads with the same nonce only.
   */
  readonly nonce?: string;
  /**
   * Rest of the view after each frame, in multiples of the frame's time. VS Code's own by default.
   */
  readonly restFactor?: number | undefined;
}

interface Served {
  readonly type: string;
  readonly body: string | Buffer;
  /** Whether it is a file of the build, which does not change during a run. */
  readonly isFile: boolean;
}

/** Returns a new nonce for the scripts of a page. */
export const newNonce = (): string => randomBytes(24).toString('base64');

/** Serves the webview's files and its page; what the page is like is asked at each load. */
export class WebviewServer {
  readonly origin: string;
  readonly #server: Server;
  /** Served pages by their path. */
  readonly #pages = new Map<string, () => ServedPage>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => {
      void this.#answer(request.url ?? '/').then(
        ({ type, body, isFile }) => {
          // The browser then compiles a script once for all views of a file of tests.
          const cache = isFile ? 'max-age=3600, immutable' : 'no-store';
          response.writeHead(200, { 'content-type': type, 'cache-control': cache });
          response.end(body);
        },
        () => {
          response.writeHead(404);
          response.end();
        },
      );
    });
  }

  static async start(): Promise<WebviewServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No port');
    return new WebviewServer(server, address.port);
  }

  /** @returns the address of a page of its own. */
  addPage(page: () => ServedPage): string {
    const name = `/view-${this.#pages.size + 1}`;
    this.#pages.set(name, page);
    return this.origin + name;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(url: string): Promise<Served> {
    const [pathname = ''] = url.split('?');
    const page = this.#pages.get(pathname);
    if (page) {
      return { type: 'text/html; charset=utf-8', body: this.#html(page()), isFile: false };
    }
    // Files of the build and of its folder of lazily loaded chunks, and nothing else.
    const name = /^\/((?:chunks\/)?[\w-]+(?:\.[\w-]+)*)$/.exec(pathname)?.[1] ?? '';
    const type = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' }[
      path.extname(name)
    ];
    if (type === undefined) throw new Error(`Nothing at ${pathname}`);
    return { type, body: await readFile(path.join(webviewFolder, name)), isFile: true };
  }

  #html(page: ServedPage): string {
    const { theme, restFactor, nonce = newNonce() } = page;
    const { className, kind } = bodyMarks(theme);
    return chatViewHtml({
      nonce,
      cspSource: this.origin,
      scriptUri: `${this.origin}/main.js`,
      styleUri: `${this.origin}/styles.css`,
      language: 'en',
      ...pageStrings,
    })
      .replace(
        '<html',
        restFactor === undefined ? '<html' : `<html data-rest-factor="${restFactor}"`,
      )
      .replace(
        '<head>',
        `<head><style>${vscodeDefaultStyles}</style><style>:root { ${themeVariables(theme)
          .map(([name, value]) => `${name}: ${value};`)
          .join(' ')} }</style><script>${apiScript(page)}</script>`,
      )
      .replace(
        '<body>',
        `<body class="vscode-body ${className}" data-vscode-theme-kind="${kind}">`,
      );
  }
}
