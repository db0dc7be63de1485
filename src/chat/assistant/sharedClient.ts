import { Lazy } from '../../common/lazy';
import type { AssistantClient, AssistantClientPorts } from './assistantClient';

/**
 * Returns a function that loads the client with the first question, because its code has the chat
 * SDK's stream reader. All questions get the same client, which counts the refusals in a row.
 */
export function sharedClient(ports: AssistantClientPorts): () => Promise<AssistantClient> {
  const client = new Lazy(async () => {
    const { AssistantClient: Client } = await import('./assistantClient');
    return new Client(ports);
  });
  return () => client.get();
}
