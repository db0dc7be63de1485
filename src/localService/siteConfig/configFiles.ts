import path from 'node:path';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import type { Log } from '../../common/ports';
import { readPlainFile } from '../docsFolder';

/** Bytes of one configuration file; what is larger was made by a program. */
const MAX_CONFIG_BYTES = 2 * 1024 * 1024;

/** The configuration files of a docs folder. None is followed through a symbolic link. */
export class ConfigFiles {
  readonly root: string;
  readonly #log: Log;

  constructor(root: string, log: Log) {
    this.root = root;
    this.#log = log;
  }

  /** Name of the docs folder itself. */
  get folderName(): string {
    return path.basename(this.root);
  }

  /**
   * Reads a text file; `undefined` if there is none.
   * @param file below the docs folder, or right above it: `../mkdocs.yml`.
   */
  async text(file: string): Promise<string | undefined> {
    const bytes = await readPlainFile(path.join(this.root, file), MAX_CONFIG_BYTES);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Finds the first of the files that is there. */
  async first(
    names: readonly string[],
  ): Promise<{ readonly file: string; readonly text: string } | undefined> {
    for (const file of names) {
      const text = await this.text(file);
      if (text !== undefined) return { file, text };
    }
    return undefined;
  }

  /**
   * Parses a file by the schema. What goes wrong is told in the log, with what becomes of the
   * navigation; the result is then `undefined`.
   */
  parse<Schema extends v.GenericSchema>(
    file: string,
    read: () => unknown,
    schema: Schema,
  ): v.InferOutput<Schema> | undefined {
    let value: unknown;
    try {
      value = read();
    } catch (error) {
      this.refuse(file, error instanceof Error ? error.message : 'it cannot be read');
      return undefined;
    }
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    const where = v.getDotPath(issue);
    this.refuse(file, `${where === null ? '' : `${where}: `}${issue.message}`);
    return undefined;
  }

  /** Notes a file that cannot be used. */
  refuse(file: string, reason: string): void {
    const line = reason.split('\n')[0]?.slice(0, 200) ?? '';
    this.#log.warn(
      `Cannot use ${file}: ${line.replace(/\.$/, '')}. The navigation follows the folders until the file is mended.`,
    );
  }

  /** Notes what was left out of a file that is used otherwise. */
  note(line: string): void {
    this.#log.info(line);
  }
}

/** Parses YAML. Tags of other programs (`!!python/name:…`, `!ENV`) count as plain values. */
export function yamlValue(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
}

/** Parses JSON, with or without a byte order mark. */
export function jsonValue(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** A text that may be absent or of another kind; empty then. */
export const looseText = v.optional(v.fallback(v.string(), ''), '');
/** A list that may be absent or of another kind; empty then. */
export const looseList = v.optional(v.fallback(v.array(v.unknown()), []), []);
export const looseFlag = v.optional(v.fallback(v.boolean(), false), false);

/** Returns those items of a list that the schema takes, so that what is new costs itself alone. */
export function itemsOf<Schema extends v.GenericSchema>(
  items: readonly unknown[],
  schema: Schema,
): v.InferOutput<Schema>[] {
  return items.flatMap((item) => {
    const parsed = v.safeParse(schema, item);
    return parsed.success ? [parsed.output] : [];
  });
}

export function isElsewhere(href: string): boolean {
  return /^(?:https?:)?\/\//i.test(href) || /^mailto:/i.test(href);
}

/** Joins the path of a page to its folder, as links from the site's root are written. */
export function pathBelow(folder: string, written: string): string {
  const [target = ''] = written.split(/[?#]/);
  let decoded = target;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    // A name with a `%` of its own.
  }
  const joined = path.posix.join('/', folder, decoded);
  return joined.replace(/^\/+|\/+$/g, '');
}

/** Returns what stands behind the `#` of a link. */
export function fragmentOf(written: string): string {
  const hash = written.indexOf('#');
  return hash < 0 ? '' : written.slice(hash + 1);
}
