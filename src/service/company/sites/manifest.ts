/** Reads `service.yaml` with the lines of its errors and with warnings, and reads it again when it changes. Uses `node:fs`. */
import { readFile } from 'node:fs/promises';
import { isNode, LineCounter } from 'yaml';
import * as v from 'valibot';
import { errorCodeOrName } from '../../../common/errorCode';
import type { Clock, Log } from '../../../common/ports';
import { describeIssue } from '../../../common/schemaIssues';
import { parseYaml, UnreasonableYaml, type YamlDocument } from '../../../common/text/yamlDocuments';
import { withoutByteOrderMark } from '../../../shared/characters';
import { type Manifest, manifestSchema } from './manifestSchema';
import { restrictedVersions } from './siteAudience';

/** Maximum number of characters: a thousand sites of typical length take a third of it. */
const MAX_LENGTH = 1_000_000;
/** Maximum number of errors that are told at once. */
const MAX_ERRORS = 20;
/** Milliseconds between two looks at the file. A mounted file can change without an event of the file system. */
const LOOK_MS = 2000;

/** An error of the manifest. Its sentence names the key and never repeats the value. */
interface ManifestError {
  /** Line, from 1. */
  readonly line: number;
  readonly sentence: string;
}

type ReadManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly errors: readonly ManifestError[] };

type Path = readonly unknown[];

/** Reads the text of a manifest. */
export function readManifest(file: string): ReadManifest {
  const text = withoutByteOrderMark(file);
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  let documents: readonly YamlDocument[];
  try {
    documents = parseYaml(text, { maxLength: MAX_LENGTH, lines, hasUniqueKeys: true });
  } catch (error) {
    if (!(error instanceof UnreasonableYaml)) throw error;
    const sentence =
      error.problem === 'too-large' ? 'The manifest is too large.' : 'It is nested too deeply.';
    return { ok: false, errors: [{ line: 1, sentence }] };
  }
  const [document, second] = documents;
  const broken = documents.flatMap(({ errors }) => errors);
  if (broken.length > 0) {
    const errors = broken.map(({ code, pos }) => ({
      line: lineAt(pos[0]),
      sentence: `This is not valid YAML (${code.toLowerCase().replaceAll('_', ' ')}).`,
    }));
    return { ok: false, errors: errors.slice(0, MAX_ERRORS) };
  }
  if (!document || second) {
    const sentence = 'The manifest must be one YAML document with the key "sites".';
    return { ok: false, errors: [{ line: 1, sentence }] };
  }
  const lineOf = (path: Path): number => lineAt(offsetOf(document, path));
  const parsed = v.safeParse(manifestSchema, document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    const errors = parsed.issues.map((issue) => {
      const { closest, keys } = deepest(issue);
      return { line: lineOf(keys), sentence: describeIssue(closest, keys) };
    });
    return { ok: false, errors: errors.slice(0, MAX_ERRORS) };
  }
  const repeated = parsed.output.sites.flatMap(({ domain }, index, sites) =>
    sites.findIndex((site) => site.domain === domain) < index
      ? [
          {
            line: lineOf(['sites', index, 'domain']),
            sentence: `sites[${index}].domain is the domain of an earlier site.`,
          },
        ]
      : [],
  );
  return repeated.length > 0
    ? { ok: false, errors: repeated.slice(0, MAX_ERRORS) }
    : { ok: true, manifest: parsed.output };
}

type Issue = v.BaseIssue<unknown>;

/** Returns the issue inside of a union that comes closest, or the issue itself, with the keys of its path. */
function deepest(issue: Issue): { readonly closest: Issue; readonly keys: readonly unknown[] } {
  const keysOf = ({ path }: Issue): unknown[] => path?.map(({ key }) => key) ?? [];
  const inside =
    issue.type === 'union' ? issue.issues?.find(({ path }) => path !== undefined) : undefined;
  return inside
    ? { closest: inside, keys: [...keysOf(issue), ...keysOf(inside)] }
    : { closest: issue, keys: keysOf(issue) };
}

/** Returns the place of a key, or of what would have it. */
function offsetOf(document: YamlDocument, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const found = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(found) && found.range) return found.range[0];
  }
  return 0;
}

/** Returns the errors as lines such as `service.yaml:12: sites[0].domain is required.` */
export function manifestErrorLines(file: string, errors: readonly ManifestError[]): string {
  return errors.map(({ line, sentence }) => `${file}:${line}: ${sentence}`).join('\n');
}

/** Reads a manifest's file. A file that can't be read is an error of its first line. */
export async function readManifestFile(file: string): Promise<ReadManifest> {
  try {
    return readManifest(await readFile(file, 'utf8'));
  } catch (error) {
    const sentence = `The file can't be read (${errorCodeOrName(error)}).`;
    return { ok: false, errors: [{ line: 1, sentence }] };
  }
}

/** Calls back with each changed manifest until the signal aborts. One with errors is told in the log and left alone. */
export async function followManifest(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  onChanged: (manifest: Manifest) => void,
  signal: AbortSignal,
): Promise<void> {
  let known = await readFile(file, 'utf8').catch(() => undefined);
  while (!signal.aborted) {
    try {
      await clock.delay(LOOK_MS, signal);
    } catch {
      return; // The service stops.
    }
    const text = await readFile(file, 'utf8').catch(() => undefined);
    // A file that is being replaced is there again at the next look.
    if (text === undefined || text === known) continue;
    known = text;
    const read = readManifest(text);
    if (read.ok) onChanged(read.manifest);
    else log.error(`The changed manifest has errors: ${manifestErrorLines(file, read.errors)}`);
  }
}

/** Returns sentences for the operator about what a manifest without errors names in vain. */
export function manifestWarnings({ signIn, sites }: Manifest, env: NodeJS.ProcessEnv): string[] {
  return sites.flatMap((site) => {
    const { domain, groups, refresh } = site;
    const variable = refresh?.webhook?.secretVariable;
    const warnings: string[] = [];
    if (variable !== undefined && (env[variable] ?? '') === '') {
      warnings.push(
        `The site ${domain} refuses its webhook: the environment variable ${variable} isn't set or is empty`,
      );
    }
    if (!signIn && (groups !== undefined || restrictedVersions(site).length > 0)) {
      warnings.push(
        `The site ${domain} has "groups" but nobody is in a group: the manifest has no "signIn"`,
      );
    }
    return warnings;
  });
}
