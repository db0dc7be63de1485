/** Windows that ask the local docs service over the sample docs, with the fault proxy before it. */
import assert from 'node:assert/strict';
import type { FaultProxy } from '../../fakes/faultProxy';
import { openSession, type Session } from '../chat/conversationSession';
import { startSampleService, type SampleService } from './sampleService';

export const question = 'How do I create a shipment?';

export interface SampleSession {
  readonly service: SampleService;
  readonly proxy: FaultProxy;
  readonly session: Session;
}

/** Opens a window of its own for each test of the suite, behind a proxy of its own. */
export function eachSession(use: (opened: SampleSession) => void): void {
  let service: SampleService;
  let proxy: FaultProxy;
  let session: Session;

  before(async () => {
    service = await startSampleService();
  });

  after(() => service.stop());

  beforeEach(async () => {
    proxy = await service.startProxy();
    session = await openSession({ url: proxy.url });
    use({ service, proxy, session });
  });

  afterEach(async () => {
    session.conversation.dispose();
    await proxy.stop();
  });
}

/** Returns the body of a request by its index among those of the proxy. -1 is the last one. */
export function bodyOf(proxy: FaultProxy, index: number): Record<string, unknown> {
  const body = proxy.exchanges.at(index)?.body as Record<string, unknown> | undefined;
  return body ?? assert.fail(`There is no request ${index}`);
}

/** Returns the roles of the messages in the body of a request, in their order. */
export function rolesIn(proxy: FaultProxy, index: number): readonly string[] {
  return (bodyOf(proxy, index)['messages'] as { role: string }[]).map(({ role }) => role);
}
