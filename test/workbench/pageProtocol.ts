/**
 * Messages between the suite inside the extension host and the driver outside it, as JSON over
 * loopback. Only the driver can reach the page, only the suite can reach the `vscode` API.
 */

/** The environment variable of the extension host that holds a {@link SuiteEnvironment} as JSON. */
export const SUITE_ENVIRONMENT = 'DOCS_ASSISTANT_SUITE';

export interface SuiteEnvironment {
  /** Address of the driver: `GET /run`, `POST /run/event`, `POST /page`. */
  readonly driverUrl: string;
  /** False in desktop VS Code, whose page the driver cannot reach. */
  readonly hasPage: boolean;
  /** The docs service as the extension sees it from its start: through the fault proxy. */
  readonly site: {
    readonly url: string;
    readonly domain: string;
    readonly key: string;
    readonly adminKey: string;
    readonly label: string;
  };
  /** URL at which the fault proxy takes its orders (test/fakes/faultProxyControl.ts). */
  readonly faultProxyUrl: string;
  /**
   * Absolute path of a folder with a workspace for each layout of installed packages: `npm`, `pnpm` and `pnp`. Absent
   * where there is no registry to install them from.
   */
  installed?: string;
}

/** Tests that this load of the window runs. */
export interface SuiteRun {
  /** 0, and one more after each reload of the window. */
  readonly phase: number;
  /** Absolute paths of the bundled test files. */
  readonly files: readonly string[];
  readonly testLimitMs: number;
  readonly grep?: string;
}

export interface SuiteCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Events that the suite reports in order. It reports `failed` before the next test begins, so that
 * a screenshot shows the failure.
 */
export type SuiteEvent =
  | { readonly kind: 'suite'; readonly title: string; readonly depth: number }
  | {
      readonly kind: 'passed' | 'skipped';
      readonly title: string;
      readonly depth: number;
      readonly durationMs?: number;
    }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly fullTitle: string;
      readonly depth: number;
      readonly stack: string;
    }
  | ({ readonly kind: 'end' } & SuiteCounts)
  /** The suite could not be loaded. */
  | { readonly kind: 'broken'; readonly stack: string };

/** The answer to an event. After `end`, `reloads` says that the driver reloads the window now. */
export interface SuiteEventReply {
  readonly reloads: boolean;
}

/**
 * Place in which an element is looked for: the window itself, the document inside the chat's
 * webview, the tab that `openTab` opened beside the window in the same browser, or the window that
 * `openWindow` opened there, and the chat in it.
 */
export type PageSurface = 'workbench' | 'chat' | 'tab' | 'otherWorkbench' | 'otherChat';

/** One element: `nth` (from 0) of those that match; `hasText` narrows to those that hold the text. */
export interface PageTarget {
  readonly surface: PageSurface;
  /** CSS, or Playwright's `role=button[name="Stop"]`. */
  readonly selector: string;
  readonly hasText?: string;
  readonly nth?: number;
}

export type ElementState = 'visible' | 'hidden' | 'attached' | 'detached';

export type PageCommand =
  | { readonly action: 'click' | 'hover' | 'focus'; readonly target: PageTarget }
  | { readonly action: 'fill'; readonly target: PageTarget; readonly value: string }
  /** Playwright's key names: `Enter`, `Control+KeyA`. To the target, else to what has the focus. */
  | { readonly action: 'press'; readonly key: string; readonly target?: PageTarget }
  | { readonly action: 'type'; readonly text: string }
  /** Rendered texts of all that match; never waits. */
  | { readonly action: 'texts'; readonly target: PageTarget }
  | { readonly action: 'inputValue'; readonly target: PageTarget }
  | { readonly action: 'attribute'; readonly target: PageTarget; readonly name: string }
  | { readonly action: 'waitFor'; readonly target: PageTarget; readonly state: ElementState }
  /** Evaluates JavaScript in the surface's document; the result must be JSON. */
  | { readonly action: 'evaluate'; readonly surface: PageSurface; readonly expression: string }
  /** Takes a picture of the window, the tab or the other window, where `SCREENSHOTS=1` asks for pictures. */
  | {
      readonly action: 'screenshot';
      readonly name: string;
      readonly surface?: 'tab' | 'otherWorkbench';
    }
  /** Opens an address in the one tab beside the window. Answers with the status of its document. */
  | { readonly action: 'openTab'; readonly url: string }
  /** Closes it. Answers with every address that it asked for, in order. */
  | { readonly action: 'closeTab' }
  /** Opens a second window of the same folder, of the same server, in which no suite runs. */
  | { readonly action: 'openWindow' }
  /** Closes it, as a person does. */
  | { readonly action: 'closeWindow' };

export type PageReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string };
