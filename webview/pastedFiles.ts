/**
 * The files of what is pasted, unless it is text that carries a picture of itself, as what office
 * programs copy. A copied file may come with its own name as text.
 */
export function pastedFiles(clipboard: DataTransfer): readonly File[] {
  const files = [...clipboard.files];
  const text = clipboard.getData('text/plain').trim();
  const names = files.map(({ name }) => name).join('\n');
  return text === '' || text.replace(/\r\n?/g, '\n') === names ? files : [];
}
