import type * as v from 'valibot';
import type { ErrorAction, ErrorInfo } from '../src/shared/errorInfo';
import {
  resultSchemas,
  type CodeThemeView,
  type HistoryEntry,
  type MentionKind,
  type MentionView,
  type OfferedWriter,
  type AskResult,
  type SecretChoice,
  type SourceDescription,
  type SourceTarget,
  type ViewRequestName,
  type ViewRequests,
} from '../src/shared/protocol';
import { parsedAs } from '../src/shared/schemas';
import type { MessagePart } from '../src/shared/uiMessage';
import type { ViewStrings } from '../src/shared/viewStrings';
import { RequestError, type HostEndpoint } from './endpoint';
import type * as MessageMarkdown from './thread/messageMarkdown';
import type { QuestionEdits } from './viewState';

/** The actions of a person in the view. Each is sent to the host, and failures are reported. */
export interface ViewActions {
  /** @throws {RequestError} if the question was not accepted. Its text must not be lost then. */
  submit(text: string): Promise<void>;
  /** Shows the request that would send the draft. Nothing is sent. */
  showRequest(text: string): void;
  stop(messageId: string): void;
  retry(messageId: string): void;
  /** Takes or refuses the offer of models that a question waits for. */
  chooseWriter(writer: OfferedWriter): void;
  /** Asks the question of a failed reply again, from docs on this machine. */
  askKeptDocs(messageId: string): void;
  /** @throws {RequestError} as {@link ViewActions.submit}. */
  editQuestion(messageId: string, text: string): Promise<void>;
  /** @returns whether the host shows that version. */
  showBranch(messageId: string, index: number): Promise<boolean>;
  openThread(threadId: string): Promise<boolean>;
  renameThread(threadId: string, title: string): Promise<boolean>;
  deleteThread(threadId: string): Promise<boolean>;
  restoreThread(threadId: string): Promise<boolean>;
  exportThread(threadId: string): void;
  /** Returns the threads, or undefined if the host did not answer. */
  listHistory(query: string): Promise<HistoryEntries | undefined>;
  addContextItem(): void;
  removeContextItem(itemId: string): void;
  revealContextItem(itemId: string): void;
  removePage(): void;
  /** Asks about all installed packages again. */
  removePackage(): void;
  /** Removes the question that was asked while a reply ran. */
  removeQueued(): void;
  pickAttachments(): void;
  /**
   * @param content base64.
   * @throws {RequestError} if the host refused the file.
   */
  addAttachment(filename: string, content: string): Promise<void>;
  removeAttachment(attachmentId: string): void;
  listMentions(kind: MentionKind | undefined, query: string): Promise<readonly MentionView[]>;
  addMention(mentionId: string): Promise<boolean>;
  openSource(messageId: string, sourceId: string, target?: SourceTarget): void;
  describeSource(messageId: string, sourceId: string): Promise<SourceDescription | undefined>;
  openFile(messageId: string, partIndex: number): void;
  openLink(href: string): void;
  /** @returns whether the text is in the clipboard now. */
  copy(text: string): Promise<boolean>;
  insertCode(text: string): void;
  openCode(text: string, language: string): void;
  replaceSelection(messageId: string, text: string): void;
  runCode(text: string, language: string): void;
  saveCode(text: string, language: string): void;
  /** Returns the theme, or undefined if it could not be read. */
  codeTheme(): Promise<CodeThemeView | undefined>;
  /** Opens a draft of an issue about what the docs don't say on a question. */
  draftDocsIssue(messageId: string): void;
  /** Adds the question of a reply to the questions that a docs team runs as tests. */
  addDocsQuestion(messageId: string): void;
  runAction(action: Exclude<ErrorAction, 'retry'>): void;
}

export interface HistoryEntries {
  readonly entries: readonly HistoryEntry[];
  /** Whether there are more threads than are listed. */
  readonly isCut: boolean;
}

/**
 * @param onFailure called with the host's error when it refused a request.
 * @param strings returns the texts in the reader's language.
 */
