const partStart = /ANCHOR:[ \t]*([\w-]+)|\[start:([\w-]+)\]/;
const partEnd = /ANCHOR_END:[ \t]*([\w-]+)|\[end:([\w-]+)\]/;

/**
 * Returns lines of a file: those of the numbers `2:10` or `1,4:6`, or those between the marks of a name, as
 * `ANCHOR: name`.
 */
export function partOf(content: string, part: string): string {
  if (part.includes(','))
    return part
      .split(',')
      .map((one) => partOf(content, one))
      .join('\n');
  const lines = content.replace(/\n$/, '').split('\n');
  const [, first, range, last] = /^(\d*)(:?)(\d*)$/.exec(part) ?? [];
  if (part !== '' && first !== undefined) {
    const end = last !== '' ? Number(last) : range === '' ? Number(first) : lines.length;
    return lines.slice(Math.max(0, Number(first) - 1), end).join('\n');
  }
  const nameIn = (line: string, mark: RegExp): string | undefined =>
    mark.exec(line)?.slice(1).find(Boolean);
  const start = lines.findIndex((line) => nameIn(line, partStart) === part);
  const end = lines.findIndex((line) => nameIn(line, partEnd) === part);
  return lines
    .slice(Math.max(0, start), end < 0 ? lines.length : end)
    .filter((line) => !partStart.test(line) && !partEnd.test(line))
    .join('\n');
}

/** Returns the lines of a region of VitePress, or the whole content if it has no such region. */
export function regionOf(content: string, name: string | undefined): string {
  if (name === undefined) return content;
  const lines = content.split('\n');
  const mark = new RegExp(`(?<![a-z])region\\s+${name}(?![\\w-])`, 'i');
  const start = lines.findIndex((line) => mark.test(line));
  if (start < 0) return content;
  const end = lines.findIndex((line, index) => index > start && /endregion/i.test(line));
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}
