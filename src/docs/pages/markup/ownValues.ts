import { CodeSpans } from './codeSpans';
import { codeLines } from './lines';

const hugoValue = /\{\{[<%][ \t]{0,9}param[ \t]{1,9}"?([\w.-]{1,100})"?[ \t]{0,9}[>%]\}\}/g;
const valueOrCode = /`+|\{\{[ \t]{0,9}(\$frontmatter\.)?([\w.-]{1,100})[ \t]{0,9}\}\}/g;

/**
 * Writes the values that a page's front matter gives to its own text: `{{% param version %}}` of Hugo,
 * `{{ version }}` of MyST's substitutions and `{{ $frontmatter.version }}` of VitePress. Other values stay as they are
 * written, because only the site's build has them.
 */
export function withOwnValues(body: string, attributes: Readonly<Record<string, unknown>>): string {
  if (!body.includes('{{') || Object.keys(attributes).length === 0) return body;
  const substitutions = valueAt(attributes, 'myst.substitutions') ?? attributes['substitutions'];
  const isCode = codeLines();
  return body
    .split('\n')
    .map((written) => {
      const line = written.replace(
        hugoValue,
        (tag, name: string) =>
          textAt(attributes, name) ?? textAt(attributes['params'], name) ?? tag,
      );
      return isCode(line) || !line.includes('{{') ? line : lineWithValues(line);
    })
    .join('\n');

  function lineWithValues(line: string): string {
    const spans = new CodeSpans(line);
    let result = '';
    let at = 0;
    for (const { 0: whole, 1: vitePress, 2: name = '', index } of line.matchAll(valueOrCode)) {
      if (index < at) continue;
      const end = index + whole.length;
      const next = whole.startsWith('`') ? (spans.endOf(index, whole.length) ?? end) : end;
      const value = textAt(vitePress === undefined ? substitutions : attributes, name);
      result += line.slice(at, index) + (value ?? line.slice(index, next));
      at = next;
    }
    return result + line.slice(at);
  }
}

function textAt(values: unknown, name: string): string | undefined {
  const value = valueAt(values, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns the value at a path of names, such as `myst.substitutions`. */
function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const isMap = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isMap ? (value as Record<string, unknown>)[name] : undefined;
  }, values);
}
