/** Types of a call of a docs tool: its target, its options and its result. */
import type { AskSettings } from '../site/activeSite';

/** Site that questions go to. It is read again at each call, because users switch sites. */
export interface DocsTarget {
  readonly settings: AskSettings;
  /** Name of the site for people, such as `Sample Docs` or `acme · docs.example.com`. */
  readonly label: string;
  /** Assistant key of the settings' origin. Sent in `Authorization` and nowhere else. */
  readonly key: string | undefined;
  /** Whether asking spends a credit of the site's organization. Docs on this machine spend none. */
  readonly spendsCredit: boolean;
  /** Local docs service that can search and read pages. The hosted API can do neither. */
  readonly local?: { readonly url: string; readonly domain: string; readonly key: string };
}

/** Options of one call of a tool. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Space that the result may take. Without it, the tool's own limit holds. */
  readonly budget?: TokenBudget;
  /** Called with the site before anything is sent to it. An error that it throws ends the call. */
  readonly onTarget?: (target: DocsTarget | undefined) => void;
  /** Called with short sentences, such as "Searching the docs", while the tool works. */
  readonly onProgress?: (sentence: string) => void;
}

export interface TokenBudget {
  readonly tokens: number;
  readonly count: (text: string) => PromiseLike<number>;
}

/** Result of a tool: Markdown for a model to read, and the same as data (JSON). */
export interface ToolResult<Data> {
  readonly text: string;
  readonly data: Data;
}
