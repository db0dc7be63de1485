/** Entry of the worker thread that compares packages, `dist/comparePackages.js`. Uses `node:worker_threads`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { answerHost } from '../../common/workerTask';
import { NotAPackage } from './compareInWorker';
import { comparePackages } from './comparison';
import { type PackageDocs, type PackagePlace, readPackageDocs } from './packageDocs';
import { compareVersions } from './packageVersions';
import { workspaceNames } from './workspaceNames';

const placeSchema = v.object({ folder: v.string(), root: v.string() });
const dataSchema = v.object({
  one: placeSchema,
  other: placeSchema,
  code: v.string(),
  importedAs: v.string(),
});

/** The thread has nothing to log to. What isn't read is part of the comparison. */
const log = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

async function read(place: PackagePlace): Promise<PackageDocs> {
  // The thread has no other work that needs a turn, except the messages of its own threads.
  const docs = await readPackageDocs(place, {
    clock: systemClock,
    log,
    pause: () => Promise.resolve(),
  });
  if (!docs) throw new NotAPackage(place.folder);
  return docs;
}

await answerHost(
  async (onProgress) => {
    const { one, other, code, importedAs } = v.parse(dataSchema, workerData);
    onProgress({ step: 'one' });
    const before = await read(one);
    onProgress({ step: 'other' });
    const after = await read(other);
    onProgress({ step: 'code' });
    const names = await workspaceNames(code, importedAs, () => Promise.resolve());
    return compareVersions(before.version, after.version) > 0
      ? comparePackages(after, before, names, importedAs)
      : comparePackages(before, after, names, importedAs);
  },
  (error) => (error instanceof NotAPackage ? error.message : undefined),
);
