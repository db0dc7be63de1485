/**
 * Turns MDX, and the Markdown extensions of the usual site generators, into plain Markdown of the
 * same number of lines: imports, exports, comments and component tags go, the text between stays.
 */

const fenceStart = /^\s*(`{3,}|~{3,})/;
/** Lines that one import, export or tag may take before it is taken for text after all. */
const MAX_CONSTRUCT_LINES = 60;

/** MDX to Markdown. `title`, `label` and `href` of components become text and links. */
export function mdxToMarkdown(source: string): string {
  const lines = source.split('\n');
  const result: string[] = [];
  /** One entry per open component: how far its content is indented, once known. */
  const open: (number | undefined)[] = [];
  let fence: string | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = dedent(lines[index] ?? '', open);
    const marker = fenceStart.exec(line)?.[1];
    if (fence !== undefined) {
      result.push(line);
      if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
      continue;
    }
    if (marker !== undefined) {
      fence = marker;
      result.push(line);
      continue;
    }
    const length = constructLength(lines, index);
    if (length > 0) {
      const text = lines.slice(index, index + length).join('\n');
      result.push(convertInline(text, open).replaceAll('\n', ' ').trim());
      for (let extra = 1; extra < length; extra++) result.push('');
      index += length - 1;
      continue;
    }
    result.push(convertInline(line, open));
  }
  return result.join('\n');
}

/** How many lines an import, export, comment or multi-line tag takes that begins here; else 0. */
function constructLength(lines: readonly string[], start: number): number {
  const first = lines[start] ?? '';
  const isModule = moduleStart.test(first);
  const isComment = /^\s*\{\/\*/.test(first);
  const isOpenTag = /^\s*<[A-Za-z][\w.]*(?:\s[^>]*)?$/.test(first);
  if (!isModule && !isComment && !isOpenTag) return 0;
  for (let index = start; index < Math.min(lines.length, start + MAX_CONSTRUCT_LINES); index++) {
    const line = lines[index] ?? '';
    const isEnd = isModule
      ? line.trim() === '' || /;\s*$/.test(line) || /from\s+['"][^'"]+['"]\s*$/.test(line)
      : isComment
        ? line.includes('*/}')
        : /\/?>\s*$/.test(line) && !line.trim().endsWith('=>');
    if (isEnd) return index - start + 1;
  }
  return 0;
}

/** Removes the indentation that a component's content has, so that it is not read as nested. */
function dedent(line: string, open: (number | undefined)[]): string {
  if (open.length === 0 || line.trim() === '') return line;
  const indentation = line.length - line.trimStart().length;
  const innermost = open.length - 1;
  // A closing tag stands further out than what it closes.
  if (/^\s*<\//.test(line)) return line.trimStart();
  open[innermost] ??= indentation;
  return line.slice(Math.min(indentation, open[innermost]));
}

const moduleStart = /^(?:import|export)\b.*(?:[{'"=(*]|\bfrom\b|\bdefault\b)/;
const codeSpan = /(`+)[^`](?:.*?[^`])?\1(?!`)/gs;
const quoted = String.raw`"[^"]*"|'[^']*'`;
const braced = String.raw`\{(?:[^{}]|\{[^{}]*\})*\}`;
/** A comment, an import or export, a tag (closing mark, name, attributes) or a fragment's tag. */
const construct = new RegExp(
  [
    String.raw`\{\/\*[\s\S]*?\*\/\}`,
    String.raw`^(?:import|export)\b[\s\S]*[{'"=(*][\s\S]*$`,
    String.raw`<!--[\s\S]*?-->`,
    String.raw`<(?:script|style)\b[\s\S]*?<\/(?:script|style)\s*>`,
    String.raw`<(\/?)([A-Za-z][\w.]*)((?=[\s/>])(?:${quoted}|${braced}|[^<>"'{}])*)>`,
    '</?>',
  ].join('|'),
  'g',
);

function convertInline(text: string, open: (number | undefined)[]): string {
  if (!/[<{]|^(?:import|export)\b/.test(text)) return text;
  const spans: string[] = [];
  const masked = text.replace(codeSpan, (span) => `\u0000${spans.push(span) - 1}\u0000`);
  const converted = masked.replace(
    construct,
    (_match, closing?: string, name?: string, attributes = '') => {
      if (name === undefined) return '';
      if (closing === '/') {
        if (isComponent(name)) open.pop();
        return '';
      }
      const written = String(attributes);
      if (isComponent(name) && !written.endsWith('/')) open.push(undefined);
      return attributeText(name, written);
    },
  );
  // eslint-disable-next-line no-control-regex -- NUL marks a span; files with NUL are not pages
  return converted.replace(/\u0000(\d+)\u0000/g, (_match, index) => spans[Number(index)] ?? '');
}

/** Only components nest with indentation that matters; `<br>` and the like are never closed. */
function isComponent(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function attributeText(name: string, attributes: string): string {
  if (!isComponent(name)) return '';
  const attribute = (key: string): string | undefined =>
    new RegExp(`\\b${key}\\s*=\\s*\\{?["']([^"']*)["']`).exec(attributes)?.[1];
  const title = attribute('title') ?? attribute('label');
  if (title === undefined || title === '') return '';
  const href = attribute('href') ?? attribute('to');
  return href === undefined ? `**${title}**` : `[${title}](${href})`;
}

/** `:::note Title` containers (Docusaurus, VitePress) to their text, the title in bold. */
export function flattenContainers(source: string): string {
  let fence: string | undefined;
  return source
    .split('\n')
    .map((line) => {
      const marker = fenceStart.exec(line)?.[1];
      if (fence !== undefined) {
        if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
        return line;
      }
      fence = marker;
      const container = /^\s*:{3,}\s*(\w[\w-]*)?\s*(?:\[(.*?)\]|(.*))$/.exec(line);
      if (!container) return line;
      const title = (container[2] ?? container[3] ?? '').trim();
      return title === '' ? '' : `**${title}**`;
    })
    .join('\n');
}
