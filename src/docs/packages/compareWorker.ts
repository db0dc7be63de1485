/** Entry of the worker thread that finds and compares packages, `dist/comparePackages.js`. Uses `node:worker_threads`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { silentLog } from '../../common/ports';
import { answerHost } from '../../common/workerTask';
import { InstalledPackages } from '../sources/installed/installedPackages';
import {
  type ComparedPlaces,
  type FoundVersion,
  type FoundVersions,
  NotAPackage,
  type VersionQuery,
} from './compareInWorker';
import { comparePackages, type PackageComparison } from './comparison';
import { type PackageDocs, type PackagePlace, readPackageDocs } from './packageDocs';
import { compareVersions, installedVersions } from './packageVersions';
import { workspaceNames } from './workspaceNames';

const placeSchema = v.object({ folder: v.string(), root: v.string() });
const dataSchema = v.union([
  v.object({
    query: v.object({ name: v.string(), project: placeSchema, roots: v.array(v.string()) }),
  }),
  v.object({
    places: v.object({
      one: placeSchema,
      other: placeSchema,
      code: v.string(),
      importedAs: v.string(),
    }),
  }),
]);

/** The thread has no other work that needs a turn. */
const noPause = (): Promise<void> => Promise.resolve();

function installedIn(root: string): InstalledPackages {
  // The window asks only if the user trusts the workspace.
  return new InstalledPackages({ root, isTrusted: () => true, clock: systemClock, log: silentLog });
}

async function find({ name, project, roots }: VersionQuery): Promise<FoundVersions> {
  const own = await installedIn(project.root).find(name, project.folder);
  const ids = new Set(own && [own.id]);
  const others: FoundVersion[] = [];
  for (const root of roots) {
    for (const { id, version, folder } of await installedVersions(
      installedIn(root),
      name,
      root,
      noPause,
    )) {
      if (!ids.has(id)) others.push({ version, place: { folder, root } });
      ids.add(id);
    }
  }
  const place = own && { folder: own.folder, root: project.root };
  return { own: own && place && { version: own.version, place }, others };
}

async function read(place: PackagePlace): Promise<PackageDocs> {
  // The comparison tells what isn't read, and the thread has nothing to log to.
  const ports = { clock: systemClock, log: silentLog, pause: noPause };
  const docs = await readPackageDocs(place, ports);
  if (!docs) throw new NotAPackage(place.folder);
  return docs;
}

async function compare(
  { one, other, code, importedAs }: ComparedPlaces,
  onProgress: (progress: object) => void,
): Promise<PackageComparison> {
  onProgress({ step: 'one' });
  const before = await read(one);
  onProgress({ step: 'other' });
  const after = await read(other);
  onProgress({ step: 'code' });
  const names = await workspaceNames(code, importedAs, noPause);
  return compareVersions(before.version, after.version) > 0
    ? comparePackages(after, before, names, importedAs)
    : comparePackages(before, after, names, importedAs);
}

await answerHost(
  async (onProgress) => {
    const data = v.parse(dataSchema, workerData);
    return 'query' in data ? find(data.query) : compare(data.places, onProgress);
  },
  (error) => (error instanceof NotAPackage ? error.message : undefined),
);
