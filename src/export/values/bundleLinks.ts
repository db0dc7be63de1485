/**
 * Finds and renews the bundle links of a YAML file: in its own values, and in a values file that is
 * embedded as text, such as the `values.yaml: |` of a Kubernetes Secret.
 */
import { isCollection, isMap, Scalar, visit } from 'yaml';
import { applyEdits, replaceScalar, scalarRange, type TextEdit } from './valuesEdits';
import { aliasTargets, mergedMaps } from './mergedMaps';
import {
  findPair,
  isEncrypted,
  isFlow,
  needsDecryption,
  pairKey,
  nodeRange,
  refuse,
  validDocuments,
  type ValuesDocument,
} from './valuesSource';

/** An edited text, with its edits in order and without overlaps. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/**
 * Replaces the links that `isMine` recognizes, each in its own style. A file with errors stays as it is.
 */
export function replaceBundleLinks(
  text: string,
  isMine: (url: string) => boolean,
  newUrl: string,
): EditedText {
  const edits = bundleLinksIn(text)
    .filter(({ url }) => url !== newUrl && isMine(url))
    .map(({ replaced }) => replaced(newUrl));
  return { text: applyEdits(text, edits), edits };
}

/**
 * Replaces links as {@link replaceBundleLinks} does, in a file that a deployment reads.
 * @throws {ExportError} `values-not-usable` if SOPS has encrypted other values of the file.
 */
export function renewBundleLinks(
  { name, text }: { readonly name: string; readonly text: string },
  isMine: (url: string) => boolean,
  newUrl: string,
): EditedText {
  const renewed = replaceBundleLinks(text, isMine, newUrl);
  const changes = renewed.edits.length > 0;
  if (changes && validDocuments(text).some(({ contents }) => isEncrypted(contents))) {
    throw refuse(name, needsDecryption);
  }
  return renewed;
}

/** A `staticExport.bundleUrl` in a file. */
interface BundleUrlInFile {
  readonly url: string;
  /** Start of the value with its quotes, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Returns the edit that replaces the value. */
  readonly replaced: (newUrl: string) => TextEdit;
}

/**
 * Returns every `staticExport.bundleUrl` of a file, including sub-charts. A file with errors has none.
 * @param isEmbedded whether the text is embedded in a file itself.
 */
export function bundleLinksIn(text: string, isEmbedded = false): readonly BundleUrlInFile[] {
  const found: BundleUrlInFile[] = [];
  for (const document of validDocuments(text)) {
    const links = linkScalars(document);
    visit(document, {
      Scalar: (key, scalar, ancestors) => {
        if (key === 'value' && !isEmbedded) found.push(...embeddedLinks(text, scalar));
        if (!links.has(scalar) || typeof scalar.value !== 'string' || scalar.value === '') return;
        const inFlow = ancestors.some((node) => isCollection(node) && isFlow(node));
        const [start, end] = scalarRange(text, scalar);
        found.push({
          url: scalar.value,
          start,
          end,
          replaced: (newUrl) => replaceScalar(text, scalar, newUrl, inFlow),
        });
      },
    });
  }
  return found;
}

/** Returns the values of each `staticExport.bundleUrl`, also those that come by an alias or a merge key. */
function linkScalars(document: ValuesDocument): ReadonlySet<unknown> {
  const targets = aliasTargets(document);
  const scalars = new Set<unknown>();
  const seen = new Set<unknown>();
  visit(document, {
    Pair: (_key, pair) => {
      if (pairKey(pair) !== 'staticExport') return;
      const map = targets.get(pair.value) ?? pair.value;
      if (!isMap(map) || seen.has(map)) return;
      seen.add(map);
      for (const each of [map, ...mergedMaps(map, targets, { seen })]) {
        const value = findPair(each, 'bundleUrl')?.value;
        scalars.add(targets.get(value) ?? value);
      }
    },
  });
  return scalars;
}

function embeddedLinks(text: string, scalar: Scalar): readonly BundleUrlInFile[] {
  if (typeof scalar.value !== 'string' || !scalar.value.includes('bundleUrl')) return [];
  const embedded = embeddedYaml(text, scalar);
  if (!embedded) return [];
  return bundleLinksIn(embedded.text, true).map(({ url, start, end, replaced }) => ({
    url,
    start: embedded.offset(start),
    end: embedded.offset(end),
    replaced: (newUrl) => embedded.edit(replaced(newUrl)),
  }));
}

/** A text embedded in a YAML file, with functions that convert its offsets to offsets of the file. */
interface EmbeddedYaml {
  readonly text: string;
  /** Converts an offset of the text to the offset of the file. */
  offset(inner: number): number;
  /** Converts an edit of the text to an edit of the file. */
  edit(inner: TextEdit): TextEdit;
}

/** Returns the text of a literal block (`|`), or undefined for a scalar in another form. */
export function embeddedYaml(file: string, scalar: Scalar): EmbeddedYaml | undefined {
  const [start = 0, end = 0] = nodeRange(scalar) ?? [];
  const headEnd = file.indexOf('\n', start) + 1;
  if (scalar.type !== Scalar.BLOCK_LITERAL || headEnd === 0 || headEnd > end) return undefined;
  // A block that names its own indentation has content that begins with spaces.
  if (/\d/.test(file.slice(start, headEnd).split('#', 1)[0] ?? '')) return undefined;
  const lines = file.slice(headEnd, end).split('\n');
  const indentation = /^ */.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
  let text = '';
  const starts: { readonly inner: number; readonly outer: number }[] = [];
  let outer = headEnd;
  for (const [index, line] of lines.entries()) {
    const removed = line.startsWith(indentation)
      ? indentation.length
      : (/^ */.exec(line)?.[0].length ?? 0);
    if (index > 0) text += '\n';
    starts.push({ inner: text.length, outer: outer + removed });
    text += line.slice(removed);
    outer += line.length + 1;
  }
  const offset = (inner: number): number => {
    const line = starts.findLast((each) => each.inner <= inner) ?? { inner: 0, outer: headEnd };
    return line.outer + inner - line.inner;
  };
  return {
    text,
    offset,
    edit: (inner) => ({
      start: offset(inner.start),
      end: offset(inner.end),
      newText: inner.newText.replace(/\n(?=.)/g, `\n${indentation}`),
    }),
  };
}
