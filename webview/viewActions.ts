import type { ErrorAction, ErrorInfo } from '../src/shared/errorInfo';
import type { ViewRequestName, ViewRequests } from '../src/shared/protocol';
import { RequestError, type HostEndpoint } from './endpoint';

/** What a person can do in the view. Each goes to the host; what fails is reported, never lost. */
export interface ViewActions {
  /** @throws {RequestError} when the question was not taken: the text must not be lost then. */
  submit(text: string): Promise<void>;
  stop(messageId: string): void;
  retry(messageId: string): void;
  startThread(): void;
  addContextItem(): void;
  removeContextItem(itemId: string): void;
  revealContextItem(itemId: string): void;
  openSource(messageId: string, sourceId: string): void;
  openFile(messageId: string, partIndex: number): void;
  openLink(href: string): void;
  /** @returns whether the text is in the clipboard now. */
  copy(text: string): Promise<boolean>;
  insertCode(text: string): void;
  openCode(text: string, language: string): void;
  runAction(action: Exclude<ErrorAction, 'retry'>): void;
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
  return {
    submit: async (text) => {
      await endpoint.request('question-submit', { text });
    },
    stop: (messageId) => void send('reply-stop', { messageId }),
    retry: (messageId) => void send('reply-retry', { messageId }),
    startThread: () => void send('thread-start', {}),
    addContextItem: () => void send('context-item-add', {}),
    removeContextItem: (itemId) => void send('context-item-remove', { itemId }),
    revealContextItem: (itemId) => void send('context-item-reveal', { itemId }),
    openSource: (messageId, sourceId) => void send('source-open', { messageId, sourceId }),
    openFile: (messageId, partIndex) => void send('file-open', { messageId, partIndex }),
    openLink: (href) => void send('link-open', { href }),
    copy: (text) => send('code-copy', { text }),
    insertCode: (text) => void send('code-insert', { text }),
    openCode: (text, language) => void send('code-open', { text, language }),
    runAction: (action) => void send('action-run', { action }),
  };
}
