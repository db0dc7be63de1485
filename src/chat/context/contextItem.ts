import * as v from 'valibot';
import type { Parsed } from '../../shared/schemas';
import type { ContextItemView } from '../../shared/uiMessage';
import { withoutUndefined } from '../../common/withoutUndefined';

const text = v.string();
const optionalText = v.optional(text);
const count = v.pipe(v.number(), v.integer());

const contextTargetSchema = v.object({
  /** `document.uri.toString()`. */
  uri: text,
  startLine: count,
  startCharacter: count,
  endLine: count,
  endCharacter: count,
});

/** Schema of a context item as threads and drafts store it. */
export const contextItemSchema = v.object({
  id: text,
  type: v.picklist(['code', 'textSelection']),
  /** Well-formed text without NUL, never empty. */
  value: text,
  /** Path relative to the workspace folder, with forward slashes. Absent for untitled documents. */
  path: optionalText,
  /** ID of the notebook cell. Absent for other documents. */
  elementId: optionalText,
  /** Text on the chip: a file name, a symbol or an untitled document's name. */
  label: text,
  /** Whether secrets in the value were redacted. */
  isRedacted: v.optional(v.boolean()),
  /** First and last line, counted from 1. */
  startLine: v.optional(count),
  endLine: v.optional(count),
  /** Names of packages that own what the item tells, such as problems. Only a service that knows them gets them. */
  packages: v.optional(v.array(text)),
  /** Names of packages that the item's code uses, by the imports of its file. They go where `packages` go. */
  imports: v.optional(v.array(text)),
  /** Range that a click on the chip reveals. It stays in the host. */
  target: v.optional(contextTargetSchema),
});

/** A piece of an editor's document that travels with a question (platform-api.md § Context item). */
export type ContextItem = Parsed<typeof contextItemSchema>;

/** A range in a document. Lines and characters count from 0, as VS Code's do. */
export type ContextTarget = Parsed<typeof contextTargetSchema>;

/** Returns the item without its value and its target, for the webview. */
export function contextItemView(item: ContextItem): ContextItemView {
  return withoutUndefined({
    id: item.id,
    type: item.type,
    label: item.label,
    path: item.path,
    startLine: item.startLine,
    endLine: item.endLine,
    length: item.value.length,
    secrets: item.isRedacted ? { state: 'redacted' as const, kinds: [] } : undefined,
  });
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
