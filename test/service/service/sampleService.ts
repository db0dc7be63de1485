/** The real local docs service over the sample docs, with the fault proxy before it. */
import path from 'node:path';
import { startLocalService } from '../../../src/service/server/server';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import { assistantKey } from '../chat/asking';

/** Folder of the sample docs, relative to the repository: tests run at its top. */
export const sampleDocs = path.resolve('src/service/sample/docs');

export interface SampleService {
  /** Address of the service itself. */
  readonly url: string;
  /** Starts a new proxy before the service. The caller stops it. */
  startProxy(): Promise<FaultProxy>;
  stop(): Promise<void>;
}

/** Starts and indexes; each file of tests starts one, as indexing takes a moment. */
export async function startSampleService(): Promise<SampleService> {
  const service = await startLocalService({
    docs: sampleDocs,
    domain: 'sample',
    key: assistantKey,
    paceMs: 0,
  });
  await service.whenIndexed();
  return {
    url: service.url,
    startProxy: () => startFaultProxy({ target: service.url }),
    stop: () => service.stop(),
  };
}
