/** Presigned bundle links and keys of the platform in files, and references that can replace them. */
import { findLinkSecrets } from '../../common/secretScan/linkSecrets';
import { isPlaceholder, isRandom } from '../../common/secretScan/placeholders';
import { findKnown } from '../../common/secretScan/scanText';
import { expiryInLink } from '../download/bundleLink';
import { bundleLinksIn, replaceBundleLinks } from './bundleLinks';
import type { TextEdit } from './valuesEdits';

/** A secret of the platform in a file, with the range of its whole text and without quotes. */
export interface TrackedSecret {
  readonly kind: 'bundle-link' | 'admin-key' | 'user-key';
  readonly start: number;
  readonly end: number;
}

/** Names of the archives that Generate export bundle and its stores make. */
const archive = /\.(?:tar\.gz|tgz|tar|zip)$/i;

/** Keys by their documented forms. Only a name tells an admin key from any other identifier. */
const keyForms: readonly (readonly [kind: 'admin-key' | 'user-key', form: RegExp])[] = [
  ['user-key', /(?<![A-Za-z0-9-])([A-Za-z0-9-]{1,40}_us_[A-Za-z0-9_-]{12,200})/g],
  [
    'admin-key',
    /admin[_-]?(?:api[_-]?)?key["'\]]{0,2}[ \t]{0,10}(?::=|[:=])[ \t]{0,10}["'`]?([A-Za-z][A-Za-z0-9-]{0,30}_(?!dsc_)[A-Za-z0-9_-]{12,200})/gi,
  ],
];

/**
 * Returns the secrets of the platform in a text. Expired links are left out, because they no longer
 * open anything. Assistant keys are left out, because they are public.
 * @param known keys that this window has used.
 */
export function trackedSecrets(
  text: string,
  { known, now }: { readonly known: readonly string[]; readonly now: number },
): TrackedSecret[] {
  const found: TrackedSecret[] = [];
  for (const { kind, start, end } of findLinkSecrets(text)) {
    if (kind !== 'signed-link') continue;
    const from = startOfUrl(text, start);
    const url = text.slice(from, end);
    const [address = ''] = url.split('?', 1);
    const isBundle =
      archive.test(address) ||
      /bundleUrl["']?\s{0,10}[:=]\s{0,10}["']?$/.test(text.slice(Math.max(0, from - 40), from));
    const isOver = (expiryInLink(url) ?? Infinity) <= now;
    if (isBundle && !isOver) found.push({ kind: 'bundle-link', start: from, end });
  }
  for (const [kind, form] of keyForms) {
    for (const match of text.matchAll(form)) {
      const [all, key = ''] = match;
      if (isPlaceholder(key) || !isRandom(key)) continue;
      const end = match.index + all.length;
      found.push({ kind, start: end - key.length, end });
    }
  }
  for (const { rule, start, end } of findKnown(text, known)) {
    const isKey = rule === 'docs-key' || /^[A-Za-z0-9-]+_/.test(text.slice(start, end));
    if (isKey) found.push({ kind: 'admin-key', start, end });
  }
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start }, index, all) => all.slice(0, index).every((other) => other.end <= start));
}

function startOfUrl(text: string, inside: number): number {
  let start = inside;
  while (start > 0 && inside - start < 4000 && /[^\s"'`<>(]/.test(text.charAt(start - 1))) start--;
  // `--set bundleUrl=https://…`
  return start + Math.max(0, text.slice(start, inside).search(/[a-z][a-z0-9+.-]{0,20}:\/\//i));
}

/** Names of the variables that the references read. */
export const variableNames = {
  'bundle-link': 'STATIC_EXPORT_BUNDLE_URL',
  'admin-key': 'DOCS_ADMIN_API_KEY',
  'user-key': 'DOCS_USER_KEY',
} as const satisfies Readonly<Record<TrackedSecret['kind'], string>>;

/** Reference to a variable of the environment, as files of that kind write it. */
interface Reference {
  readonly text: string;
  /** Whether the reference also replaces the quotes. */
  readonly isCode: boolean;
}

function referenceIn(path: string, name: string): Reference {
  const file = path.toLowerCase();
  if (/\.[cm]?[jt]sx?$/.test(file)) return { text: `process.env.${name}`, isCode: true };
  if (file.endsWith('.py')) return { text: `os.environ["${name}"]`, isCode: true };
  if (file.endsWith('.rb')) return { text: `ENV.fetch("${name}")`, isCode: true };
  if (file.endsWith('.go')) return { text: `os.Getenv("${name}")`, isCode: true };
  if (/\.(?:gotmpl|tpl)$/.test(file)) return { text: `{{ requiredEnv "${name}" }}`, isCode: false };
  if (/\.github\/workflows\/[^/]+$/.test(file)) {
    return { text: `\${{ secrets.${name} }}`, isCode: false };
  }
  return { text: `\${${name}}`, isCode: false };
}

/**
 * Returns the edits that replace a secret by a reference. A link in a values file is replaced
 * in the style of its scalar.
 * @param path of the file, which decides about the form of the reference.
 */
export function moveEdits(text: string, secret: TrackedSecret, path: string): readonly TextEdit[] {
  const { text: reference, isCode } = referenceIn(path, variableNames[secret.kind]);
  return editsTo(text, secret, path, reference, isCode);
}

/** Returns the edits that replace a secret by an empty text. */
export function removeEdits(
  text: string,
  secret: TrackedSecret,
  path: string,
): readonly TextEdit[] {
  return editsTo(text, secret, path, '', false);
}

function editsTo(
  text: string,
  { start, end }: TrackedSecret,
  path: string,
  newText: string,
  withQuotes: boolean,
): readonly TextEdit[] {
  const isYaml = /\.ya?ml$/i.test(path);
  const value = text.slice(start, end);
  const isScalar =
    isYaml &&
    bundleLinksIn(text).some(
      (link) => link.url === value && link.start <= start && end <= link.end,
    );
  if (isScalar) {
    const { edits } = replaceBundleLinks(text, (url) => url === value, newText);
    return edits.filter((edit) => edit.start <= start && end <= edit.end);
  }
  const quote = text.charAt(start - 1);
  const isQuoted = /["'`]/.test(quote) && quote === text.charAt(end);
  if (isQuoted && withQuotes) return [{ start: start - 1, end: end + 1, newText }];
  return [{ start, end, newText: newText === '' && !isQuoted && isYaml ? '""' : newText }];
}
