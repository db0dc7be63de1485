/** The docs service of a site, as the script that asks it hands it over. */
import type { ReplyChange, ReplyThread } from '../../src/shared/reply';
import type { AskFilter } from '../../src/shared/askFilter';
import type { MessagePart, ServiceMetadata } from '../../src/shared/uiMessage';
import type { SiteService } from './boxScripts';

/** A question that the service has answered, which is sent again with the next one. */
export interface AskedTurn {
  readonly question: string;
  readonly parts: readonly MessagePart[];
  readonly metadata: ServiceMetadata | undefined;
}

interface ServiceQuestion {
  readonly question: string;
  /** Turns of the thread before the question. */
  readonly earlier: readonly AskedTurn[];
  readonly filter: AskFilter | undefined;
  /** Path of the page that is shown, such as `/guides/start`. */
  readonly currentPath: string;
  readonly thread: ReplyThread | undefined;
}

/**
 * Kind of a failure: the service can't be reached, has too many requests, doesn't take the key or the question, or
 * answers nothing.
 */
export type ServiceTrouble = 'away' | 'busy' | 'refused' | 'failed';

/** Global name under which the script hands over its functions. */
interface ServiceGlobals {
  docsAssistantService?: {
    /** Asks a question. Nothing is sent before. @throws as the chat's client. */
    readonly ask: (
      service: SiteService,
      question: ServiceQuestion,
      signal: AbortSignal,
    ) => AsyncGenerator<ReplyChange>;
    readonly troubleOf: (error: unknown) => ServiceTrouble;
  };
}

export function serviceGlobals(): typeof globalThis & ServiceGlobals {
  return globalThis;
}
