import assert from 'node:assert/strict';
import { systemClock } from '../../../../../src/common/clock';
import type { InstalledPackage } from '../../../../../src/docs/sources/installed/installedDocs';
import type {
  FileEntry,
  PackageFiles,
} from '../../../../../src/docs/sources/installed/packageFiles';
import { PackageSource } from '../../../../../src/docs/sources/installed/packageSource';
import { RecordingLog } from '../../../../fakes/recordingLog';

const installed: InstalledPackage = {
  id: 'next@16.0.0',
  name: 'next',
  importedAs: 'next',
  version: '16.0.0',
  folder: '/w/node_modules/next',
  description: '',
  homepage: undefined,
  repository: undefined,
  webFolder: undefined,
  types: undefined,
  docs: [],
  isLinked: false,
  keptKey: 'next@16.0.0',
  stamp: '1',
};

/** Returns the files of a package that has another page each time it is listed. */
function changingFiles(stamps: readonly string[]): PackageFiles {
  let listings = 0;
  let asked = 0;
  return {
    entries: () => {
      const pages: readonly FileEntry[] = [{ name: `page${++listings}.md`, kind: 'file' }];
      return Promise.resolve(pages);
    },
    kindOf: () => Promise.resolve(undefined),
    readBytes: () => Promise.resolve(undefined),
    readPage: (file) => Promise.resolve({ source: file, stamp: '1' }),
    stamp: () => Promise.resolve(stamps[asked++] ?? String(asked)),
  };
}

function sourceOf(files: PackageFiles, log: RecordingLog): PackageSource {
  const types = (): never => assert.fail('The API is not read');
  const clock = systemClock;
  return new PackageSource({ installed, files, isFolder: true, types, clock, log });
}

async function listed(files: PackageFiles, log: RecordingLog): Promise<readonly string[]> {
  const source = sourceOf(files, log);
  const paths: string[] = [];
  for await (const path of source.paths(new AbortController().signal)) paths.push(path);
  return paths;
}

describe('PackageSource', () => {
  it('lists a package again that changed while it was listed', async () => {
    const log = new RecordingLog();
    assert.deepEqual(await listed(changingFiles(['1', '2', '2', '2']), log), ['page2.md']);
    assert.deepEqual(log.messages(), []);
  });

  it('has the last list of a package that changes all the time, and says so in one line', async () => {
    const log = new RecordingLog();
    assert.deepEqual(await listed(changingFiles([]), log), ['page3.md']);
    assert.deepEqual(log.messages(), ['next@16.0.0: The package changed while it was listed']);
  });

  it('reads no page that it has not listed', async () => {
    const files = changingFiles(['1', '1']);
    const log = new RecordingLog();
    const source = sourceOf(files, log);
    for await (const path of source.paths(new AbortController().signal))
      assert.equal((await source.read(path))?.source, 'page1.md');
    assert.equal(await source.read('../secret.md'), undefined);
  });

  it('has no pages, and says so in one line, if the file system refuses to list them', async () => {
    const log = new RecordingLog();
    const refused = Object.assign(new Error('refused'), { code: 'EACCES' });
    const files = { ...changingFiles(['1', '1']), entries: () => Promise.reject(refused) };
    assert.deepEqual(await listed(files, log), []);
    assert.deepEqual(log.messages(), [`next@16.0.0: Can't read the package: EACCES`]);
  });
});
