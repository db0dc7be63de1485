import { ExportError } from '../exportErrors';
import type { ArchiveEntry } from './archiveEntry';
import { foldedName, parseEntryName } from './entryName';
import type { UnpackLimits } from './limits';
import { unsafeEntry, unsafeReasons, type UnsafeReason } from './unsafeEntry';

interface Node {
  /** As it was first archived. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

/**
 * Reads through all entries without their content, and checks them against each other and the
 * limits: what is refused is refused before a file is made.
 *
 * @throws {ExportError} `unsafe-archive`, and what `entries` throws.
 */
export async function entryTreeOf(
  entries: AsyncIterable<ArchiveEntry>,
  limits: UnpackLimits,
  signal: AbortSignal,
): Promise<EntryTree> {
  const tree = new EntryTree(limits);
  for await (const { name, kind } of entries) {
    signal.throwIfAborted();
    tree.add(name, kind);
  }
  return tree;
}

/** The files and folders that the entries of an archive come to (faults.md D14, D16). */
export class EntryTree {
  readonly #limits: UnpackLimits;
  /** By their folded names. */
  readonly #nodes = new Map<string, Node>();
  /** By their exact names: on most systems two that differ by case are two. */
  readonly #folders = new Set<string>(['']);
  /** Of which entry, by its place in the archive, each file has its content. */
  readonly #sources = new Map<string, number>();
  #entries = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  get files(): number {
    return this.#sources.size;
  }

  /**
   * Adds the next entry. A file that is there already gets its content from this one.
   * @param entry its name as archived.
   */
  add(entry: string, kind: ArchiveEntry['kind']): void {
    const segments = parseEntryName(entry, kind, this.#limits);
    const isKnown = this.#folders.has(segments.slice(0, -1).join('/'));
    for (let depth = isKnown ? segments.length : 1; depth < segments.length; depth++) {
      this.#addFolder(entry, segments.slice(0, depth), unsafeReasons.fileAsFolder);
    }
    if (kind === 'folder') this.#addFolder(entry, segments, unsafeReasons.fileAndFolder);
    else this.#addFile(entry, segments);
    this.#entries += 1;
  }

  /**
   * True if a file's content is that of the entry at this place, as no later one replaces it.
   * @throws {ExportError} `broken-archive` for a file that was not added: the archive has changed.
   */
  isSource(segments: readonly string[], place: number): boolean {
    const source = this.#sources.get(segments.join('/'));
    if (source === undefined) throw new ExportError('broken-archive');
    return source === place;
  }

  #addFolder(entry: string, segments: readonly string[], reasonIfFile: UnsafeReason): void {
    const name = segments.join('/');
    if (this.#folders.has(name)) return;
    const folded = foldedName(segments);
    const known = this.#nodes.get(folded);
    if (known?.kind === 'file') {
      throw unsafeEntry(entry, known.name === name ? reasonIfFile : unsafeReasons.collision);
    }
    this.#folders.add(name);
    this.#remember(entry, folded, known ?? { name, kind: 'folder' });
  }

  #addFile(entry: string, segments: readonly string[]): void {
    const name = segments.join('/');
    const folded = foldedName(segments);
    const known = this.#nodes.get(folded);
    if (known !== undefined && known.name !== name) {
      throw unsafeEntry(entry, unsafeReasons.collision);
    }
    if (known?.kind === 'folder') throw unsafeEntry(entry, unsafeReasons.fileAndFolder);
    this.#sources.set(name, this.#entries);
    this.#remember(entry, folded, { name, kind: 'file' });
  }

  /** Folders that only names imply count as well: 64 of them take one short entry. */
  #remember(entry: string, folded: string, node: Node): void {
    this.#nodes.set(folded, node);
    const mostMade = Math.max(this.#nodes.size, this.#folders.size);
    if (mostMade > this.#limits.entries) throw unsafeEntry(entry, unsafeReasons.tooMany);
  }
}
