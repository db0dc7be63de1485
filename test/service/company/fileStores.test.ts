import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../src/common/clock';
import { openFileStores } from '../../../src/service/company/fileStores';
import { hashOfKey } from '../../../src/service/company/keys';
import type { Stores } from '../../../src/service/company/stores';

describe('the keys of a service without a database', () => {
  const hash = hashOfKey('docs_dsc_key');
  let folder: string;
  let stores: Stores;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-keys-'));
    stores = await openFileStores(folder, systemClock);
  });
  after(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });

  it('tell a key that can’t be read from one that does not exist', async () => {
    assert.equal(await stores.keys.find(hash), undefined);
    // Like a file of another user, which tests that run as root could read.
    await mkdir(path.join(folder, 'keys', `${hash}.json`));
    await assert.rejects(stores.keys.find(hash), { code: 'EISDIR' });
  });
});
