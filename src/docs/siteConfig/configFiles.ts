import path from 'node:path';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import type { Log } from '../../common/ports';
import { withoutByteOrderMark } from '../../shared/characters';
import { parsedAs } from '../../shared/schemas';
import { readPlainFile } from '../sources/docsFolder';

/** Tools that make sites from Markdown, each with its own configuration. */
export type SiteGenerator =
  | 'mintlify'
  | 'vitepress'
  | 'docusaurus'
  | 'mkdocs'
  | 'docsify'
  | 'gitbook';

/**
 * An entry of a navigation, read from a configuration. Paths are relative to the docs folder, with or
 * without the page's ending.
 */
export type ConfiguredEntry =
  | {
      readonly kind: 'page';
      readonly path: string;
      /** Title of the entry. If absent, the page's own title is used. */
      readonly title?: string;
      /** Fragment of a section, without `#`. */
      readonly fragment?: string;
    }
  | {
      readonly kind: 'group';
      readonly title: string;
      /** Path of the page that the group's title links to. */
      readonly landing?: string;
      readonly isHidden?: boolean;
      readonly entries: readonly ConfiguredEntry[];
    }
  /** Entries of one version or language. They do not form a level of the navigation. */
  | {
      readonly kind: 'edition';
      readonly version?: string;
      readonly language?: string;
      readonly entries: readonly ConfiguredEntry[];
    }
  | { readonly kind: 'link'; readonly title: string; readonly href: string }
  /** All pages of a folder that no other entry lists. */
  | { readonly kind: 'folder'; readonly folder: string };

/** Configuration of one tool. */
export interface ToolConfig {
  readonly generator: SiteGenerator;
  /** The configuration file, as shown in the log. */
  readonly file: string;
  /** Entries of the navigation. Can be empty. */
  readonly navigation: readonly ConfiguredEntry[];
  readonly redirects?: readonly ConfiguredRedirect[];
  /** Paths at which pages are served (`to`), each with the path of the page's source (`from`). */
  readonly rewrites?: readonly ConfiguredRedirect[];
  /** Folder of the pages, relative to the docs folder. Links from the site's root start in this folder. */
  readonly contentFolder?: string;
  /** Folders whose files are served at the site's root. */
  readonly publicFolders?: readonly string[];
  /** Paths below which the pages are served, without slashes at their ends, such as `docs`. */
  readonly basePaths?: readonly string[];
  /** Code of the language of the docs, such as `en`, or an empty text. Translations have others. */
  readonly language?: string;
  /** Files that look like pages but only have navigation. */
  readonly noPages?: readonly string[];
  /** Paths below which the tool generates pages, for example from an API description. */
  readonly generatedPaths?: readonly string[];
}

/** A redirect of a configuration. Paths can have placeholders, as in `/old/:slug*` to `/new/:slug*`. */
export interface ConfiguredRedirect {
  readonly from: string;
  readonly to: string;
}

/** Maximum size of a configuration file in bytes. People don't write larger files. */
const MAX_CONFIG_BYTES = 2 * 1024 * 1024;

/** Reads the configuration files of a docs folder. Never follows symbolic links. */
export class ConfigFiles {
  readonly root: string;
  readonly #log: Log;

  constructor(root: string, log: Log) {
    this.root = root;
    this.#log = log;
  }

  /** Name of the docs folder. */
  get folderName(): string {
    return path.basename(this.root);
  }

  /**
   * Reads a text file. Returns undefined if it does not exist.
   * @param file path below the docs folder, or right above it: `../mkdocs.yml`.
   */
  async text(file: string): Promise<string | undefined> {
    const bytes = await readPlainFile(path.join(this.root, file), MAX_CONFIG_BYTES);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Returns the first of the files that exists. */
  async first(
    names: readonly string[],
  ): Promise<{ readonly file: string; readonly text: string } | undefined> {
    for (const file of names) {
      const text = await this.text(file);
      if (text !== undefined) return { file, text };
    }
    return undefined;
  }

  /** Parses a file by the schema. If it is not valid, logs the reason and returns undefined. */
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

  /** Logs why a file cannot be used. */
  refuse(file: string, reason: string): void {
    const line = reason.split('\n')[0]?.slice(0, 200) ?? '';
    this.#log.warn(
      `Can't use ${file}: ${line.replace(/\.$/, '')}. The navigation follows the folders until the file is fixed.`,
    );
  }

  /** Logs a note about a file that is used without some of its parts. */
  note(line: string): void {
    this.#log.info(line);
  }
}

/** Parses YAML. Ignores the tags of other programs (`!!python/name:…`, `!ENV`) and keeps their values. */
export function yamlValue(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
}

/** Parses JSON, with or without a byte order mark. */
export function jsonValue(text: string): unknown {
  return JSON.parse(withoutByteOrderMark(text));
}

/** Returns a schema whose result is `absent` if the value is absent or doesn't match. */
export function loose<
  const Schema extends v.GenericSchema,
  const Absent extends v.InferInput<Schema> & v.InferOutput<Schema>,
>(schema: Schema, absent: Absent) {
  return v.optional(v.fallback(schema, absent), absent);
}

/** Schema of a text, which is empty by default. */
export const looseText = loose(v.string(), '');
/** Schema of a list, which is empty by default. */
export const looseList = loose(v.array(v.unknown()), []);
export const looseFlag = loose(v.boolean(), false);

/**
 * Returns the items of a list that match the schema, and leaves out the others.
 */
export function itemsOf<Schema extends v.GenericSchema>(
  items: readonly unknown[],
  schema: Schema,
): v.InferOutput<Schema>[] {
  return items.map((item) => parsedAs(schema, item)).filter((item) => item !== undefined);
}

/** Joins the path of a page to its folder, for links from the site's root. */
export function pathBelow(folder: string, written: string): string {
  const [target = ''] = written.split(/[?#]/);
  let decoded = target;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    // The name contains a `%` that is not part of an encoded character.
  }
  const joined = path.posix.join('/', folder, decoded);
  return joined.replace(/^\/+|\/+$/g, '');
}

/** Returns the part of a link after its `#`. */
export function fragmentOf(written: string): string {
  const hash = written.indexOf('#');
  return hash < 0 ? '' : written.slice(hash + 1);
}
