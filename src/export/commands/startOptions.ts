/** Options of a job as users type them: a version label, and the paths to export. */
import type { Translate } from '../../common/errors';
import { parseUrl } from '../../shared/links';
import type { StartOptions } from '../job/exports';
import type { ExportRecord } from '../job/record';
import { apiName } from './texts';
import type { WindowUi, InputRemark } from '../../common/windowUi';

/** Longest version label. It is shown in lists, where a longer one is cut. */
export const MAX_VERSION_LABEL_LENGTH = 200;
const MAX_PATH_LENGTH = 500;
/** Most paths of one job. A longer list is better named by the folders above them. */
const MAX_PATHS = 100;

/** Returns a path of a site in one form, `guides/` as `/guides`, or undefined if it isn't one. */
export function parseSitePath(text: string): string | undefined {
  const path = `/${text.trim().replace(/^\/+|\/+$/g, '')}`;
  const isPath = !/[?#\s\p{Cc}]|:\/\//u.test(path) && !path.split('/').includes('..');
  return isPath && path.length <= MAX_PATH_LENGTH ? path : undefined;
}

/** Paths that were read from a text, or the first part of it that is no path. */
type ReadPaths =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly wrong: string };

/** Reads paths separated by commas or spaces, sorted and each once. Takes the paths of URLs, too. */
export function readSitePaths(text: string): ReadPaths {
  const paths = new Set<string>();
  for (const part of text.split(/[\s,]+/).filter((each) => each !== '')) {
    const url = /^https?:\/\//i.test(part) ? parseUrl(part) : undefined;
    const path = parseSitePath(url?.pathname ?? part);
    if (path === undefined) return { ok: false, wrong: part };
    paths.add(path);
  }
  return { ok: true, paths: [...paths].sort() };
}

/** Asks for the options. Returns undefined if the user canceled. */
export async function enterStartOptions(ui: WindowUi): Promise<StartOptions | undefined> {
  const { translate: t } = ui;
  const label = await ui.enter({
    title: t('Export Static Site: Version Label'),
    prompt: t('Label of this export, such as v2.1. Leave it empty for none.'),
    placeholder: 'v2.1',
    remarkOn: (value) => labelRemark(value, t),
  });
  if (label === undefined) return undefined;
  const text = await ui.enter({
    title: t('Export Static Site: Paths'),
    prompt: t(
      'Paths whose pages are exported, separated by commas. Leave it empty for the whole site.',
    ),
    placeholder: '/guides, /api',
    remarkOn: (value) => pathsRemark(value, t),
  });
  const read = text === undefined ? undefined : readSitePaths(text);
  if (read?.ok !== true) return undefined;
  return {
    label: label.trim() === '' ? undefined : label.trim(),
    paths: read.paths.length === 0 ? undefined : read.paths,
  };
}

function labelRemark(text: string, t: Translate): InputRemark | undefined {
  const label = text.trim();
  if (label.length > MAX_VERSION_LABEL_LENGTH) {
    const message = t('Labels can be up to {0} characters.', MAX_VERSION_LABEL_LENGTH);
    return { kind: 'error', text: message };
  }
  return undefined;
}

function pathsRemark(text: string, t: Translate): InputRemark | undefined {
  const read = readSitePaths(text);
  if (!read.ok) {
    const wrong = read.wrong.slice(0, 80);
    return {
      kind: 'error',
      text: t('“{0}” is not a path of a site. Enter a path such as /guides.', wrong),
    };
  }
  if (read.paths.length > MAX_PATHS) {
    return { kind: 'error', text: t('You can name up to {0} paths.', MAX_PATHS) };
  }
  return undefined;
}

/** Returns what to say about options that the service did not take, or undefined for none. */
export function leftOutText(
  record: Pick<ExportRecord, 'apiUrl' | 'leftOut'>,
  t: Translate,
): string | undefined {
  const { leftOut = [] } = record;
  if (leftOut.length === 0) return undefined;
  const api = apiName(record, t);
  if (!leftOut.includes('paths')) {
    return t('{0} doesn’t take version labels. VS Code keeps the label in its list.', api);
  }
  return leftOut.includes('label')
    ? t('{0} takes neither version labels nor paths, so the whole site is exported.', api)
    : t('{0} doesn’t take paths, so the whole site is exported.', api);
}
