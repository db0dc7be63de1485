import { plainLine } from '../../shared/characters';
import { cutText } from '../../common/text/strings';
import { plainTranslate, type Translate } from '../../common/errors';
import { isNamedLike, toolPackages } from './coveredPackages';
import { importedPackages, type ImportedPackage } from './importedPackages';
import type { SiteView } from '../../shared/protocol';

/** File in the active editor, as plain values. */
export interface StarterFile {
  /** VS Code's language id. */
  readonly languageId: string;
  /** The beginning of the file, which has the imports. */
  readonly text: string;
  /** Messages of the file's errors, in the order of their lines. */
  readonly errors: readonly string[];
  /** Name of the docs site. Questions about its own packages come first. */
  readonly siteName?: string;
}

/** Most suggested questions. More don't fit above the composer. */
export const MAX_STARTER_QUESTIONS = 3;
const MAX_IMPORT_QUESTIONS = 2;
const MAX_ERROR_LENGTH = 140;

/**
 * Returns questions that the active file suggests, about its first error and the packages that it
 * imports. No request is sent. Returns at most {@link MAX_STARTER_QUESTIONS}, and none for a file
 * without errors and imports.
 */
export function starterQuestions(
  file: StarterFile,
  translate: Translate = plainTranslate,
): readonly string[] {
  const packages = importedPackages(file.languageId, file.text);
  const ofImports = ranked(packages, file.siteName)
    .slice(0, MAX_IMPORT_QUESTIONS)
    .map(({ name, symbol }) =>
      symbol === undefined || symbol.toLowerCase() === name.toLowerCase()
        ? translate('How do I use {0}?', name)
        : translate('How do I use {0} from {1}?', symbol, name),
    );
  const messages = new Set(file.errors.map(oneLine).filter((message) => message !== ''));
  const ofErrors = [...messages].map((message) =>
    translate('What does this error mean: {0}', message),
  );
  return [...ofErrors.slice(0, 1), ...ofImports, ...ofErrors.slice(1)].slice(
    0,
    MAX_STARTER_QUESTIONS,
  );
}

/** Returns the packages with the site's own first and without tools. */
function ranked(packages: readonly ImportedPackage[], siteName = ''): readonly ImportedPackage[] {
  const isOwn = ({ name }: ImportedPackage): boolean => isNamedLike(name, siteName);
  const others = packages.filter((found) => !isOwn(found));
  const notable = others.filter(({ name }) => !toolPackages.has(name));
  return [...packages.filter(isOwn), ...notable];
}

/** Returns the first line of a message, without characters that could disguise it. */
function oneLine(message: string): string {
  const [line = ''] = message.trim().split(/[\n\r\u0085\u2028\u2029]/);
  const plain = plainLine(line);
  return plain.length > MAX_ERROR_LENGTH ? `${cutText(plain, MAX_ERROR_LENGTH).trimEnd()}…` : plain;
}

/** Returns general questions that most docs sites answer, or none while no site is set up. */
export function generalQuestions(
  site: SiteView,
  translate: Translate = plainTranslate,
): readonly string[] {
  if (!site.isConfigured) return [];
  return [
    translate('How do I get started?'),
    translate('How do I authenticate a request?'),
    translate('What limits apply, and what happens when I exceed them?'),
  ];
}
