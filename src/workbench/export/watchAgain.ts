/** Goes on watching what could not be watched, once what was missing is there. */
import { originOf } from '../../common/address';
import { LOCAL_API, type ExportRecord } from '../../staticExport/exportRecord';
import type { Exports } from '../../staticExport/exports';

type Watched = Pick<Exports, 'list' | 'watch'>;

const ofKey: readonly (string | undefined)[] = ['no-admin-key', 'admin-key-rejected'];

/** A key was saved for the origin. */
export async function watchAgainWithKey(exports: Watched, origin: string): Promise<void> {
  await watchAgain(
    exports,
    ({ apiUrl, errorCode }) =>
      apiUrl !== LOCAL_API && originOf(apiUrl) === origin && ofKey.includes(errorCode),
  );
}

/** The local docs service runs. */
export async function watchAgainAtLocal(exports: Watched): Promise<void> {
  await watchAgain(
    exports,
    ({ apiUrl, errorCode }) => apiUrl === LOCAL_API && errorCode === 'local-service-stopped',
  );
}

async function watchAgain(
  exports: Watched,
  waited: (record: ExportRecord) => boolean,
): Promise<void> {
  for (const { record, watch } of exports.list) {
    const isWaiting = record.outcome === 'unwatchable' && watch.name === 'idle';
    if (isWaiting && waited(record)) await exports.watch(record.id);
  }
}
