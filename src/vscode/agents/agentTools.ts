/** The docs tools as language model tools of VS Code. Loaded with the first call of one. */
import * as vscode from 'vscode';
import type { Clock, Fetch, Log, NewId } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import { activeTarget, siteOf } from '../../docsTools/activeTarget';
import { createDocsTools, type DocsTools } from '../../docsTools/docsTools';
import type { DocsTarget, ToolCall } from '../../docsTools/toolCall';
import {
  type AskInput,
  askInputSchema,
  readPageInputSchema,
  searchInputSchema,
} from '../../docsTools/toolDefinitions';
import { DocsToolError } from '../../docsTools/toolErrors';
import { parseInput } from '../../docsTools/toolInput';
import { plainLine } from '../../shared/characters';
import { longestRun } from '../../shared/codeSpan';
import type { ActiveSite } from '../../site/activeSite';
import type { LocalService } from '../localService/localService';
import { translate } from '../notifications';

export type ToolMethod = 'ask' | 'search' | 'readPage';

export interface AgentToolsPorts {
  readonly site: ActiveSite;
  readonly localService: LocalService;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Characters of a question or a query in the line that VS Code shows while a tool runs. */
const MAX_SHOWN_LENGTH = 80;
/** Characters of the code that a confirmation shows. Nobody reads more in a dialog. */
const MAX_SHOWN_CODE = 2000;
/** Confirmations that are remembered until their call comes. */
const MAX_CONFIRMED = 100;

/** The language model tools of one window. */
export class AgentTools {
  readonly #ports: AgentToolsPorts;
  /** The tools, which everything in this window that asks for an agent shares. */
  readonly docs: DocsTools;
  /** Sites that confirmations named, by what was asked. */
  readonly #confirmed = new Map<string, string>();

  constructor(ports: AgentToolsPorts) {
    this.#ports = ports;
    this.docs = createDocsTools({ ...ports, caller: 'vscode', target: () => this.#target() });
  }

  /** Runs a tool. Errors that it throws are for the model, and have no stack. */
  async invoke(
    method: ToolMethod,
    { input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    if (token.isCancellationRequested) controller.abort();
    try {
      const call: ToolCall = {
        signal: controller.signal,
        ...(tokenizationOptions
          ? {
              budget: {
                tokens: tokenizationOptions.tokenBudget,
                count: (text) => tokenizationOptions.countTokens(text, token),
              },
            }
          : {}),
        ...(method === 'ask' ? { onTarget: (target) => this.#checkSite(input, target) } : {}),
      };
      const { text } = await this.docs[method](input, call);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } catch (error) {
      if (controller.signal.aborted) throw new vscode.CancellationError();
      throw withoutStack(error);
    } finally {
      subscription.dispose();
    }
  }

  /**
   * Returns the line that VS Code shows while a tool runs and, if a question spends a credit, the
   * exact question to be confirmed. Input that can't be read is refused by the call itself, before
   * anything is sent.
   */
  async prepare(method: ToolMethod, input: unknown): Promise<vscode.PreparedToolInvocation> {
    if (method !== 'ask') return { invocationMessage: readingLine(method, input) };
    const asked = parsedQuestion(input);
    if (!asked) return { invocationMessage: translate('Asking the docs') };
    const invocationMessage = plain(translate('Asking the docs: {0}', shown(asked.question)));
    const target = await this.#target().catch(() => undefined);
    if (!target?.spendsCredit || target.key === undefined) return { invocationMessage };
    this.#remember(input, target);
    return { invocationMessage, confirmationMessages: confirmation(asked, target) };
  }

  /** Returns the site that is asked. Docs that this workspace answered from are served again first. */
  async #target(): Promise<DocsTarget | undefined> {
    const { localService, site, log } = this.#ports;
    try {
      await localService.resume();
    } catch (error) {
      log.error('The docs of this workspace could not be served again', error);
    }
    return activeTarget(site);
  }

  #remember(input: unknown, target: DocsTarget): void {
    this.#confirmed.set(contentOf(input), siteOf(target));
    for (const oldest of this.#confirmed.keys()) {
      if (this.#confirmed.size <= MAX_CONFIRMED) break;
      this.#confirmed.delete(oldest);
    }
  }

  /**
   * Refuses a question for another site than its confirmation named.
   * @throws {DocsToolError} if the reader switched sites in between.
   */
  #checkSite(input: unknown, target: DocsTarget | undefined): void {
    const confirmed = this.#confirmed.get(contentOf(input));
    if (confirmed === undefined || !target?.spendsCredit || confirmed === siteOf(target)) return;
    this.#confirmed.delete(contentOf(input));
    throw new DocsToolError(
      'site-changed',
      'The user switched to another docs site after the question was confirmed, so nothing was asked. Call again to ask the site that is set up now.',
    );
  }
}

function parsedQuestion(input: unknown): AskInput | undefined {
  try {
    return parseInput(askInputSchema, input);
  } catch {
    return undefined;
  }
}

function readingLine(
  method: 'search' | 'readPage',
  input: unknown,
): vscode.MarkdownString | string {
  try {
    return method === 'search'
      ? plain(
          translate('Searching the docs: {0}', shown(parseInput(searchInputSchema, input).query)),
        )
      : plain(
          translate('Reading the docs: {0}', shown(parseInput(readPageInputSchema, input).page)),
        );
  } catch {
    return method === 'search' ? translate('Searching the docs') : translate('Reading the docs');
  }
}

function confirmation(
  { question, code, path }: AskInput,
  { label }: DocsTarget,
): vscode.LanguageModelToolConfirmationMessages {
  const message = plain(
    translate('Asking spends a credit of your organization. This question is sent to {0}:', label),
  );
  message.appendMarkdown(`\n\n${fenced(question)}`);
  if (code !== undefined && code.trim() !== '') {
    const from = path === undefined ? '' : ` (${path})`;
    message.appendMarkdown('\n\n');
    message.appendText(
      code.length > MAX_SHOWN_CODE
        ? translate('With {0} characters of code{1}, which begins:', code.length, from)
        : translate('With this code{0}:', from),
    );
    message.appendMarkdown(`\n\n${fenced(cutText(code, MAX_SHOWN_CODE))}`);
  }
  return { title: translate('Ask {0}?', plainLine(label)), message };
}

/** Returns a text as a code block, so that nothing in it is taken for Markdown. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}

function shown(text: string): string {
  const line = plainLine(text);
  return line.length <= MAX_SHOWN_LENGTH ? line : `${cutText(line, MAX_SHOWN_LENGTH - 1)}…`;
}

/** Returns what a call asks, to recognize it after its confirmation. */
function contentOf(input: unknown): string {
  const asked = parsedQuestion(input);
  return asked ? JSON.stringify([asked.question, asked.code, asked.path]) : '';
}

/** Returns an error with its sentence alone. VS Code hands the stack to the caller of the tool. */
function withoutStack(error: unknown): Error {
  const worded = new Error(
    error instanceof DocsToolError ? error.message : 'The docs tool failed.',
  );
  worded.name = 'DocsToolError';
  worded.stack = worded.message;
  return worded;
}
