/** Finds and compares versions of packages outside the extension host's thread. */
import * as v from 'valibot';
import { runInWorker } from '../../common/workerTask';
import { DocsError } from '../docsError';
import type { PackageComparison } from './comparison';
import type { PackagePlace } from './packageDocs';

/** Steps of a comparison, in their order. */
const steps = ['one', 'other', 'code'] as const;

const progressSchema = v.object({ step: v.picklist(steps) });

type ComparisonStep = (typeof steps)[number];

/** Versions to find: the one that a project gets, and others. Only plain data, because a thread gets a copy. */
export interface VersionQuery {
  /** Name under which the code imports the package. */
  readonly name: string;
  /** Absolute path of the folder with the manifest, and of the workspace that it is in. */
  readonly project: PackagePlace;
  /** Absolute paths of the folders that are searched for other versions. */
  readonly roots: readonly string[];
}

export interface FoundVersion {
  readonly version: string;
  readonly place: PackagePlace;
}

export interface FoundVersions {
  /** Version that the project gets. Undefined if it has none. */
  readonly own: FoundVersion | undefined;
  readonly others: readonly FoundVersion[];
}

/** Two packages, and the code that uses one of them. Only plain data, because a thread gets a copy. */
export interface ComparedPlaces {
  readonly one: PackagePlace;
  readonly other: PackagePlace;
  /** Absolute path of the folder with the code. */
  readonly code: string;
  /** Name under which the code imports the package. */
  readonly importedAs: string;
}

interface CompareInWorkerOptions {
  /** Absolute path of the built `compareWorker.ts`, `dist/comparePackages.js`. */
  readonly script: string;
  readonly places: ComparedPlaces;
  readonly signal: AbortSignal;
  readonly onStep: (step: ComparisonStep) => void;
}

/**
 * Finds versions of a package in a worker thread, which ends with the search or the signal.
 * @throws {DocsError} with the code or name of an error.
 */
export async function findVersionsInWorker({
  script,
  query,
  signal,
}: {
  /** Absolute path of the built `compareWorker.ts`. */
  readonly script: string;
  readonly query: VersionQuery;
  readonly signal: AbortSignal;
}): Promise<FoundVersions> {
  return runInWorker({
    script,
    signal,
    data: { query },
    onProgress: () => undefined,
    progressSchema: v.unknown(),
    resultSchema: v.custom<FoundVersions>((found) => typeof found === 'object' && found !== null),
    failed: (causeCode) => new DocsError(causeCode),
    gone: (folder) => new NotAPackage(folder),
  });
}

/**
 * Compares two packages in a worker thread, which ends with the comparison or the signal. The older version comes first,
 * whatever the order of the places.
 * @throws {DocsError} with a code or name of an error, or the path of a folder that isn't that of a package.
 */
export async function compareInWorker({
  script,
  places,
  signal,
  onStep,
}: CompareInWorkerOptions): Promise<PackageComparison> {
  return runInWorker({
    script,
    signal,
    data: { places },
    onProgress: ({ step }) => onStep(step),
    progressSchema,
    resultSchema: v.custom<PackageComparison>(
      (comparison) => typeof comparison === 'object' && comparison !== null,
    ),
    failed: (causeCode) => new DocsError(causeCode),
    gone: (folder) => new NotAPackage(folder),
  });
}

/** A folder that isn't that of a package. Its message is the path. */
export class NotAPackage extends DocsError {
  override readonly name = 'NotAPackage';
}
