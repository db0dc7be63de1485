/**
 * The only importer of `@vscode/webview-ui-toolkit`, because the package is archived. Other
 * elements can replace it in this one file.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeProgressRing,
  vsCodeTextArea,
} from '@vscode/webview-ui-toolkit';
import { element, icon } from './dom';

/** Defines the elements. Call it once, before any is created. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing(), vsCodeTextArea());
}

/** The parts of the toolkit's elements that the view uses. The DOM's own types don't know them. */
interface ToolkitButton extends HTMLElement {
  appearance: string;
  disabled: boolean;
}

interface ToolkitTextArea extends HTMLElement {
  placeholder: string;
  value: string;
  readonly control: HTMLTextAreaElement;
}

interface ButtonSettings {
  readonly label: string;
  /** Codicon before the label. `icon` buttons show only the codicon, and the label as a tooltip. */
  readonly icon?: string;
  readonly appearance: 'primary' | 'secondary' | 'icon';
  readonly class?: string;
  readonly onClick: (event: MouseEvent) => void;
}

/** A button whose label, icon and state can change while it keeps the focus. */
export interface ButtonControl {
  readonly element: HTMLElement;
  setLabel(label: string, iconName?: string): void;
  setEnabled(isEnabled: boolean): void;
}

export function createButton(settings: ButtonSettings): ButtonControl {
  const button = document.createElement('vscode-button') as ToolkitButton;
  button.appearance = settings.appearance;
  button.setAttribute('appearance', settings.appearance);
  if (settings.class !== undefined) button.className = settings.class;
  button.addEventListener('click', (event) => {
    if (!button.disabled) settings.onClick(event);
  });
  const control: ButtonControl = {
    element: button,
    setLabel: (label, iconName) => {
      const isIconOnly = settings.appearance === 'icon' && iconName !== undefined;
      button.setAttribute('aria-label', label);
      if (isIconOnly) button.title = label;
      button.replaceChildren(
        ...(iconName === undefined ? [] : [icon(iconName)]),
        ...(isIconOnly ? [] : [element('span', { class: 'button-label', text: label })]),
      );
    },
    setEnabled: (isEnabled) => {
      button.disabled = !isEnabled;
    },
  };
  control.setLabel(settings.label, settings.icon);
  return control;
}

/** A text area and its inner control, from which selection and height are read. */
export interface TextAreaControl {
  readonly element: HTMLElement;
  readonly control: HTMLTextAreaElement;
  get value(): string;
  set value(text: string);
  /** Replaces a part of the text while the area has the focus. The person can undo it. */
  replace(start: number, end: number, text: string): void;
  setDescription(description: string): void;
}

/** @param parent gets the text area appended. Its inner control exists only in a document. */
export function createTextArea(
  parent: Element,
  settings: { readonly label: string; readonly placeholder: string },
): TextAreaControl {
  const area = document.createElement('vscode-text-area') as ToolkitTextArea;
  area.placeholder = settings.placeholder;
  area.setAttribute('rows', '1');
  parent.append(area);
  // The label is set after connecting, because the toolkit overwrites it then.
  area.setAttribute('aria-label', settings.label);
  const { control } = area;
  // Each paragraph has the direction of its text.
  control.dir = 'auto';
  return {
    element: area,
    control,
    get value() {
      return area.value;
    },
    set value(text) {
      area.value = text;
      control.value = text;
    },
    replace: (start, end, text) => {
      control.setSelectionRange(start, end);
      // Setting the value would make the browser forget all that can be undone.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else can be undone
      document.execCommand('insertText', false, text);
    },
    setDescription: (description) => control.setAttribute('aria-description', description),
  };
}

/** Returns an endless progress ring. */
export function createProgressRing(): HTMLElement {
  return element('vscode-progress-ring' as 'span', { attributes: { 'aria-hidden': 'true' } });
}
