/**
 * Metadata that a service attaches to a reply and its parts (platform-api.md § Message, § Part). It
 * is stored with the thread, sent back with the message, and never shown.
 */
import * as v from 'valibot';
import { redactExactly } from '../../common/http/redact';
import { sendableText } from '../../shared/characters';

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [name: string]: JsonValue;
}

/**
 * Characters of the metadata of one part or message, as JSON. A signature of a model's reasoning
 * has up to a few thousand; what has more is no note on a part but content.
 */
export const MAX_METADATA_LENGTH = 16 * 1024;

/**
 * Characters of all metadata of one reply, as JSON: it is stored with the thread, and every
 * follow-up carries it.
 */
export const MAX_REPLY_METADATA_LENGTH = 128 * 1024;

/** Objects and lists within each other. */
const MAX_METADATA_DEPTH = 20;

/** Names that mean more to JavaScript than to a service. */
const reservedNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Fields of a message's metadata that belong to one service's thread and are kept with that. */
const threadFields = new Set(['threadId', 'threadKey']);

/**
 * Returns a copy of an object as plain JSON, without secrets and without what strict JSON readers
 * refuse.
 * @returns undefined for what is no object, is empty, or exceeds {@link MAX_METADATA_LENGTH}: a
 * part of what a service signed or encoded is of no use to it.
 */
export function keptMetadata(
  value: unknown,
  secrets: readonly string[] = [],
): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const copy = new MetadataCopy(secrets).object(value, 0);
  return copy && Object.keys(copy).length > 0 ? copy : undefined;
}

/** Reads stored metadata; what cannot be kept becomes an object with nothing in it. */
export const metadataSchema = v.pipe(
  v.unknown(),
  v.transform((value): JsonObject => keptMetadata(value) ?? {}),
);

/** The metadata of one reply, within the limits of each and of all together. */
export class ReplyMetadata {
  readonly #secrets: readonly string[];
  #message: JsonObject | undefined;
  #partsLength = 0;
  #isTaken = true;

  /** @param secrets which a service may echo. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Returns what is kept of a part's metadata; undefined for none and for too much. */
  ofPart(value: unknown): JsonObject | undefined {
    const metadata = keptMetadata(value, this.#secrets);
    if (!metadata) return undefined;
    const length = this.#partsLength + lengthOf(metadata);
    if (length > MAX_REPLY_METADATA_LENGTH) return undefined;
    this.#partsLength = length;
    return metadata;
  }

  /**
   * Adds metadata of the message to what came before, as the chat SDK does: objects are merged,
   * anything else is replaced. What would exceed the limit is left out.
   */
  add(value: unknown): void {
    if (!isObject(value)) return;
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
    if (isObject(value)) return this.object(value, depth);
    if (typeof value === 'boolean') return this.#take(5) ? value : undefined;
    // JSON has no infinity, which is what `1e400` is read as.
    const number = typeof value === 'number' && Number.isFinite(value) ? value : null;
    return this.#take(String(number).length) ? number : undefined;
  }

  #text(text: string): string {
    this.#take(text.length + 2);
    // Too long already: it is not worth the search for secrets.
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
    merged.set(name, isObject(old) && isObject(value) ? mergedObjects(old, value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject<T>(value: T): value is Extract<T, JsonObject> & object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lengthOf(metadata: JsonObject): number {
  return JSON.stringify(metadata).length;
}
