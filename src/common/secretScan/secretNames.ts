/** Says by the name of a setting whether its value is a secret, and of which kind. */
import type { SecretKind } from './finding';
import { wordsOf } from './placeholders';

/** Words before `key` that make it one for signing in or for encryption. */
const keyWords = new Set([
  ...['api', 'secret', 'private', 'access', 'auth', 'encryption', 'signing', 'signature', 'master'],
  ...[
    'admin',
    'service',
    'license',
    'account',
    'storage',
    'shared',
    'jwt',
    'hmac',
    'cipher',
    'aes',
  ],
  ...['session', 'cookie', 'app', 'application', 'client', 'consumer', 'webhook', 'subscription'],
  ...['deploy', 'write', 'server', 'crypt', 'crypto', 'token', 'security', 'integration', 'role'],
  ...['openai', 'stripe', 'sendgrid', 'aws', 'azure', 'gcp', 'datadog', 'algolia', 'sentry', 'rsa'],
]);

/** Words after which a name no longer means the secret itself, as in `tokenType`. */
const keptEndings = new Set([
  ...['prod', 'production', 'dev', 'development', 'staging', 'stage', 'live', 'local', 'test'],
  ...[
    'base64',
    'b64',
    'value',
    'hex',
    'plain',
    'text',
    'old',
    'new',
    'current',
    'previous',
    'next',
  ],
  ...['primary', 'secondary', 'default', 'backup', 'v'],
]);

/** Words before `token` that mean something else than a right of access. */
const otherTokens = new Set([
  ...['next', 'page', 'continuation', 'cancel', 'cancellation', 'csrf', 'xsrf', 'design', 'color'],
  ...[
    'start',
    'end',
    'eos',
    'bos',
    'pad',
    'unk',
    'sep',
    'cls',
    'mask',
    'stop',
    'max',
    'min',
    'sync',
  ],
  ...['verification', 'lexer', 'syntax', 'resume', 'pagination', 'idempotency', 'css', 'theme'],
]);

/** Words before `pass` that make it short for a password. */
const passWords = new Set([
  ...['db', 'database', 'smtp', 'mail', 'email', 'user', 'admin', 'ftp', 'sftp', 'redis', 'mysql'],
  ...['pg', 'postgres', 'root', 'login', 'auth', 'http', 'proxy', 'ssh', 'imap', 'ldap', 'mongo'],
  ...['rabbitmq', 'mqtt', 'keystore', 'key', 'basic', 'rpc', 'vnc', 'app', 'sudo', 'mariadb'],
]);

/** Returns what a name says about its value, or undefined if the value can be seen by everyone. */
export function kindOfName(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  while (words.length > 1) {
    const last = words.at(-1) ?? '';
    if (!keptEndings.has(last) && !/^\d{1,2}$/.test(last)) break;
    words.pop();
  }
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  const joined = before + last;
  if (words.includes('public') || words.includes('publishable')) return undefined;
  if (/^(?:password|passwd|passphrase|passcode|pwd|pw)$/.test(last)) return 'password';
  if (/(?:password|passwd|passphrase|pwd)$/.test(last) && last.length <= 20) return 'password';
  if (last === 'pass') return passWords.has(before) ? 'password' : undefined;
  if (/^(?:dbpass|smtppass|userpass|rootpass|mysqlpass|pgpass)$/.test(last)) return 'password';
  if (last === 'secret' || /^(?:client|app|api|jwt|shared|consumer)secret$/.test(last))
    return 'secret';
  if (last === 'authorization') return 'token';
  if (last === 'token') return otherTokens.has(before) ? undefined : 'token';
  if (/^(?:auth|access|api|refresh|id|bearer|session|bot|user|personal)token$/.test(last))
    return 'token';
  if (last === 'key') return keyWords.has(before) ? 'key' : undefined;
  if (/(?:api|secret|access|private|account|encryption|signing|master|auth)key$/.test(joined))
    return 'key';
  if (/^_?auth$/i.test(name) || name === '_authToken') return 'login';
  if (/^credentials?$/.test(last)) return 'secret';
  return undefined;
}
