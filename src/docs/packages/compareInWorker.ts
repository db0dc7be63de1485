/** Compares packages outside the extension host's thread. */
import * as v from 'valibot';
import { runInWorker } from '../../common/workerTask';
import { DocsError } from '../docsError';
import type { PackageComparison } from './comparison';
import type { PackagePlace } from './packageDocs';

/** Steps of a comparison, in their order. */
const steps = ['one', 'other', 'code'] as const;

const progressSchema = v.object({ step: v.picklist(steps) });

export type ComparisonStep = (typeof steps)[number];

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
    data: places,
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
