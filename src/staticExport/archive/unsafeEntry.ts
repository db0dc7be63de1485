import { plainSentence } from '../../common/plainSentence';
import { ExportError } from '../exportErrors';

/** Why an archive is refused. Each ends the sentence that begins with the entry's name. */
export const unsafeReasons = {
  climbsOut: 'climbs out of the folder',
  absolute: 'has an absolute path',
  controlCharacter: 'has a control character in its name',
  notText: 'has a name that is not valid text',
  noName: 'is a file without a name of its own',
  forbiddenCharacter: 'has a character in its name that file systems do not allow',
  reservedName: 'has a name that Windows reserves for a device',
  trailingDotOrSpace: 'has a part in its name that ends with a dot or a space',
  gitFolder: 'belongs to a Git repository, which a site has no use for',
  nameTooLong: 'has too long a name',
  tooDeep: 'lies in too many folders',
  link: 'is a link',
  specialFile: 'is neither a file nor a folder',
  sparse: 'is a sparse file',
  rest: 'is the rest of a file that another archive begins',
  encrypted: 'is encrypted',
  unknownCompression: 'is compressed in a way that is not supported',
  overlaps: 'overlaps with another entry',
  fileAndFolder: 'is there both as a file and as a folder',
  collision: 'differs from another entry only by case or by the form of its letters',
  fileAsFolder: 'uses a file as a folder',
  tooMany: 'is one entry too many',
  tooManyInAll: 'holds more files and folders than a site can have',
  fileTooLarge: 'is too large',
  totalTooLarge: 'makes the unpacked site too large',
  ratioTooHigh: 'unpacks to far more than its archive can honestly hold',
  metadataTooLarge: 'has too large a header',
} as const;

export type UnsafeReason = (typeof unsafeReasons)[keyof typeof unsafeReasons];

const MAX_SHOWN = 200;

/** The failure that names an entry, its name made harmless and cut. */
export function unsafeEntry(name: string, reason: UnsafeReason): ExportError {
  return new ExportError('unsafe-archive', { entry: plainSentence(name, [], MAX_SHOWN), reason });
}
