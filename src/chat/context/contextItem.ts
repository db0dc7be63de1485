import type { ContextItemView } from '../../shared/uiMessage';

/** A piece of an editor's document that travels with a question (platform-api.md § Context item). */
export interface ContextItem {
  readonly id: string;
  readonly type: 'code' | 'textSelection';
  /** Well-formed text without NUL, never empty. */
  readonly value: string;
  /** Relative to the workspace folder, forward slashes; absent for untitled documents. */
  readonly path?: string;
  /** Names the notebook cell, where it is one. */
  readonly elementId?: string;
  /** Text on the chip: a file name, a symbol or an untitled document's name. */
  readonly label: string;
  /** First and last line, counted from 1. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** Range that a click on the chip reveals. It stays in the host. */
  readonly target?: ContextTarget;
}

/** A range in a document. Lines and characters count from 0, as VS Code's do. */
export interface ContextTarget {
  /** `document.uri.toString()`. */
  readonly uri: string;
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

/** Returns the item without its value and its target, for the webview. */
export function contextItemView(item: ContextItem): ContextItemView {
  return {
    id: item.id,
    type: item.type,
    label: item.label,
    ...(item.path === undefined ? {} : { path: item.path }),
    ...(item.startLine === undefined ? {} : { startLine: item.startLine }),
    ...(item.endLine === undefined ? {} : { endLine: item.endLine }),
    length: item.value.length,
  };
}

/** Returns whether both are the same range of the same document with the same text. */
export function isSameContextItem(a: ContextItem, b: ContextItem): boolean {
  return a.value === b.value && a.path === b.path && isSameRange(a.target, b.target);
}

/** Returns whether both are the same range of the same document, whatever its text is now. */
export function isSameRange(a: ContextTarget | undefined, b: ContextTarget | undefined): boolean {
  return (
    a?.uri === b?.uri &&
    a?.startLine === b?.startLine &&
    a?.startCharacter === b?.startCharacter &&
    a?.endLine === b?.endLine &&
    a?.endCharacter === b?.endCharacter
  );
}
