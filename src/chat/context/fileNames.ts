import { visibleText } from '../../shared/characters';

/** Returns a name that isn't taken: `notes.md`, `notes (2).md`, `notes (3).md`. */
export function freeName(filename: string, taken: readonly string[]): string {
  const dot = filename.lastIndexOf('.');
  const [stem, extension] =
    dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, ''];
  let name = filename;
  for (let number = 2; taken.includes(name); number++) name = `${stem} (${number})${extension}`;
  return name;
}

/** Returns a service's file name as a single safe segment for a save dialog. */
export function safeFileName(name: string | undefined): string {
  const segment = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const cleaned = visibleText(segment)
    .replace(/[\n\t<>:"|?*]/g, '')
    .replace(/^\.+|[. ]+$/g, '')
    .slice(0, 120);
  return cleaned === '' ? 'file' : cleaned;
}
