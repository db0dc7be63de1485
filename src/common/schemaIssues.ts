/** Sentences about values that a schema refuses. They never contain the value. */
import type * as v from 'valibot';

type Keys = readonly unknown[];

/**
 * Returns a sentence that begins with the path of the field, such as `messages[0].role`.
 * @param keys of the path, if the issue is one inside of another issue.
 */
export function describeIssue(
  issue: v.BaseIssue<unknown>,
  keys: Keys = (issue.path ?? []).map(({ key }) => key),
): string {
  const path = fieldPath(keys);
  if (issue.expected === 'never') return `${path} is unknown.`;
  if (issue.received === 'undefined') return `${path} is required.`;
  if (issue.kind === 'validation') return `${path} ${issue.message}.`;
  return `${path} must be ${expectation(issue.expected)}.`;
}

function fieldPath(keys: Keys): string {
  let path = '';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? String(key) : `.${String(key)}`;
  }
  return path;
}

/**
 * Returns valibot's description of an expected value, such as `("text" | "file")` or `Array`, in
 * words.
 */
function expectation(expected: string | null): string {
  const choices = (expected ?? 'of another type').replace(/^\(|\)$/g, '').split(' | ');
  const words = choices.map((choice) => typeNames[choice] ?? choice);
  return words.length > 1 && choices.every((choice) => choice.startsWith('"'))
    ? `one of ${words.join(', ')}`
    : words.join(' or ');
}

const typeNames: Partial<Record<string, string>> = {
  Array: 'an array',
  Object: 'an object',
  string: 'a string',
  number: 'a number',
};
