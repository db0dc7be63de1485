import type { Deployment } from './deploymentText';

/** Replaces `[start, end)` of the text as it was. Offsets are UTF-16 units, as VS Code counts. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A text and the edits that made it, in order and apart from each other. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** A `staticExport.bundleUrl` in a values file. */
export interface BundleUrlInFile {
  readonly url: string;
  /** Range of the value with its quotes, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Counted from 0, as VS Code does. */
  readonly line: number;
}

export function setDeployment(
  text: string,
  deployment: Deployment,
  fileName = 'values.yaml',
): EditedText {
  throw new Error(`${text}${deployment.bundleUrl}${fileName}`);
}

export function bundleLinksIn(_text: string): readonly BundleUrlInFile[] {
  return [];
}

export function replaceBundleLinks(
  text: string,
  _isMine: (url: string) => boolean,
  _newUrl: string,
): EditedText {
  return { text, edits: [] };
}
