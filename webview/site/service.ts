/** Asks the docs service of the site, with the chat's own client. Loaded with the first question, if there is a service. */
import { AssistantClient } from '../../src/chat/assistant/assistantClient';
import type { ThreadMessage } from '../../src/chat/conversation/thread';
import { systemClock } from '../../src/common/clock';
import { DocsAssistantError } from '../../src/common/errors';
import { type Fetch, silentLog } from '../../src/common/ports';
import { type AskedTurn, serviceGlobals, type ServiceTrouble } from './siteService';

/** Seconds without data after which a reply times out, as in the chat. */
const TIMEOUT_SECONDS = 60;

/** Origin that stands for that of the page. The client refuses `http:`, which pages of an intranet may have. */
const OWN_ORIGIN = 'https://site.invalid';

/** Under a name of its own, as the survey of a site tells of scripts whose requests it can't see. The manifest names this one. */
const { fetch: request } = globalThis;

/** Sends no cookie, and tells the service nothing of the page. */
const plainFetch: Fetch = (url, init) =>
  request(url.startsWith(OWN_ORIGIN) ? location.origin + url.slice(OWN_ORIGIN.length) : url, {
    ...init,
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  });

const client = new AssistantClient({ fetch: plainFetch, clock: systemClock, log: silentLog });

serviceGlobals().docsAssistantService = {
  ask: ({ baseUrl, domain, key }, { question, earlier, filter, currentPath, thread }, signal) =>
    client.ask(
      {
        settings: {
          baseUrl: /^https?:/.test(baseUrl) ? baseUrl : OWN_ORIGIN + baseUrl,
          assistantDomain: domain,
          fp: 'anonymous',
          retrievalPageSize: 5,
          filter: filter ?? {},
          idleTimeoutMs: TIMEOUT_SECONDS * 1000,
          headersTimeoutMs: TIMEOUT_SECONDS * 1000,
        },
        key,
        messages: [...earlier.flatMap(messagesOf), questionOf(question)],
        contextItems: [],
        currentPath,
        threadId: thread?.threadId,
        threadKey: thread?.threadKey,
      },
      signal,
    ),
  troubleOf,
};

function messagesOf({ question, parts, metadata }: AskedTurn): ThreadMessage[] {
  return [
    questionOf(question),
    { role: 'assistant', id: newId(), createdAt: now(), status: 'complete', parts, metadata },
  ];
}

function questionOf(text: string): ThreadMessage {
  return { role: 'user', id: newId(), createdAt: now(), text, contextItems: [] };
}

const now = (): string => new Date(systemClock.now()).toISOString();

/** Returns a new ID. Browsers have no `randomUUID` on pages without HTTPS. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

function troubleOf(error: unknown): ServiceTrouble {
  switch (error instanceof DocsAssistantError ? error.code : undefined) {
    case 'rate-limited':
      return 'busy';
    case 'key-rejected':
    case 'forbidden':
    case 'unknown-site':
    case 'unknown-thread':
    case 'bad-request':
    case 'too-large':
      return 'refused';
    case 'empty-reply':
    case 'service-error':
      return 'failed';
    default:
      return 'away';
  }
}
