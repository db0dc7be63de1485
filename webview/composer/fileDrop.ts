/** Accepts files that are dropped or pasted. */
import { element, icon } from '../dom';

interface FileDropSettings {
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
  /**
   * Called when something was dropped that only VS Code can read, such as a file from its explorer.
   */
  readonly onUnreadable: () => void;
}

/** Drag types of VS Code's own lists and tabs. The page gets no files from them. */
const foreignTypes = ['application/vnd.code.uri-list', 'codefiles', 'codeeditors', 'resourceurls'];

/**
 * Accepts files dropped anywhere on the view, and shows the drop area while files are dragged over
 * it. Dropped text goes to the element below.
 */
export class FileDrop {
  readonly element: HTMLElement;
  readonly #settings: FileDropSettings;

  constructor(settings: FileDropSettings) {
    this.#settings = settings;
    this.element = element(
      'div',
      { class: 'file-drop', attributes: { 'aria-hidden': 'true' } },
      element('p', { class: 'file-drop-label' }, icon('attach'), settings.label),
    );
    this.element.hidden = true;
    document.addEventListener('dragenter', (event) => this.#onOver(event));
    document.addEventListener('dragover', (event) => this.#onOver(event));
    document.addEventListener('dragleave', (event) => {
      // Entering another element of the page does not end the drag.
      if (event.relatedTarget === null) this.element.hidden = true;
    });
    document.addEventListener('drop', (event) => this.#onDrop(event));
  }

  #onOver(event: DragEvent): void {
    if (!event.dataTransfer || kindOf(event.dataTransfer) === undefined) return;
    event.preventDefault();
    // VS Code's own listener on the window would open the file instead.
    event.stopPropagation();
    event.dataTransfer.dropEffect = 'copy';
    this.element.hidden = false;
  }

  #onDrop(event: DragEvent): void {
    this.element.hidden = true;
    const kind = event.dataTransfer ? kindOf(event.dataTransfer) : undefined;
    if (!event.dataTransfer || kind === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const files = [...event.dataTransfer.files];
    if (files.length > 0) this.#settings.onFiles(files);
    else this.#settings.onUnreadable();
  }
}

function kindOf({ types }: DataTransfer): 'files' | 'foreign' | undefined {
  if (types.includes('Files')) return 'files';
  return foreignTypes.some((type) => types.includes(type)) ? 'foreign' : undefined;
}

/**
 * Returns the files in pasted content. Office programs copy text together with a picture of it:
 * such a picture is left out. A copied file may come with its name as text.
 */
export function pastedFiles(clipboard: DataTransfer): readonly File[] {
  const files = [...clipboard.files];
  const text = clipboard.getData('text/plain').trim();
  const names = files.map(({ name }) => name).join('\n');
  return text === '' || text.replace(/\r\n?/g, '\n') === names ? files : [];
}
