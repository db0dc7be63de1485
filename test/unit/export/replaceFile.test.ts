import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { replaceKeepingMode, writePrivateFile } from '../../../src/export/replaceFile';

const isWindows = process.platform === 'win32';

describe('files that a command replaces', () => {
  let folder = '';
  const at = (name: string): string => path.join(folder, name);
  const modeOf = async (name: string): Promise<number> => (await stat(at(name))).mode & 0o777;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'private-file-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keep their permissions, and leave no part behind', async () => {
    await writeFile(at('values.yaml'), 'old');
    await chmod(at('values.yaml'), 0o640);
    await replaceKeepingMode(at('values.yaml'), 'new');
    assert.equal(await readFile(at('values.yaml'), 'utf8'), 'new');
    if (!isWindows) assert.equal(await modeOf('values.yaml'), 0o640);
    assert.deepEqual(await readdir(folder), ['values.yaml']);
  });

  it('stay where a symbolic link leads to', async function () {
    if (isWindows) this.skip();
    await mkdir(at('base'));
    await writeFile(at('base/values.yaml'), 'old');
    await symlink('base/values.yaml', at('values.yaml'));
    await replaceKeepingMode(at('values.yaml'), 'new');
    assert.ok((await lstat(at('values.yaml'))).isSymbolicLink());
    assert.equal(await readFile(at('base/values.yaml'), 'utf8'), 'new');
    assert.deepEqual(await readdir(at('base')), ['values.yaml']);
  });

  it('are left alone if they are read-only', async () => {
    await writeFile(at('values.yaml'), 'old');
    await chmod(at('values.yaml'), 0o444);
    await assert.rejects(replaceKeepingMode(at('values.yaml'), 'new'), {
      code: 'not-writable',
      details: { path: at('values.yaml'), causeCode: 'EACCES' },
    });
    assert.equal(await readFile(at('values.yaml'), 'utf8'), 'old');
  });

  it('are private if they have a link, whoever could read the file before', async () => {
    await writeFile(at('link'), 'old');
    await chmod(at('link'), 0o644);
    await writePrivateFile(at('link'), 'new');
    assert.equal(await readFile(at('link'), 'utf8'), 'new');
    if (!isWindows) assert.equal(await modeOf('link'), 0o600);
  });

  it('never take the place of a pipe, a device or a folder', async function () {
    if (isWindows) this.skip();
    await promisify(execFile)('mkfifo', [at('pipe')]);
    await assert.rejects(writePrivateFile(at('pipe'), 'new'), { code: 'not-writable' });
    assert.ok((await stat(at('pipe'))).isFIFO());
    await assert.rejects(writePrivateFile(folder, 'new'), { code: 'not-writable' });
  });
});
