/**
 * The only importer of `@vscode/webview-ui-toolkit`. The package is archived: what the view needs
 * of it is named here, so that other elements can take its place in this one file.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDivider,
  vsCodeProgressRing,
  vsCodeTextArea,
} from '@vscode/webview-ui-toolkit';
import { element, icon } from './dom';

/** Defines the elements; once, before any is made. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDivider(),
    vsCodeProgressRing(),
    vsCodeTextArea(),
  );
}

/** What is used of the toolkit's elements; the DOM's own types do not know them. */
interface ToolkitButton extends HTMLElement {
  appearance: string;
  disabled: boolean;
}

interface ToolkitTextArea extends HTMLElement {
  placeholder: string;
  value: string;
  readonly control: HTMLTextAreaElement;
}

export interface ButtonSettings {
  readonly label: string;
  /** Codicon before the label, or alone for `icon` buttons, whose label is then a tooltip. */
  readonly icon?: string;
  readonly appearance: 'primary' | 'secondary' | 'icon';
  readonly class?: string;
  readonly onClick: () => void;
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
  button.addEventListener('click', () => {
    if (!button.disabled) settings.onClick();
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

/** A text area and the real one within it, which selection and height are read from. */
export interface TextAreaControl {
  readonly element: HTMLElement;
  readonly control: HTMLTextAreaElement;
  get value(): string;
  set value(text: string);
  setDescription(description: string): void;
}

/** @param parent gets the text area appended: its inner control exists only in a document. */
export function createTextArea(
  parent: Element,
  settings: { readonly label: string; readonly placeholder: string },
): TextAreaControl {
  const area = document.createElement('vscode-text-area') as ToolkitTextArea;
  area.placeholder = settings.placeholder;
  area.setAttribute('rows', '1');
  parent.append(area);
  // Set after connecting: the toolkit overwrites the label when it connects.
  area.setAttribute('aria-label', settings.label);
  const { control } = area;
  // Each paragraph has the direction of what is written.
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
    setDescription: (description) => control.setAttribute('aria-description', description),
  };
}

/** An endless progress ring. */
export function createProgressRing(): HTMLElement {
  return element('vscode-progress-ring' as 'span', { attributes: { 'aria-hidden': 'true' } });
}

/** A rule that only parts what is above from what is below. */
export function createDivider(): HTMLElement {
  return element('vscode-divider' as 'span', { attributes: { role: 'separator' } });
}
