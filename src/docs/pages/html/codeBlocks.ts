/** Reads code blocks in the forms that the highlighters of docs generators write. */
import { trimmedCode } from '../../../common/text/blankEnds';
import { withoutBreakHints } from '../../../shared/characters';
import { codeLanguageName, codeLanguageOf } from '../codeLanguages';
import {
  attribute,
  childElements,
  classesOf,
  collapsedText,
  contains,
  descendants,
  findElement,
  hasClass,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  parentOf,
} from './dom';

interface CodeBlock {
  readonly code: string;
  /** Language as the page names it, or an empty string. */
  readonly language: string;
  /** File name or caption above the code. */
  readonly title?: string;
}

/** Tables that put line numbers and code next to each other. */
const codeTables = [
  'highlighttable',
  'lntable',
  'rouge-table',
  'hljs-ln',
  'codehilitetable',
  'source_code',
];

/** Classes of containers around a block of code, with its copy button and its caption. */
const wrapper =
  /^(?:language-.+|highlight(?:-.+)?|highlighter-rouge|code-?block(?:container|wrapper|content)?|theme-code-block|codeblockcontainer|expressive-code|frame|literal-block-wrapper|code-group-item|listingblock|nextra-code|prism-code|code-block-wrapper|code-wrapper|shiki-wrapper|td-code|sourcecode|code-example)$/;

/** Returns the code block that an element is, with its wrapper, or undefined for other elements. */
export function codeBlockOf(element: HtmlElement): CodeBlock | undefined {
  if (element.name === 'pre') return read(element, element);
  if (element.name === 'table' && hasClass(element, ...codeTables)) return read(element, element);
  if (isPlainCode(element)) return read(element, element);
  const isWrapper =
    /^(?:div|figure|section)$/.test(element.name) &&
    (element.name === 'figure' ||
      (hasClass(element, 'code') && hasClass(element, 'panel')) ||
      classesOf(element).some((name) => wrapper.test(name)) ||
      attribute(element, 'data-rehype-pretty-code-figure') !== undefined ||
      attribute(element, 'data-rehype-pretty-code-fragment') !== undefined);
  if (!isWrapper) return undefined;
  // Two blocks, such as code and its output, are read one after the other.
  const only = onlyCodeElement(element);
  return only && !hasProse(element, only) ? read(element, only) : undefined;
}

/** Returns whether an element is code without `pre`: a signature, or the lines of Doxygen. */
function isPlainCode(element: HtmlElement): boolean {
  if (element.name !== 'div') return false;
  if (hasClass(element, 'member-signature', 'type-signature', 'tsd-signature', 'memproto'))
    return true;
  // Dokka
  if (hasClass(element, 'symbol') && hasClass(element, 'monospace')) return true;
  return (
    hasClass(element, 'fragment') && childElements(element).some((line) => hasClass(line, 'line'))
  );
}

/** Returns the only element with code below a wrapper. A table of numbers and code counts once. */
function onlyCodeElement(element: HtmlElement): HtmlElement | undefined {
  let only: HtmlElement | undefined;
  for (const inner of descendants(element)) {
    const isCode =
      inner.name === 'pre' || (inner.name === 'table' && hasClass(inner, ...codeTables));
    if (!isCode || (only && contains(only, inner))) continue;
    if (only) return undefined;
    only = inner;
  }
  return only;
}

const several = new WeakMap<HtmlElement, boolean>();

/** Returns whether an element has more than one block of code. Each block asks this of the elements around it. */
function hasSeveral(element: HtmlElement): boolean {
  const known = several.get(element) ?? onlyCodeElement(element) === undefined;
  several.set(element, known);
  return known;
}

/** Returns whether a wrapper has text of its own besides the code and its caption. */
function hasProse(element: HtmlElement, code: HtmlElement): boolean {
  for (const inner of descendants(element)) {
    if (!/^(?:p|li|h[1-6]|dd|td)$/.test(inner.name) || contains(code, inner)) continue;
    if (!classesOf(inner).some((name) => /title|caption|filename|lang/.test(name))) return true;
  }
  return false;
}

