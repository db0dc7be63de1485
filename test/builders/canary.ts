/** Looks for a secret in whatever a test has gathered, in every form in which it may have got there. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A piece this long is no accident, and is what a cut in the wrong place leaves of a key. */
const PIECE_LENGTH = 12;

/** Fails if the secret, or a piece of it, is anywhere in the value: errors and their causes included. */
export function assertNoTrace(secret: string, value: unknown): void {
  const text = everythingIn(value);
  const lowered = text.toLowerCase();
  for (const { name, form, isExact } of formsOf(secret)) {
    const at = isExact ? text.indexOf(form) : lowered.indexOf(form.toLowerCase());
    const around = text.slice(Math.max(0, at - 100), at + form.length + 20);
    assert.ok(at < 0, `a secret got out, ${name}: …${around}…`);
  }
}

interface Form {
  readonly name: string;
  readonly form: string;
  /** Whether upper and lower case are different characters. */
  readonly isExact: boolean;
}

function formsOf(secret: string): readonly Form[] {
  const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
  const loose = [
    ['with every character percent-encoded', `%${bytes.join('%')}`],
    ['percent-encoded', encodeURIComponent(secret)],
    ['as hex', bytes.join('')],
  ] as const;
  const pieces = Array.from({ length: secret.length - PIECE_LENGTH + 1 }, (_, at) =>
    secret.slice(at, at + PIECE_LENGTH),
  );
  return [
    ...loose.map(([name, form]) => ({ name, form, isExact: false })),
    ...pieces.map((form) => ({ name: 'in part', form, isExact: false })),
    ...base64CoresOf(secret).map((form) => ({ name: 'as base64', form, isExact: true })),
  ];
}

/** Returns the parts of a secret's base64 that don't depend on the bytes before and after it. */
function base64CoresOf(secret: string): readonly string[] {
  return (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((shift) => {
      const text = Buffer.from(`${' '.repeat(shift)}${secret}`).toString(encoding);
      return text.replace(/=+$/, '').slice(shift === 0 ? 0 : shift + 1, -1);
    }),
  );
}

/** Returns everything that can be reached from a value, as text. */
export function everythingIn(value: unknown): string {
  const seen = new Set<unknown>();
  const visit = (inner: unknown): string => {
    if ((typeof inner !== 'object' && typeof inner !== 'function') || inner === null) {
      return String(inner);
    }
    if (seen.has(inner)) return '';
    seen.add(inner);
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('latin1');
    if (inner instanceof Map || inner instanceof Set) return visit([...inner]);
    return Object.getOwnPropertyNames(inner)
      .map((name) => `${name}: ${visit(Object.getOwnPropertyDescriptor(inner, name)?.value)}`)
      .join('\n');
  };
  return visit(value);
}

/** Names and bytes of all files below a folder, hidden ones included. */
export function filesBelow(folder: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.relative(folder, file), readFileSync(file));
  }
  return files;
}
