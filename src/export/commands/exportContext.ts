import { contextKeys } from '../../common/contributions';

/** The parts of an export that decide which commands make sense for it. */
interface ExportState {
  /** The `outcome` of its record. */
  readonly outcome: unknown;
  readonly errorCode?: unknown;
  /** Whether this window asks the service about the job. */
  readonly isWatched?: boolean;
}

/** Context keys that depend on the exports in the list. */
type ExportContext = Readonly<
  Record<
    (typeof contextKeys)[
      | 'hasExports'
      | 'hasCompletedExport'
      | 'canStartAgain'
      | 'canWatchExport'
      | 'isWatchingExport'],
    boolean
  >
>;

/** Returns the context keys by which the command palette hides export commands that have nothing to do. */
export function exportContext(exports: readonly ExportState[]): ExportContext {
  const has = (fits: (state: ExportState) => boolean): boolean => exports.some(fits);
  return {
    [contextKeys.hasExports]: exports.length > 0,
    [contextKeys.hasCompletedExport]: has(({ outcome }) => outcome === 'completed'),
    [contextKeys.canStartAgain]: has(
      ({ outcome, errorCode }) =>
        outcome === 'completed' || outcome === 'failed' || errorCode === 'unknown-job',
    ),
    [contextKeys.canWatchExport]: has(
      ({ outcome }) => outcome === 'running' || outcome === 'unwatchable',
    ),
    [contextKeys.isWatchingExport]: has(({ isWatched }) => isWatched === true),
  };
}

/** Returns the states of the exports that are stored in global state, without checking their records. */
export function storedExports(state: {
  keys(): readonly string[];
  get(key: string): unknown;
}): readonly ExportState[] {
  return state.keys().flatMap((key) => {
    const record: unknown = key.startsWith('export:') ? state.get(key) : undefined;
    return typeof record === 'object' && record !== null && 'outcome' in record ? [record] : [];
  });
}
