import type { HostEnvelope, ViewSnapshot } from '../shared/protocol';
import type { LocalSite } from '../common/localSite';
import type { ChatFeature, ChatFeaturePorts } from './chat/chatFeature';
import { modals } from './notifications';
import type { OutputLog } from './outputLog';

/** The value that `activate` returns in development and in tests. */
export interface ExtensionApi {
  /** Loads the chat. */
  readonly forTests: () => Promise<TestApi>;
}

export interface TestApi {
  /** Everything that was posted to the webview since activation. */
  readonly posted: readonly HostEnvelope[];
  /** Everything that was written to the log since activation. */
  readonly logged: readonly string[];
  readonly snapshot: () => ViewSnapshot;
  /** Sends questions to a local service, or with undefined to the site of the settings again. */
  readonly useSite: (site: LocalSite | undefined) => void;
  /** Answers modal dialogs from now on. */
  readonly answerModals: (confirm: (question: string) => boolean) => void;
  /** Resolves when everything that the conversation had to store is stored. */
  readonly flush: () => Promise<void>;
  /** Forgets who writes the replies, so that models are offered again. */
  readonly forgetModel: () => Promise<void>;
  /** Removes every kept site with its key. */
  readonly forgetSites: () => Promise<void>;
  /** Returns the MCP servers that VS Code gets, as it stores them. */
  readonly mcpDefinitions: () => unknown[];
  /** Follows a link to the extension, as if a browser had opened it. */
  readonly openLink: ChatFeature['openLink'];
  /** Asks `@docs`, as VS Code's chat does where it has a model. */
  readonly answerDocs: ChatFeature['answerDocs'];
}

/** Records everything that is posted and logged from activation on. */
export class TestRecorder {
  readonly #posted: HostEnvelope[] = [];
  readonly #logged: string[] = [];

  constructor(log: OutputLog) {
    log.onDidWrite = (text) => this.#logged.push(text);
  }

  follow({ chat }: ChatFeature): void {
    chat.onDidPost = (envelope) => this.#posted.push(envelope);
  }

  api(feature: () => Promise<ChatFeature>, { context, site, mcp }: ChatFeaturePorts): ExtensionApi {
    return {
      forTests: async () => {
        const { chat, flush, openLink, answerDocs, sites } = await feature();
        return {
          posted: this.#posted,
          logged: this.#logged,
          snapshot: () => chat.snapshot,
          useSite: (local) => site.useLocal(local),
          mcpDefinitions: () => mcp.definitions,
          answerModals: (confirm) => {
            modals.confirm = (question) => Promise.resolve(confirm(question));
          },
          forgetModel: async () => {
            const { CHOICE_KEY } = await import('../service/sets/answerChoice');
            await context.globalState.update(CHOICE_KEY, undefined);
          },
          flush,
          openLink,
          answerDocs,
          forgetSites: async () => {
            for (const kept of sites.list) await sites.remove(kept);
            await sites.useSettings();
          },
        };
      },
    };
  }
}
