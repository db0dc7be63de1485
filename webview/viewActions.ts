import type { ErrorAction, ErrorInfo } from '../src/shared/errorInfo';
import * as v from 'valibot';
import type {
  CodeThemeView,
  HistoryEntry,
  MentionKind,
  MentionView,
  SourceDescription,
  SourceTarget,
  ViewRequestName,
  ViewRequests,
} from '../src/shared/protocol';
import { RequestError, type HostEndpoint } from './endpoint';
import { resultSchemas } from './hostSchemas';

/** What a person can do in the view. Each goes to the host; what fails is reported, never lost. */
export interface ViewActions {
  /** @throws {RequestError} when the question was not taken: the text must not be lost then. */
  submit(text: string): Promise<void>;
  stop(messageId: string): void;
  retry(messageId: string): void;
  /** @throws {RequestError} as {@link ViewActions.submit}. */
  editQuestion(messageId: string, text: string): Promise<void>;
  /** @returns whether the host shows it. */
  showBranch(messageId: string, index: number): Promise<boolean>;
  startThread(): void;
  openThread(threadId: string): Promise<boolean>;
  renameThread(threadId: string, title: string): Promise<boolean>;
  deleteThread(threadId: string): Promise<boolean>;
  restoreThread(threadId: string): Promise<boolean>;
  exportThread(threadId: string): void;
  /** Undefined where the host did not say. */
  listHistory(query: string): Promise<HistoryList | undefined>;
  addContextItem(): void;
  removeContextItem(itemId: string): void;
  revealContextItem(itemId: string): void;
  removePage(): void;
  pickAttachments(): void;
  /**
   * @param content base64.
   * @throws {RequestError} when the host refused it.
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
  /** Undefined where the theme could not be read. */
  codeTheme(): Promise<CodeThemeView | undefined>;
  runAction(action: Exclude<ErrorAction, 'retry'>): void;
}

export interface HistoryList {
  readonly entries: readonly HistoryEntry[];
  /** There is more than is listed. */
  readonly isCut: boolean;
}

/** @param onFailure gets what the host said when it refused something. */
export function createViewActions(
  endpoint: HostEndpoint,
  onFailure: (error: ErrorInfo | undefined) => void,
): ViewActions {
  const send = async <Name extends ViewRequestName>(
    name: Name,
    params: ViewRequests[Name]['params'],
  ): Promise<boolean> => {
    try {
      await endpoint.request(name, params);
      return true;
    } catch (error: unknown) {
      const isGone = error instanceof RequestError && error.reason === 'disposed';
      if (!isGone) onFailure(error instanceof RequestError ? error.info : undefined);
      return false;
    }
  };
  /** What is asked by the view itself, and not by a person's click: a failure is not shown. */
  const ask = async <Name extends keyof typeof resultSchemas>(
    name: Name,
    params: ViewRequests[Name]['params'],
  ): Promise<v.InferOutput<(typeof resultSchemas)[Name]> | undefined> => {
    try {
      const result: unknown = await endpoint.request(name, params);
      const parsed = v.safeParse(resultSchemas[name], result);
      return parsed.success ? parsed.output : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    submit: async (text) => {
      await endpoint.request('question-submit', { text });
    },
    editQuestion: async (messageId, text) => {
      await endpoint.request('question-edit', { messageId, text });
    },
    showBranch: (messageId, index) => send('branch-show', { messageId, index }),
    openThread: (threadId) => send('thread-open', { threadId }),
    renameThread: (threadId, title) => send('thread-rename', { threadId, title }),
    deleteThread: (threadId) => send('thread-delete', { threadId }),
    restoreThread: (threadId) => send('thread-restore', { threadId }),
    exportThread: (threadId) => void send('thread-export', { threadId }),
    listHistory: (query) => ask('history-list', { query }),
    removePage: () => void send('page-remove', {}),
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
    startThread: () => void send('thread-start', {}),
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
    runAction: (action) => void send('action-run', { action }),
  };
}