export function createViewActions(
  endpoint: HostEndpoint,
  onFailure: (error: ErrorInfo | undefined) => void,
  strings: () => ViewStrings | undefined,
): ViewActions {
  const send = async <Name extends ViewRequestName>(
    name: Name,
    params: ViewRequests[Name]['params'],
  ): Promise<boolean> => {
    try {
      await endpoint.request(name, params);
      return true;
    } catch (error: unknown) {
      onFailure(error instanceof RequestError ? error.info : undefined);
      return false;
    }
  };
  /** Sends a request of the view itself, not of a person. A failure is not shown. */
  const ask = async <Name extends keyof typeof resultSchemas>(
    name: Name,
    params: ViewRequests[Name]['params'],
  ): Promise<v.InferOutput<(typeof resultSchemas)[Name]> | undefined> => {
    try {
      const result: unknown = await endpoint.request(name, params);
      return parsedAs(resultSchemas[name], result);
    } catch {
      return undefined;
    }
  };
  /** Asks, and lets the person decide about secrets that hold the question back. */
  const askOrHold = async (
    request: (secrets?: { secrets?: SecretChoice }) => Promise<AskResult>,
  ): Promise<void> => {
    const result = await request();
    const texts = strings();
    if (!texts || !('held' in result)) return;
    const { decideAboutSecrets } = await import('./composer/secretDialog');
    await decideAboutSecrets(texts, result, {
      choose: (itemId, choice) => send('secret-choose', { itemId, choice }),
      request,
    });
  };
  return {
    submit: (text) =>
      askOrHold((secrets) => endpoint.request('question-submit', { text, ...secrets })),
    editQuestion: (messageId, text) =>
      askOrHold((secrets) => endpoint.request('question-edit', { messageId, text, ...secrets })),
    showRequest: (text) => void send('request-show', { text }),
    showBranch: (messageId, index) => send('branch-show', { messageId, index }),
    openThread: (threadId) => send('thread-open', { threadId }),
    renameThread: (threadId, title) => send('thread-rename', { threadId, title }),
    deleteThread: (threadId) => send('thread-delete', { threadId }),
    restoreThread: (threadId) => send('thread-restore', { threadId }),
    exportThread: (threadId) => void send('thread-export', { threadId }),
    listHistory: (query) => ask('history-list', { query }),
    removePage: () => void send('page-remove', {}),
    removePackage: () => void send('package-remove', {}),
    removeQueued: () => void send('queued-remove', {}),
    pickAttachments: () => void send('attachment-pick', {}),
    addAttachment: async (filename, content) => {
      await endpoint.request('attachment-add', { filename, content });
    },
    removeAttachment: (attachmentId) => void send('attachment-remove', { attachmentId }),
    listMentions: async (kind, query) => {
      const result = await ask('mention-list', { query, ...(kind ? { kind } : {}) });
      return result?.mentions ?? [];
    },
    addMention: (mentionId) => send('mention-add', { mentionId }),
    describeSource: async (messageId, sourceId) =>
      (await ask('source-describe', { messageId, sourceId })) ?? undefined,
    replaceSelection: (messageId, text) => void send('code-replace', { messageId, text }),
    runCode: (text, language) => void send('code-run', { text, language }),
    saveCode: (text, language) => void send('code-save', { text, language }),
    codeTheme: async () => (await ask('code-theme', {})) ?? undefined,
    stop: (messageId) => void send('reply-stop', { messageId }),
    retry: (messageId) => void send('reply-retry', { messageId }),
    chooseWriter: (writer) => void send('writer-choose', { writer }),
    askKeptDocs: (messageId) => void send('kept-docs-ask', { messageId }),
    addContextItem: () => void send('context-item-add', {}),
    removeContextItem: (itemId) => void send('context-item-remove', { itemId }),
    revealContextItem: (itemId) => void send('context-item-reveal', { itemId }),
    openSource: (messageId, sourceId, target) =>
      void send('source-open', { messageId, sourceId, ...(target ? { target } : {}) }),
    openFile: (messageId, partIndex) => void send('file-open', { messageId, partIndex }),
    openLink: (href) => void send('link-open', { href }),
    copy: (text) => send('code-copy', { text }),
    insertCode: (text) => void send('code-insert', { text }),
    openCode: (text, language) => void send('code-open', { text, language }),
    draftDocsIssue: (messageId) => void send('docs-issue-draft', { messageId }),
    addDocsQuestion: (messageId) => void send('docs-question-add', { messageId }),
    runAction: (action) => void send('action-run', { action }),
  };
}

/** The context that the view gives to each of its parts. */
export interface ViewContext {
  readonly strings: ViewStrings;
  readonly actions: ViewActions;
  readonly edits: QuestionEdits;
  /** Returns the time at the host in milliseconds since the epoch. */
  hostNow(): number;
  /** Returns whether the question of a reply included code from an editor. */
  hasAskedCode(replyId: string): boolean;
  /**
   * Returns the text that was appended to a part of the running reply since the view was last drawn,
   * or undefined if the part did not grow out of `before`.
   */
  addedTo(part: MessagePart, before: MessagePart | undefined): string | undefined;
  /** Reports an error in drawing. The rest of the view goes on. */
  reportFailure(error: unknown): void;
}

/**
 * Copies a message as Markdown.
 * @param markdown is given the functions that write it, once they are loaded.
 * @returns whether the text is in the clipboard now.
 */
export async function copyMarkdown(
  context: ViewContext,
  markdown: (writers: typeof MessageMarkdown) => string,
): Promise<boolean> {
  try {
    return await context.actions.copy(markdown(await import('./thread/messageMarkdown')));
  } catch (error: unknown) {
    context.reportFailure(error);
    return false;
  }
}
