/** Reads the deployment's keys from a values file, as Helm gives them to the deployment. */
import { isMap, isScalar } from 'yaml';
import { placesBelow } from './deploymentValues';
import { aliasTargets, mergedMaps } from './mergedMaps';
import { findPair, readValues, refuse } from './valuesSource';

/** Booleans of YAML 1.1, which Helm reads, that YAML 1.2 takes for texts. */
const helmBooleans: ReadonlyMap<string | undefined, boolean> = new Map([
  ...['yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

/**
 * Values of `staticExport` as the file has them, each undefined if it is missing.
 *
 * @see platform-api.md § What the service does, 7
 */
export interface DeploymentKeys {
  readonly enabled: unknown;
  readonly bundleUrl: unknown;
  /** A number is a text, with the digits of the file: `1.10` isn't `1.1`. */
  readonly version: unknown;
}

/**
 * Returns the keys of a values file. A file without a `staticExport` at its top has that of its only sub-chart.
 *
 * @param fileName name of the file for the error.
 * @throws {ExportError} `values-not-usable` for invalid YAML, several documents, a template, and several sub-charts.
 */
export function readDeploymentKeys(text: string, fileName: string): DeploymentKeys {
  const { document } = readValues(text, fileName);
  if (!document) return { enabled: undefined, bundleUrl: undefined, version: undefined };
  const targets = aliasTargets(document);
  const valueIn = (map: unknown, key: string): unknown => {
    if (!isMap(map)) return undefined;
    const maps = [map, ...mergedMaps(map, targets)];
    const value = maps
      .map((each) => findPair(each, key)?.value)
      .find((found) => found !== undefined);
    return targets.get(value) ?? value;
  };
  const root = document.contents;
  let keys = valueIn(root, 'staticExport');
  if (keys === undefined && isMap(root)) {
    const [only, ...more] = placesBelow(root);
    if (more.length > 0) {
      throw refuse(fileName, (t) =>
        t('several charts have “staticExport”. Use a values file with only one.'),
      );
    }
    keys = only?.pair.value;
  }
  const scalar = (key: string): unknown => {
    const value = valueIn(keys, key);
    if (!isScalar(value)) return value ?? undefined;
    return (typeof value.value === 'number' ? value.source : value.value) ?? undefined;
  };
  const enabled = valueIn(keys, 'enabled');
  const word = isScalar(enabled) && enabled.type === 'PLAIN' ? enabled.source : undefined;
  return {
    enabled: helmBooleans.get(word) ?? scalar('enabled'),
    bundleUrl: scalar('bundleUrl'),
    version: scalar('version'),
  };
}
