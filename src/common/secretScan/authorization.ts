/** Finds JSON Web Tokens and the credentials of `Authorization` headers. */
import { isJsonObject, parsedJson } from '../text/strings';
import { finding, type Finding } from './finding';
import { isMixed, isPlaceholder, isRandom } from './placeholders';
import { alone } from './tokenRules';
import { ValueReader } from './valueReader';

const jwtPattern = alone(
  'eyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,6000}\\.[A-Za-z0-9_-]{16,1400}',
);

/** Payload of the sample on jwt.io, which half of all documentation repeats. */
const SAMPLE_SUBJECT = '1234567890';

/** A JSON Web Token that is in base64 once more, as in the `data` of a Kubernetes Secret: `ZXlK` stands for `eyJ`. */
const codedJwtPattern = alone('ZXlK[A-Za-z0-9+/_-]{60,9600}={0,2}');

/** Returns the JSON Web Tokens in a text, without samples and those that are made to be public. */
export function findJsonWebTokens(text: string): Finding[] {
  const jwts = text.includes('.eyJ')
    ? [...text.matchAll(jwtPattern)].filter(([jwt]) => !isPublicJwt(jwt))
    : [];
  const coded = [...text.matchAll(codedJwtPattern)].filter(
    ([value]) => findJsonWebTokens(Buffer.from(value, 'base64').toString('utf8')).length > 0,
  );
  return [...jwts, ...coded].map(({ 0: { length }, index }) =>
    finding({ rule: 'jwt', kind: 'jwt' }, index, index + length),
  );
}

function isPublicJwt(jwt: string): boolean {
  const [, coded = ''] = jwt.split('.');
  const payload = parsedJson(Buffer.from(coded, 'base64url').toString('utf8'));
  // Services such as Supabase give out a token of the role `anon` for use in web pages.
  return isJsonObject(payload) && (payload['sub'] === SAMPLE_SUBJECT || payload['role'] === 'anon');
}

const schemePattern = /\b(Bearer|Basic|Token)[ \t]{1,4}(\S{12})/gi;

/** Returns the credentials of `Authorization` headers. */
export function findAuthorization(text: string): Finding[] {
  const reader = new ValueReader(text);
  return [...text.matchAll(schemePattern)].flatMap((match) => {
    const [all, scheme = '', first = ''] = match;
    const { start, end } = reader.word(match.index + all.length - first.length);
    const value = text.slice(start, end);
    if (/^basic$/i.test(scheme)) {
      return isLogin(value) ? [finding({ rule: 'basic-login', kind: 'login' }, start, end)] : [];
    }
    const isOurPublicKey = /_dsc_/.test(value);
    // “[Refresh Token Grant](https://…”
    const isLinkText = value.includes('](http');
    return isOurPublicKey ||
      isLinkText ||
      isPlaceholder(value) ||
      !(isRandom(value) || isMixed(value))
      ? []
      : [finding({ rule: 'bearer-token', kind: 'token' }, start, end)];
  });
}

/** Returns whether a value is a user name and a password in base64. */
function isLogin(value: string): boolean {
  const [user = '', ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  const login = `${user}:${password.join(':')}`;
  return (
    password.length > 0 &&
    /^[\x20-\x7e]{4,300}$/.test(login) &&
    !isPlaceholder(password.join(':')) &&
    Buffer.from(login).toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '')
  );
}
