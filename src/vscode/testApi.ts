import type { HostEnvelope, ViewSnapshot } from '../shared/protocol';
import type { ActiveSite, LocalSite } from './activeSite';
import type { ChatFeature } from './chatFeature';
import type { OutputLog } from './outputLog';

/** What `activate` returns while the extension is developed or tested. */
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
  /** Sends questions to a local service; undefined goes back to the settings. */
  readonly useSite: (site: LocalSite | undefined) => void;
  /** Settles when all that the conversation had to store is stored. */
  readonly flush: () => Promise<void>;
  /** As if a link to the extension with that path and query had been followed. */
  readonly openLink: ChatFeature['openLink'];
}

/** Hears everything from activation on. */
export class TestRecorder {
  readonly #posted: HostEnvelope[] = [];
  readonly #logged: string[] = [];

  constructor(log: OutputLog) {
    log.onDidWrite = (text) => this.#logged.push(text);
  }

  follow({ chat }: ChatFeature): void {
    chat.onDidPost = (envelope) => this.#posted.push(envelope);
  }

  api(feature: () => Promise<ChatFeature>, site: ActiveSite): ExtensionApi {
    return {
      forTests: async () => {
        const { chat, flush, openLink } = await feature();
        return {
          posted: this.#posted,
          logged: this.#logged,
          snapshot: () => chat.snapshot,
          useSite: (local) => site.useLocal(local),
          flush,
          openLink,
        };
      },
    };
  }
}
