/** Says why the service can't start with its database, and what to do. */
import { errorCodeOrName, messageOf } from '../../../common/errorCode';
import { isDown } from './database';

const NOT_VALID =
  'DATABASE_URL is not valid. Write it as postgres://user:password@host/database, with characters such as # and / percent-encoded.';
const WRONG_PASSWORD =
  'PostgreSQL refuses the user or the password of DATABASE_URL. Correct them, with characters such as # and / percent-encoded.';
const NO_TLS = 'The server of DATABASE_URL does not offer TLS. Remove sslmode from the URL.';

/** Sentences by the code of an error: of PostgreSQL, or of the system. */
const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^ERR_INVALID_URL$/, NOT_VALID],
  [/^3D000$/, "DATABASE_URL names a database that doesn't exist. Create it or correct the URL."],
  [/^28P01$/, WRONG_PASSWORD],
  [
    /^28000$/,
    "PostgreSQL doesn't let the user of DATABASE_URL connect from here. Check the user and pg_hba.conf. If the server demands TLS, add sslmode=verify-full to the URL.",
  ],
  [
    /^42501$/,
    'The user of DATABASE_URL may not create tables and schemas. Make this user the owner of the database.',
  ],
  [/^25006$/, 'The database is read-only. DATABASE_URL must name the primary, not a replica.'],
  [/^53300$/, 'PostgreSQL has no connection left. Raise max_connections, or end others.'],
  [
    /CERT|SIGNATURE/,
    'The certificate of the database is not trusted. If a private authority has signed it, name the file of the authority with sslrootcert in DATABASE_URL.',
  ],
];

/**
 * Returns a sentence about an error with which the service can't start, or undefined for one that isn't about how it
 * connects. It has no texts of the driver and the server, which can repeat parts of the URL.
 */
export function databaseProblem(error: unknown): string | undefined {
  const code = errorCodeOrName(error);
  const sentence = sentences.find(([codes]) => codes.test(code))?.[1] ?? driverSentence(error);
  if (sentence !== undefined || !isDown(error)) return sentence;
  const reason = code === 'Error' ? 'no answer' : code;
  return `The database can't be reached (${reason}). Check the host and the port of DATABASE_URL, and that PostgreSQL runs.`;
}

/** Returns the sentence for an error to which the driver gives no code. */
function driverSentence(error: unknown): string | undefined {
  const said = messageOf(error);
  if (said.startsWith('SASL: ')) return WRONG_PASSWORD;
  return said === 'The server does not support SSL connections' ? NO_TLS : undefined;
}
