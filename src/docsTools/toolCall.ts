/** Types of a call of a docs tool: its target, its options and its result. */
import * as v from 'valibot';
import type { DocsOfPackages, OpenDocs } from '../common/localDocsApi';
import type { Parsed } from '../shared/schemas';
import { askSettingsSchema } from '../site/askSettingsSchema';

export const docsTargetSchema = v.object({
  settings: askSettingsSchema,
  /** Name of the site for people, such as `Sample Docs` or `acme · docs.example.com`. */
  label: v.string(),
  /** Assistant key of the settings' origin. Sent in `Authorization` and nowhere else. */
  key: v.optional(v.string(), () => undefined),
  /** Whether asking spends a credit of the site's organization. Docs on this machine spend none. */
  spendsCredit: v.boolean(),
  /** Local docs service that can search and read pages. The hosted API can do neither. */
  local: v.optional(
    v.object({
      url: v.string(),
      domain: v.string(),
      key: v.string(),
      /** False if no model writes the replies of these docs, so that they are quotes. */
      hasWriter: v.optional(v.boolean()),
      /** Whether the docs are those of installed packages, which a call can name. */
      hasPackages: v.optional(v.boolean()),
    }),
  ),
});

type ServiceTarget = Parsed<typeof docsTargetSchema>;

/** A local docs service, which another process runs. */
export type LocalServiceAddress = NonNullable<ServiceTarget['local']>;

/** Docs on this machine that this process has opened. */
export interface LocalEngine extends Pick<LocalServiceAddress, 'hasWriter'> {
  readonly engine: OpenDocs;
  /** Finds the docs of a package, if the docs are those of installed packages. */
  readonly packages?: DocsOfPackages;
}

/** Site that questions go to. It is read again at each call, because users switch sites. */
export interface DocsTarget extends Omit<ServiceTarget, 'local'> {
  readonly local?: LocalServiceAddress | LocalEngine;
  /** Looks for routes that search and read a site which is asked over HTTP, if only a request can tell. */
  readonly findLocal?: (signal: AbortSignal) => Promise<LocalServiceAddress | undefined>;
}

/** Options of one call of a tool. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Space that the result may take. Without it, the tool's own limit holds. */
  readonly budget?: TokenBudget;
  /** Called with the site before anything is sent to it. An error that it throws ends the call. */
  readonly onTarget?: (target: DocsTarget) => void;
  /** Called with short sentences, such as "Searching the docs", while the tool works. */
  readonly onProgress?: (sentence: string) => void;
  /**
   * Lets the caller's own model write a text. Used for docs on this machine without a model.
   * Rejects if the caller or its user declines.
   */
  readonly write?:
    | ((request: WriteRequest, signal: AbortSignal) => Promise<WrittenText>)
    | undefined;
}

interface WriteRequest {
  readonly instructions: string;
  readonly text: string;
}

export interface WrittenText {
  readonly text: string;
  /** Whether the model wrote to its own end. */
  readonly isWhole: boolean;
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