function read(outer: HtmlElement, code: HtmlElement): CodeBlock {
  const title = titleOf(outer, code);
  const source = codeSource(code) ?? code;
  const language = languageOf(code, source, outer);
  // Doxygen aligns the parameters of a prototype in a table.
  const isAligned = hasClass(code, 'memproto');
  const text = isAligned ? collapsedText(code) : trimmedCode(codeText(source));
  // A caption such as `TypeScript` names the language for readers.
  const named = title === undefined ? undefined : codeLanguageOf(title.toLowerCase());
  const isName =
    named !== undefined &&
    (language === '' ||
      title?.toLowerCase() === language.toLowerCase() ||
      title === codeLanguageName(named));
  if (isName) return { code: text, language: language === '' ? named : language };
  return { code: text, language, title };
}

/** Returns the cell of a table with line numbers that holds the code. */
function codeSource(code: HtmlElement): HtmlElement | undefined {
  if (code.name !== 'table' || hasClass(code, 'hljs-ln')) return undefined;
  const blocks = [...descendants(code)].filter(({ name }) => name === 'pre');
  return blocks.findLast((block) => !isGutter(block) && !isInGutter(block, code));
}

function isInGutter(element: HtmlElement, outer: HtmlElement): boolean {
  for (let at = parentOf(element); at && at !== outer; at = parentOf(at)) {
    if (isGutter(at)) return true;
  }
  return false;
}

const gutterClass =
  /^(?:line-?numbers?(?:-rows|-wrapper)?|linenos?|linenodiv|lineno|ln|lnt|lnlinks|gutter|rouge-gutter|hljs-ln-numbers|blob-num|codelinenumber.*|react-syntax-highlighter-line-number|copy.*|buttongroup.*|lang|code-lang|floating-right)$/;

function isGutter(element: HtmlElement): boolean {
  if (['button', 'svg', 'style', 'script', 'template'].includes(element.name)) return true;
  if (!classesOf(element).some((name) => gutterClass.test(name))) {
    return (
      attribute(element, 'aria-hidden') === 'true' ||
      /user-select\s*:\s*none/.test(attribute(element, 'style') ?? '')
    );
  }
  // `line-numbers` is also the class of code that shows numbers by style.
  return !/^(?:pre|code)$/.test(element.name) || /^[\s\d]*$/.test(collapsedText(element));
}

const lineClass =
  /^(?:line|token-line|ec-line|code-line|view-line|cl-line|hljs-ln-line|highlight-line)$/;

function isLine(element: HtmlElement): boolean {
  return (
    /^(?:div|p|li|tr)$/.test(element.name) ||
    classesOf(element).some((name) => lineClass.test(name)) ||
    (element.name === 'span' && attribute(element, 'data-line') !== undefined)
  );
}

/**
 * Returns the text of highlighted code. Lines are elements, line breaks, or both: a break between
 * two elements counts once.
 */
function codeText(code: HtmlElement): string {
  const pieces: string[] = [];
  /** Whether a line has ended without a line break in the text. */
  let isLineOver = false;
  const endsLine = (): boolean => pieces.at(-1)?.endsWith('\n') ?? false;
  const add = (piece: string): void => {
    if (piece === '') return;
    if (isLineOver && !piece.startsWith('\n')) pieces.push('\n');
    isLineOver = false;
    pieces.push(piece);
  };
  const walk = (node: HtmlNode): void => {
    if (!isElement(node)) {
      if (isText(node)) add(node.data.replace(/\r\n?/g, '\n').replaceAll('\u00A0', ' '));
      return;
    }
    if (node.name === 'br') {
      add('\n');
      return;
    }
    if (isGutter(node)) return;
    // A block can contain several forms of one example, such as ES modules and CommonJS.
    if (node.name === 'code' && parentOf(node)?.name === 'pre' && pieces.length > 0)
      pieces.push(endsLine() ? '\n' : '\n\n');
    if (!isLine(node) || node === code) {
      for (const child of node.children) walk(child);
      return;
    }
    if (isLineOver || (pieces.length > 0 && !endsLine())) pieces.push('\n');
    isLineOver = false;
    const start = pieces.length;
    for (const child of node.children) walk(child);
    isLineOver = pieces.length === start || !endsLine();
  };
  walk(code);
  return withoutBreakHints(pieces.join(''));
}

/** Classes beside which the language is a class of its own, as in `sourceCode python`. */
const languageMates = new Set(['sourcecode', 'hljs', 'chroma', 'programlisting']);
/** Names that highlighters use for code without a language. */
const noLanguage = new Set(
  'plain text txt plaintext none default nohighlight no-highlight notranslate language unknown raw undefined code wrapper'.split(
    ' ',
  ),
);

