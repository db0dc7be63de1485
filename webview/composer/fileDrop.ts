import { element, icon } from './dom';

interface FileDropSettings {
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
  /** Something was dropped that only VS Code could read, such as a file of its explorer. */
  readonly onUnreadable: () => void;
}

/** Types of what VS Code's own lists and tabs are dragged as. The page gets no file of them. */
const foreignTypes = ['application/vnd.code.uri-list', 'codefiles', 'codeeditors', 'resourceurls'];

/**
 * Lets files be dropped anywhere on the view, and shows where while they are dragged over it. Text
 * is left to whatever it is dropped on.
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
      // To another element of the page is not away.
      if (event.relatedTarget === null) this.element.hidden = true;
    });
    document.addEventListener('drop', (event) => this.#onDrop(event));
  }

  #onOver(event: DragEvent): void {
    if (!event.dataTransfer || kindOf(event.dataTransfer) === undefined) return;
    event.preventDefault();
    // VS Code's own listener, at the window, would take the drag away to open the file.
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
