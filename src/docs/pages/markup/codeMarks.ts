const mark = /\[!code [^\][]{1,60}\]/;
/** Matches the beginning of a comment, which has nothing before a mark. */
const commentStart = /(?:\/\/|\{?\/\*|<!--|--|#|;|%|'|")$/;
const diffMark = /\[!code (\+\+|--)(?::(\d{1,3}))?\]/;

/**
 * Removes the marks by which Shiki colors the lines of a code block, such as `// [!code focus]`. A block with removed
 * lines (`[!code --]`) becomes a diff: without its signs, its code would have both the old and the new line, and
 * without the old lines, no one would find what to replace.
 */
export function withoutCodeMarks(block: readonly string[]): readonly string[] {
  if (!block.some((line) => line.includes('[!'))) return block;
  const lines: string[] = [];
  const signs: string[] = [];
  let sign = '';
  let left = 0;
  for (const line of block) {
    const [, kind, count = '1'] = diffMark.exec(line) ?? [];
    if (kind !== undefined) {
      sign = kind.charAt(0);
      left = Number(count);
    }
    const plain = withoutMarks(line);
    if (plain !== line && /^[ \t>]*$/.test(plain)) continue;
    lines.push(plain.replaceAll('[!!code ', '[!code '));
    signs.push(left-- > 0 ? sign : ' ');
  }
  return signs.includes('-') ? asDiff(lines, signs) : lines;
}

function withoutMarks(line: string): string {
  const parts = line.split(mark);
  if (parts.length === 1) return line;
  let isComment = false;
  const plain = parts.map((part, index) => {
    const rest = isComment ? part.replace(/^[ \t]*(?:\*\/\}?|-->)/, '') : part;
    if (index === parts.length - 1) return rest;
    const text = rest.trimEnd();
    isComment = commentStart.test(text);
    return text.replace(commentStart, '').trimEnd();
  });
  return plain.join('').trimEnd();
}

/** Writes a code block as a diff. Its lines keep the indentation and the marks of quotes that its first line has. */
function asDiff(lines: readonly string[], signs: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const width = first.search(/[`~]{3}/);
  const end = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(rest.at(-1) ?? '') ? rest.length - 1 : -1;
  return [
    first.replace(/([`~]{3}[ \t]*)[^\s`~{[]*(?=[^`~]*$)/, '$1diff'),
    ...rest.map((line, index) => {
      if (index === end) return line;
      const margin = Math.min(width, /^[ \t>]*/.exec(line)?.[0].length ?? 0);
      return `${line.slice(0, margin)}${signs[index + 1] ?? ' '}${line.slice(margin)}`;
    }),
  ];
}
