/** The docs tools as language model tools of VS Code. Loaded with the first call of one. */
import * as vscode from 'vscode';
import type { Clock, Fetch, Log, NewId } from '../../common/ports';
import { activeTarget } from '../../docsTools/activeTarget';
import { createDocsTools, type DocsTools } from '../../docsTools/docsTools';
import { askConfirmation, invocationLine, questionIn } from '../../docsTools/confirmation';
import { PreparedQuestions } from '../../docsTools/preparedQuestions';
import type { DocsTarget, ToolCall } from '../../docsTools/toolCall';
import type { ToolDefinition } from '../../docsTools/toolDefinitions';
import { DocsToolError } from '../../docsTools/toolErrors';
import { sentQuestion } from '../../docsTools/sentQuestion';
import type { ActiveSite } from '../../site/activeSite';
import type { SeenSecrets } from '../../site/keyStore';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { translate } from '../notifications';

export type ToolMethod = ToolDefinition['method'];

interface AgentToolsPorts {
  readonly site: ActiveSite;
  readonly localService: LocalServiceEntry;
  /** Secrets that this window has seen. They are removed from every question. */
  readonly secrets: SeenSecrets;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** The language model tools of one window. */
export class AgentTools {
  readonly #ports: AgentToolsPorts;
  readonly #docs: DocsTools;
  readonly #prepared = new PreparedQuestions();

  constructor(ports: AgentToolsPorts) {
    this.#ports = ports;
    this.#docs = createDocsTools({
      ...ports,
      caller: 'vscode',
      target: () => this.#target(),
      knownSecrets: () => ports.secrets.values,
    });
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
        budget: tokenizationOptions
          ? {
              tokens: tokenizationOptions.tokenBudget,
              count: (text) => tokenizationOptions.countTokens(text, token),
            }
          : undefined,
        onTarget: method === 'ask' ? (target) => this.#prepared.check(input, target) : undefined,
      };
      const { text } = await this.#docs[method](input, call);
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
    const invocationMessage = plain(invocationLine(method, input, translate));
    const asked = method === 'ask' ? questionIn(input) : undefined;
    const target = asked && (await this.#target().catch(() => undefined));
    if (asked) this.#prepared.remember(input, target);
    if (!asked || !target?.spendsCredit || target.key === undefined) return { invocationMessage };
    const sent = await sentQuestion(asked, this.#ports.secrets.values);
    const { title, markdown } = askConfirmation(sent, target, translate);
    const message = new vscode.MarkdownString(markdown);
    return { invocationMessage, confirmationMessages: { title, message } };
  }

  /**
   * Returns the site that is asked. If this workspace answered from docs on this machine, they are
   * served again first.
   */
  async #target(): Promise<DocsTarget | undefined> {
    const { localService, site } = this.#ports;
    await localService.tryResume();
    return activeTarget(site);
  }
}

/** Returns the text as escaped Markdown, because VS Code would read a plain string as Markdown. */
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}

/**
 * Returns the error without its stack, because VS Code passes the stack to the caller of the tool.
 */
function withoutStack(error: unknown): Error {
  const worded = new Error(
    error instanceof DocsToolError ? error.message : 'The docs tool failed.',
  );
  worded.name = 'DocsToolError';
  worded.stack = worded.message;
  return worded;
}