/** Returns the language that the classes and attributes of a code block or its wrappers name. */
function languageOf(code: HtmlElement, source: HtmlElement, outer: HtmlElement): string {
  const inner = findElement(source, ({ name }) => name === 'code');
  const around: HtmlElement[] = [];
  for (let at: HtmlElement | undefined = code, up = 0; at && up < 4; at = parentOf(at), up++) {
    around.push(at);
    // A wrapper around several blocks says nothing about the language of this one.
    if (up > 0 && hasSeveral(at)) break;
  }
  for (const element of [...(inner ? [inner] : []), ...around, outer]) {
    const found = languageIn(element);
    if (found !== undefined) return found;
  }
  return '';
}

function languageIn(element: HtmlElement): string | undefined {
  const names = ['data-lang', 'data-language', 'data-code-lang', 'language', 'lang'];
  for (const name of names) {
    // The `lang` of an ordinary element is a human language.
    if (name === 'lang' && !/^(?:pre|code)$/.test(element.name)) continue;
    const value = cleaned(attribute(element, name));
    if (value !== undefined) return value;
  }
  const written = attribute(element, 'class') ?? '';
  // SyntaxHighlighter has settings behind the language, as in `brush: js; toolbar: false`.
  const settings = attribute(element, 'data-syntaxhighlighter-params') ?? written;
  const brush = cleaned(/(?:^|\s)brush:\s*([^\s;]+)/i.exec(settings)?.[1]);
  if (brush !== undefined) return brush;
  const classes = written.split(/\s+/);
  const isCode = element.name === 'pre' || element.name === 'code';
  for (const name of classes) {
    const match =
      /^(?:language|lang|highlight-source|highlight-text|highlight|src|brush|code-lang|hl(?=-ipython))-(.+)$/i.exec(
        name,
      );
    const value = cleaned(match?.[1]);
    if (value !== undefined) return value;
  }
  if (classes.some((name) => languageMates.has(name.toLowerCase()))) {
    const alone = classes.filter(
      (name) => /^[a-z][a-z0-9+#.-]{0,20}$/i.test(name) && !languageMates.has(name.toLowerCase()),
    );
    if (alone.length === 1) return cleaned(alone[0]);
  }
  // A class that is only the language, as rustdoc writes it.
  return isCode
    ? classes.find((name) => name.length > 1 && codeLanguageOf(name.toLowerCase()) !== undefined)
    : undefined;
}

function cleaned(name: string | undefined): string | undefined {
  const plain = (name ?? '').trim().toLowerCase();
  if (!/^[a-z0-9][\w+#.-]*$/.test(plain) || noLanguage.has(plain)) return undefined;
  return /^ipython\d*$/.test(plain) ? 'python' : plain;
}

/** Returns the file name or caption that stands above the code in its wrapper. */
function titleOf(outer: HtmlElement, code: HtmlElement): string | undefined {
  const named =
    attribute(outer, 'data-title') ??
    attribute(outer, 'data-filename') ??
    attribute(code, 'data-filename') ??
    attribute(code, 'title');
  if (named !== undefined && named.trim() !== '') return named.trim();
  for (const element of descendants(outer)) {
    if (element === code || contains(code, element)) continue;
    const isTitle =
      element.name === 'figcaption' ||
      classesOf(element).some((name) =>
        /^(?:codeblocktitle|codeheader|code-?block-?title|code-?block-?header|code-block-caption|filename|title|code-title|caption-text|code-header-title|file-name)$/.test(
          name,
        ),
      ) ||
      attribute(element, 'data-component-part') === 'code-block-header-filename' ||
      attribute(element, 'data-rehype-pretty-code-title') !== undefined;
    if (!isTitle) continue;
    const text = collapsedText(withoutNoise(element));
    if (text !== '' && text.length <= 120 && !noLanguage.has(text.toLowerCase())) return text;
  }
  return undefined;
}

/** Returns the innermost element that contains the caption, without text for screen readers. */
function withoutNoise(element: HtmlElement): HtmlElement {
  const title = findElement(element, (inner) =>
    hasClass(inner, 'title', 'caption-text', 'filename'),
  );
  return title ?? element;
}
