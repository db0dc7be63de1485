/** Findings of *Check Bundle* that make a command fail, as `--fail-on` names them. */
import type { Translate } from '../../common/errors';
import type { BundleReport } from '../../export/check/reportTypes';
import { CliError, exitCodes } from '../context';

/** Kinds of findings, each with a function that says whether a report has such a finding. */
const kinds = {
  'broken-links': ({ broken, brokenCount }) =>
    // Links that a shortened list leaves out can be of any kind.
    brokenCount > broken.length || broken.some(({ reason }) => reason !== 'missing-anchor'),
  'broken-anchors': ({ broken }) => broken.some(({ reason }) => reason === 'missing-anchor'),
  'outside-fetches': ({ outsideFetchCount }) => outsideFetchCount > 0,
  'no-pages': ({ pages }) => pages === 0,
  'no-home-page': ({ notes }) => notes.some(({ code }) => code === 'no-home-page'),
} satisfies Readonly<Record<string, (report: BundleReport) => boolean>>;

export type FailureKind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as FailureKind[];

/** Kinds if the option is absent: findings with which nobody should deploy a bundle. */
const byDefault: readonly FailureKind[] = ['broken-links', 'no-pages'];

/** Options that say when a check fails. */
export interface FailureOptions {
  readonly failOn?: string;
  /** The site can't reach other hosts. */
  readonly airGapped?: boolean;
}

/**
 * Returns the findings that make a check fail: those of `--fail-on`, and with `--air-gapped` every outside fetch.
 * @throws {CliError} for a kind that doesn't exist.
 */
export function parseFailOn(
  { failOn, airGapped }: FailureOptions,
  t: Translate,
): readonly FailureKind[] {
  const kindsToFail = parseKinds(failOn, kindNames, byDefault, t);
  return airGapped === true
    ? [...new Set<FailureKind>([...kindsToFail, 'outside-fetches'])]
    : kindsToFail;
}

/**
 * Parses the value of an option `--fail-on`: kinds separated by commas, or `none`.
 * @throws {CliError} for a kind that doesn't exist.
 */
export function parseKinds<Kind extends string>(
  value: string | undefined,
  kindNames: readonly Kind[],
  byDefault: readonly Kind[],
  t: Translate,
): readonly Kind[] {
  if (value === undefined) return byDefault;
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  if (names.length === 1 && names[0] === 'none') return [];
  return names.map((name) => {
    const kind = kindNames.find((known) => known === name);
    if (kind !== undefined) return kind;
    if (name === 'none') {
      throw new CliError(
        exitCodes.usage,
        t('--fail-on doesn’t accept “none” together with other kinds.'),
      );
    }
    throw new CliError(
      exitCodes.usage,
      t('--fail-on doesn’t accept “{0}”. Choose from {1}, or none.', name, kindNames.join(', ')),
    );
  });
}

/** Returns the kinds of `failOn` that a report has. */
export function failuresOf(
  report: BundleReport,
  failOn: readonly FailureKind[],
): readonly FailureKind[] {
  return failOn.filter((kind) => kinds[kind](report));
}
