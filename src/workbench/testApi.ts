import type { Conversation } from '../assistant/conversation';
import type { HostEnvelope, ViewSnapshot } from '../shared/protocol';
import type { ActiveSite, LocalSite } from './activeSite';
import type { ChatView } from './chatView';
import type { OutputLog } from './outputLog';

/** What `activate` returns while the extension is developed or tested. */
export interface ExtensionApi {
  readonly forTests: {
    /** Everything that was posted to the webview since activation. */
    readonly posted: readonly HostEnvelope[];
    /** Everything that was written to the log since activation. */
    readonly logged: readonly string[];
    readonly snapshot: () => ViewSnapshot;
    /** Sends questions to a local service; undefined goes back to the settings. */
    readonly useSite: (site: LocalSite | undefined) => void;
    /** Settles when all that the conversation had to store is stored. */
    readonly flush: () => Promise<void>;
  };
}

interface TestApiPorts {
  readonly chat: ChatView;
  readonly conversation: Conversation;
  readonly site: ActiveSite;
  readonly log: OutputLog;
}

export function testApi({ chat, conversation, site, log }: TestApiPorts): ExtensionApi {
  const posted: HostEnvelope[] = [];
  const logged: string[] = [];
  chat.onDidPost = (envelope) => posted.push(envelope);
  log.onDidWrite = (text) => logged.push(text);
  return {
    forTests: {
      posted,
      logged,
      snapshot: () => chat.snapshot,
      useSite: (local) => site.useLocal(local),
      flush: () => conversation.flush(),
    },
  };
}
