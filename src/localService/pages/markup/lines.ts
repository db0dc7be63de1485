/** Lines that begin something other than a paragraph, in the Markdown of the usual generators. */

const fenceLine = /^((?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])[ \t])*)(`{3,}(?=[^`]*$)|~{3,})/;

/** A fence of code that begins with a line, and what ends it; `undefined` if none does. */
export function fenceOf(line: string): { isEnd: (line: string) => boolean } | undefined {
  const match = fenceLine.exec(line);
  const mark = match?.[2];
  if (mark === undefined) return undefined;
  const isQuoted = match?.[1]?.includes('>') ?? false;
  return {
    isEnd: (other) => {
      const rest = other.replace(isQuoted ? /^[ \t>]*/ : /^[ \t]*/, '').trimEnd();
      return rest.startsWith(mark) && rest === mark.charAt(0).repeat(rest.length);
    },
  };
}

export interface ContainerLine {
  /** Empty at the end of a container, or if it has a title alone. */
  readonly name: string;
  /** Markdown. */
  readonly title: string;
  /** How many colons. */
  readonly length: number;
}

/** `::: tip Title`, `:::note[Title]` or `:::`. */
export function containerLine(line: string): ContainerLine | undefined {
  const match = /^[ \t]*(:{3,})[ \t]*(.*)$/.exec(line);
  if (!match) return undefined;
  const rest = (match[2] ?? '').replace(/\{[^{}]*\}[ \t]*$/, '').trim();
  const [, name = '', bracketed, title = ''] =
    /^([A-Za-z][\w-]*)?[ \t]*(?:\[(.*)\]|(.*))$/.exec(rest) ?? [];
  return { name, title: (bracketed ?? title).trim(), length: match[1]?.length ?? 3 };
}

/** Where a generator puts a list of the page's headings, which the site has beside the page. */
export function isTocLine(line: string): boolean {
  return /^[ \t]*\[\[?_?toc_?\]?\][ \t]*$/i.test(line);
}

const admonition =
  /^([ \t]*)(?:(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)[^"']*|===[!+]?[ \t]+)(?:["'](.*)["'])?[ \t]*$/;

/** MkDocs' `!!! note "Title"` and `=== "Tab"`, whose content is indented, as `:::` containers. */
export function admonitionsAsContainers(source: string): string {
  if (!/^[ \t]*(?:!!! |\?\?\?\+? |===[!+]? ["'])/m.test(source)) return source;
  const result: string[] = [];
  const open: number[] = [];
  let isFenceEnd: ((line: string) => boolean) | undefined;
  for (const written of source.split('\n')) {
    const indentation = written.length - written.trimStart().length;
    if (!isFenceEnd && written.trim() !== '') {
      while ((open.at(-1) ?? -1) >= indentation) {
        open.pop();
        result.push(':::');
      }
    }
    const line = written.slice(Math.min(indentation, 4 * open.length));
    const match = isFenceEnd ? null : admonition.exec(line);
    if (match && (match[2] !== undefined || match[3] !== undefined)) {
      open.push(indentation);
      result.push(`:::${match[2] ?? 'tab'} ${match[3] ?? ''}`);
      continue;
    }
    if (isFenceEnd?.(written)) isFenceEnd = undefined;
    else isFenceEnd ??= fenceOf(line)?.isEnd;
    result.push(line);
  }
  return [...result, ...open.map(() => ':::')].join('\n');
}
