/**
 * Metadata that a service attaches to a reply and its parts (platform-api.md § Message, § Part). It
 * is stored with the thread, sent back with the message, and never shown.
 */
import * as v from 'valibot';
import { redactExactly } from '../../common/http/redact';
import { isJsonObject } from '../../common/text/strings';
import { sendableText } from '../../shared/characters';

type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [name: string]: JsonValue;
}

/**
 * Most characters of the metadata of one part or message, as JSON. The signature of a model's
 * reasoning has a few thousand at most. Longer metadata is content rather than a note.
 */
export const MAX_METADATA_LENGTH = 16 * 1024;

/**
 * Most characters of all metadata of one reply, as JSON. It is stored with the thread, and every
 * follow-up sends it.
 */
export const MAX_REPLY_METADATA_LENGTH = 128 * 1024;

/** Most levels of objects and lists within each other. */
const MAX_METADATA_DEPTH = 20;

/** Names that have a special meaning in JavaScript, so a copy must not have them as properties. */
const reservedNames = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Fields of a message's metadata that name the service's thread. They are stored with the thread
 * instead.
 */
const threadFields = new Set(['threadId', 'threadKey']);

/**
 * Returns a copy of an object as plain JSON, without secrets and without characters that strict
 * JSON parsers refuse.
 * @returns undefined if the value isn't an object, is empty, or exceeds {@link
 * MAX_METADATA_LENGTH}. It is never cut, because a service can't use a part of a signature.
 */
export function keptMetadata(
  value: unknown,
  secrets: readonly string[] = [],
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const copy = new MetadataCopy(secrets).object(value, 0);
  return copy && Object.keys(copy).length > 0 ? copy : undefined;
}

/** Parses stored metadata. Metadata that can't be kept becomes an empty object. */
export const metadataSchema = v.pipe(
  v.unknown(),
  v.transform((value): JsonObject => keptMetadata(value) ?? {}),
);

/** The metadata of one reply, within the limits of each part and of the whole reply. */
export class ReplyMetadata {
  readonly #secrets: readonly string[];
  #message: JsonObject | undefined;
  #partsLength = 0;
  #isTaken = true;

  /** @param secrets that a service could echo. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Returns the metadata of a part as it is kept, or undefined if there is none or too much. */
  ofPart(value: unknown): JsonObject | undefined {
    const metadata = keptMetadata(value, this.#secrets);
    if (!metadata) return undefined;
    const length = this.#partsLength + lengthOf(metadata);
    if (length > MAX_REPLY_METADATA_LENGTH) return undefined;
    this.#partsLength = length;
    return metadata;
  }

  /**
   * Adds metadata of the message, as the chat SDK does: objects are merged, other values are
   * replaced. Metadata that would exceed the limit is left out.
   */
  add(value: unknown): void {
    if (!isJsonObject(value)) return;
    const own = Object.entries(value).filter(([name]) => !threadFields.has(name));
    const added = keptMetadata(Object.fromEntries(own), this.#secrets);
    const merged = added && mergedObjects(this.#message ?? {}, added);
    if (!merged || lengthOf(merged) > MAX_METADATA_LENGTH) return;
    this.#message = merged;
    this.#isTaken = false;
  }

  /** Returns the message's metadata, if there is something new since the last call. */
  take(): JsonObject | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    return this.#message;
  }
}

/** Copies JSON until it is too long or too deep. */
class MetadataCopy {
  readonly #secrets: readonly string[];
  #room = MAX_METADATA_LENGTH;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  object(value: object, depth: number): JsonObject | undefined {
    const entries: [string, JsonValue][] = [];
    for (const [name, field] of Object.entries(value)) {
      if (reservedNames.has(name)) continue;
      const copy = this.#value(field, depth + 1);
      if (copy === undefined) return undefined;
      entries.push([this.#text(name), copy]);
    }
    return this.#take(2 + 2 * entries.length) ? Object.fromEntries(entries) : undefined;
  }

  #list(values: readonly unknown[], depth: number): JsonValue[] | undefined {
    const list: JsonValue[] = [];
    for (const value of values) {
      const copy = this.#value(value, depth + 1);
      if (copy === undefined) return undefined;
      list.push(copy);
    }
    return this.#take(2 + list.length) ? list : undefined;
  }

  #value(value: unknown, depth: number): JsonValue | undefined {
    if (depth > MAX_METADATA_DEPTH || this.#room < 0) return undefined;
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return this.#list(value, depth);
    if (isJsonObject(value)) return this.object(value, depth);
    if (typeof value === 'boolean') return this.#take(5) ? value : undefined;
    // `JSON.parse` reads `1e400` as infinity, which JSON can't write.
    const number = typeof value === 'number' && Number.isFinite(value) ? value : null;
    return this.#take(String(number).length) ? number : undefined;
  }

  #text(text: string): string {
    this.#take(text.length + 2);
    // The copy is already too long to be kept, so secrets don't matter.
    if (this.#room < 0) return '';
    return redactExactly(sendableText(text), this.#secrets);
  }

  #take(length: number): boolean {
    this.#room -= length;
    return this.#room >= 0;
  }
}

function mergedObjects(before: JsonObject, added: JsonObject): JsonObject {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(added)) {
    const old = merged.get(name);
    merged.set(name, isJsonObject(old) && isJsonObject(value) ? mergedObjects(old, value) : value);
  }
  return Object.fromEntries(merged);
}

function lengthOf(metadata: JsonObject): number {
  return JSON.stringify(metadata).length;
}
