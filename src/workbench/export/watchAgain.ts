/** Goes on at once with watching what waited for something that is there now. */
import { originOf } from '../../common/address';
import { LOCAL_API } from '../../staticExport/exportRecord';
import type { Exports } from '../../staticExport/exports';

type Watched = Pick<Exports, 'list' | 'watch'>;

const codesOfKey: readonly (string | undefined)[] = ['no-admin-key', 'admin-key-rejected'];

/** The admin key of an origin is saved. */
export async function watchAgainWithKey(exports: Watched, origin: string): Promise<void> {
  for (const { record, watch } of exports.list) {
    const { id, apiUrl, outcome, errorCode } = record;
    const isWaiting = outcome === 'unwatchable' && watch.name === 'idle';
    const isThere = apiUrl !== LOCAL_API && originOf(apiUrl) === origin;
    if (isWaiting && isThere && codesOfKey.includes(errorCode)) await exports.watch(id);
  }
}

/** The local docs service runs. */
export async function watchAgainAtLocal(exports: Watched): Promise<void> {
  for (const { record, watch } of exports.list) {
    const isWaiting = watch.name === 'waiting' && watch.error.code === 'local-service-stopped';
    if (isWaiting && record.apiUrl === LOCAL_API) await exports.watch(record.id);
  }
}

/** True where a job runs at the local docs service, which a closed window took with it. */
export function needsLocalService({ list }: Pick<Exports, 'list'>): boolean {
  return list.some(({ record }) => record.outcome === 'running' && record.apiUrl === LOCAL_API);
}
