import type { Conversation } from '../assistant/conversation';
import type { HostEnvelope, ViewSnapshot } from '../shared/protocol';
import type { ActiveSite, LocalSite } from './activeSite';
import type { ChatView } from './chatView';

/** What `activate` returns while the extension is developed or tested. */
export interface ExtensionApi {
  readonly forTests: {
    /** Everything that was posted to the webview since activation. */
    readonly posted: readonly HostEnvelope[];
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
}

export function testApi({ chat, conversation, site }: TestApiPorts): ExtensionApi {
  const posted: HostEnvelope[] = [];
  chat.onDidPost = (envelope) => posted.push(envelope);
  return {
    forTests: {
      posted,
      snapshot: () => chat.snapshot,
      useSite: (local) => site.useLocal(local),
      flush: () => conversation.flush(),
    },
  };
}
