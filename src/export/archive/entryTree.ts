import { isDeviceName } from '../../common/text/deviceNames';
import { hasControls } from '../../shared/characters';
import { ExportError } from '../exportErrors';
import type { ArchiveEntry } from './archiveFile';
import { unsafeEntry, unsafeReasons, type UnpackLimits, type UnsafeReason } from './limits';

interface Node {
  /** Name in the first entry for it. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

/**
 * Reads all entries without their content, and checks them against each other and the limits, so that
 * an unsafe archive is refused before any file is created.
 *
 * @throws {ExportError} `unsafe-archive`, and the errors of `entries`.
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

/** Files and folders that an archive's entries create (faults.md D14, D16). */
export class EntryTree {
  readonly #limits: UnpackLimits;
  /** Nodes by folded name. */
  readonly #nodes = new Map<string, Node>();
  /** Exact names of the folders, since on most systems names that differ by case are different. */
  readonly #folders = new Set<string>(['']);
  /** Position in the archive of the entry with each file's content. */
  readonly #sources = new Map<string, number>();
  #entries = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  get files(): number {
    return this.#sources.size;
  }

  /**
   * Adds the next entry. An entry for an existing file replaces its content.
   * @param entry name of the entry as archived.
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
   * Returns whether the entry at this position has the final content of a file.
   * @throws {ExportError} `broken-archive` for an unknown file, because the archive has changed then.
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

  /** Adds a node and checks the limit. Implied folders count too, since one entry can imply 64. */
  #remember(entry: string, folded: string, node: Node): void {
    this.#nodes.set(folded, node);
    const mostMade = Math.max(this.#nodes.size, this.#folders.size);
    if (mostMade > this.#limits.entries) throw unsafeEntry(entry, unsafeReasons.tooMany);
  }
}

const notText = /[\p{Surrogate}\uFFFD]/u;
const drive = /^[A-Za-z]:/;
const forbiddenCharacter = /[<>:"|?*\\]/;
const gitName = /^(?:\.git|git~\d+)$/i;
/** Characters that HFS+ ignores when it compares names. */
const formatCharacters = /\p{Cf}/gu;

/**
 * Splits an entry's name at `/` and checks that it is safe on every operating system (faults.md D12,
 * D17).
 *
 * Parts for the folder itself (`a//b`, `a/./b`) are dropped. `tar` writes them for a folder such as
 * `site/.`, and they mean the same on every system.
 *
 * A name with another meaning on some system is refused and not corrected, because links of the site
 * would miss the corrected file.
 *
 * @param name name as archived.
 * @returns the parts, none of which is empty, `.` or `..`. No parts for the root folder (`./`).
 * @throws {ExportError} `unsafe-archive`.
 */
export function parseEntryName(
  name: string,
  kind: ArchiveEntry['kind'],
  limits: UnpackLimits,
): readonly string[] {
  const reason = reasonOfWhole(name, limits);
  if (reason !== undefined) throw unsafeEntry(name, reason);
  const parts = name.split('/');
  if (kind === 'file' && isFolderItself(parts.at(-1)))
    throw unsafeEntry(name, unsafeReasons.noName);
  const segments = parts.filter((part) => !isFolderItself(part));
  if (segments.length > limits.depth) throw unsafeEntry(name, unsafeReasons.tooDeep);
  for (const segment of segments) {
    const segmentReason = reasonOfSegment(segment, limits);
    if (segmentReason !== undefined) throw unsafeEntry(name, segmentReason);
  }
  return segments;
}

const isFolderItself = (part: string | undefined): boolean => part === '' || part === '.';

function reasonOfWhole(name: string, limits: UnpackLimits): UnsafeReason | undefined {
  if (name.length > limits.nameLength) return unsafeReasons.nameTooLong;
  if (hasControls(name)) return unsafeReasons.controlCharacter;
  if (notText.test(name)) return unsafeReasons.notText;
  // Windows splits names at `\\` too, and these reasons are clearer than that of a backslash.
  const unified = name.replaceAll('\\', '/');
  if (unified.startsWith('/') || drive.test(unified)) return unsafeReasons.absolute;
  if (unified.split('/').includes('..')) return unsafeReasons.climbsOut;
  return undefined;
}

function reasonOfSegment(segment: string, limits: UnpackLimits): UnsafeReason | undefined {
  if (forbiddenCharacter.test(segment)) return unsafeReasons.forbiddenCharacter;
  if (/[. ]$/.test(segment)) return unsafeReasons.trailingDotOrSpace;
  if (isDeviceName(segment)) return unsafeReasons.reservedName;
  // Git runs commands of a repository's configuration as soon as an editor opens its folder.
  if (gitName.test(segment.replace(formatCharacters, ''))) return unsafeReasons.gitFolder;
  if (Buffer.byteLength(segment) > limits.segmentBytes) return unsafeReasons.nameTooLong;
  return undefined;
}

/**
 * Returns a form that is equal for names that some file system treats as the same: without case and with
 * composed letters (faults.md D16). One character never becomes two, as on NTFS and APFS.
 */
function foldedName(segments: readonly string[]): string {
  const name = segments.join('/');
  if (/^[\x20-\x7E]*$/.test(name)) return name.toUpperCase();
  return Array.from(name.normalize('NFC'), foldedCharacter).join('').normalize('NFC');
}

/** Folds one character. It is lowered first, because `ẞ` has no upper case of one character. */
function foldedCharacter(character: string): string {
  const lower = onlyIfOne(character.toLowerCase(), character);
  return onlyIfOne(lower.toUpperCase(), lower);
}

function onlyIfOne(text: string, otherwise: string): string {
  return Array.from(text).length === 1 ? text : otherwise;
}
