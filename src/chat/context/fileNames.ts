import { cutText } from '../../common/text/strings';
import { visibleText } from '../../shared/characters';

/** Longest file name, in UTF-16 code units, and its longest extension with the dot. */
const MAX_NAME_LENGTH = 120;
const MAX_EXTENSION_LENGTH = 20;

/** Returns a name that isn't taken: `notes.md`, `notes (2).md`, `notes (3).md`. */
export function freeName(filename: string, taken: readonly string[]): string {
  const [stem, extension] = stemAndExtension(filename);
  let name = filename;
  for (let number = 2; taken.includes(name); number++) name = `${stem} (${number})${extension}`;
  return name;
}

/** Returns a file name as a single safe segment. A long one keeps its extension. */
export function safeFileName(name: string | undefined): string {
  const segment = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const cleaned = visibleText(segment)
    .replace(/[\n\t<>:"|?*]/g, '')
    .replace(/^\.+|[. ]+$/g, '');
  if (cleaned.length <= MAX_NAME_LENGTH) return cleaned === '' ? 'file' : cleaned;
  const [stem, extension] = stemAndExtension(cleaned);
  return extension.length <= MAX_EXTENSION_LENGTH
    ? cutText(stem, MAX_NAME_LENGTH - extension.length) + extension
    : cutText(cleaned, MAX_NAME_LENGTH);
}

function stemAndExtension(filename: string): readonly [stem: string, extension: string] {
  const dot = filename.lastIndexOf('.');
  return dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, ''];
}
