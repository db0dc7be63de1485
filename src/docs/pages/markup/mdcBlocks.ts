import { codeLines } from './lines';
import { escapeMarkdown, linkTarget } from './markdownWriter';
import { calloutKind } from './meanings';

/** First line of a block: `::note`, `::card{title="Start"}` or `:::tabs-item[npm]`. */
const firstLine = /^[ \t]*(:{2,})([a-z][\w-]*)(?:\[([^\]]*)\])?(?:\{(.*)\})?[ \t]*$/;
const lastLine = /^[ \t]*(:{2,})[ \t]*$/;
/** Maximum number of lines of the properties in YAML. */
const MAX_PROPERTIES = 60;
const slotLine = /^[ \t]*#[a-z][\w-]*[ \t]*$/;
/** A component without text, such as `:video{src="/a.mp4"}`. */
const componentLine = /^[ \t]*:[a-z][\w-]*\{(.*)\}[ \t]*$/;

/**
 * Writes the blocks of MDC (Nuxt Content) as `:::` containers: `::name` to `::`, with more colons inside of each other,
 * and with properties as YAML between two lines `---`. Of components without text only a link with a title stays.
 */
export function mdcBlocksAsContainers(source: string): string {
  if (!/^[ \t]*(?:::|:[a-z][\w-]*\{.*\})[ \t]*$/m.test(source)) return source;
  const lines = source.split('\n');
  const { code, written } = blocksIn(lines);
  let propertiesEnd = 0;
  let depth = 0;
  const plain = lines.map((line, index) => {
    if (index < propertiesEnd) return '';
    const block = written.get(index);
    if (block === undefined) {
      if (code.has(index)) return line;
      return depth > 0 && slotLine.test(line) ? '' : line.replace(componentLine, linkOf);
    }
    depth += block.isEnd ? -1 : 1;
    ({ propertiesEnd } = block);
    return block.line;
  });
  return plain.join('\n');
}

function linkOf(_line: string, settings: string): string {
  const target = settingOf(settings, 'to|href');
  const title = settingOf(settings, 'title|label');
  return target === undefined || title === undefined
    ? ''
    : `[${escapeMarkdown(title)}](${linkTarget(target)})`;
}

/** Returns the first of some settings, as in `title="Start" to="/start"`. */
function settingOf(settings: string, names: string): string | undefined {
  return new RegExp(`(?:^|[ \\t])(?:${names})="([^"]*)"`).exec(settings)?.[1];
}

interface BlockLine {
  readonly line: string;
  readonly isEnd: boolean;
  /** Line after the properties in YAML. */
  readonly propertiesEnd: number;
}

/** Finds the lines of code, and what stands for the first and last line of each block that has both. */
function blocksIn(lines: readonly string[]): {
  code: ReadonlySet<number>;
  written: ReadonlyMap<number, BlockLine>;
} {
  const code = new Set<number>();
  const written = new Map<number, BlockLine>();
  /** First lines whose last line hasn't come, by their colons. */
  const open = new Map<string, number[]>();
  const isCode = codeLines();
  for (const [index, line] of lines.entries()) {
    if (isCode(line)) {
      code.add(index);
      continue;
    }
    const begun = firstLine.exec(line)?.[1];
    if (begun !== undefined) {
      const starts = open.get(begun) ?? [];
      starts.push(index);
      open.set(begun, starts);
    }
    const start = open.get(lastLine.exec(line)?.[1] ?? '')?.pop();
    if (start === undefined) continue;
    // A block that isn't closed inside of this one has no last line.
    for (const starts of open.values()) while ((starts.at(-1) ?? -1) > start) starts.pop();
    const first = containerAt(lines, start, index);
    written.set(start, first);
    written.set(index, { line: first.line === '' ? '' : ':::', isEnd: true, propertiesEnd: 0 });
  }
  return { code, written };
}

/** Writes the first line of a block that ends at a line, or nothing if it is no callout and has no title. */
function containerAt(lines: readonly string[], start: number, end: number): BlockLine {
  const [, , name = '', label, settings = ''] = firstLine.exec(lines[start] ?? '') ?? [];
  const below = lines.slice(start + 1, Math.min(end, start + 1 + MAX_PROPERTIES));
  const length = /^[ \t]*---[ \t]*$/.test(below[0] ?? '')
    ? below.findIndex((line, index) => index > 0 && /^[ \t]*---[ \t]*$/.test(line)) + 1
    : 0;
  const yaml = below.slice(0, length).join('\n');
  const title =
    label ??
    settingOf(settings, 'title|label') ??
    /^[ \t]*(?:title|label):(.*)$/m
      .exec(yaml)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2') ??
    '';
  const isCallout = calloutKind(name) !== undefined;
  const line = isCallout || title !== '' ? `:::${isCallout ? name : 'tab'} ${title}` : '';
  return { line: line.trimEnd(), isEnd: false, propertiesEnd: start + 1 + length };
}
