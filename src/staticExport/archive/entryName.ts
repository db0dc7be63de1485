import type { ArchiveEntry } from './archiveEntry';
import type { UnpackLimits } from './limits';
import { unsafeEntry, unsafeReasons, type UnsafeReason } from './unsafeEntry';

const controlCharacter = /\p{Cc}/u;
const notText = /[\p{Surrogate}\uFFFD]/u;
const drive = /^[A-Za-z]:/;
const forbiddenCharacter = /[<>:"|?*\\]/;
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;
const gitName = /^(?:\.git|git~\d+)$/i;
/** Characters that HFS+ leaves out when it compares names. */
const formatCharacters = /\p{Cf}/gu;

/**
 * Takes the name of an entry apart as `/` divides it, and makes sure that it is safe on every
 * operating system alike (faults.md D12, D17).
 *
 * Parts that stand for the folder itself (`a//b`, `a/./b`)
 * are left out: `tar` writes them for a folder that is given as `site/.`, and they mean the same
 * on every system.
 *
 * A name that means something else elsewhere is refused, not mended: what it was meant to be is
 * a guess, and links of the site would miss the mended one.
 *
 * @param name as archived.
 * @returns its parts, never empty, `.` or `..`; none for the folder that all lies in (`./`).
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
  if (controlCharacter.test(name)) return unsafeReasons.controlCharacter;
  if (notText.test(name)) return unsafeReasons.notText;
  // Windows divides by both, so both are looked at before the backslash is refused as such.
  const unified = name.replaceAll('\\', '/');
  if (unified.startsWith('/') || drive.test(unified)) return unsafeReasons.absolute;
  if (unified.split('/').includes('..')) return unsafeReasons.climbsOut;
  return undefined;
}

function reasonOfSegment(segment: string, limits: UnpackLimits): UnsafeReason | undefined {
  if (forbiddenCharacter.test(segment)) return unsafeReasons.forbiddenCharacter;
  if (/[. ]$/.test(segment)) return unsafeReasons.trailingDotOrSpace;
  // `nul.tar.gz` and `nul .txt` are the device too.
  const [stem = ''] = segment.split('.');
  if (deviceName.test(stem.trimEnd())) return unsafeReasons.reservedName;
  // Git runs what a repository's configuration says as soon as an editor looks at its folder.
  if (gitName.test(segment.replace(formatCharacters, ''))) return unsafeReasons.gitFolder;
  if (Buffer.byteLength(segment) > limits.segmentBytes) return unsafeReasons.nameTooLong;
  return undefined;
}

/**
 * What two names have in common if any file system takes them for one: letters of either case,
 * composed or not (faults.md D16). One character never becomes two, as on NTFS and APFS.
 */
export function foldedName(segments: readonly string[]): string {
  const name = segments.join('/');
  if (/^[\x20-\x7E]*$/.test(name)) return name.toUpperCase();
  return Array.from(name.normalize('NFC'), foldedCharacter).join('').normalize('NFC');
}

/** Lower case first: `ẞ` has it, but it has no upper case of one character. */
function foldedCharacter(character: string): string {
  const lower = onlyIfOne(character.toLowerCase(), character);
  return onlyIfOne(lower.toUpperCase(), lower);
}

function onlyIfOne(text: string, otherwise: string): string {
  return Array.from(text).length === 1 ? text : otherwise;
}
