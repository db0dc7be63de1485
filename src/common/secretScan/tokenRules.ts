/** Tokens and keys that are recognized by the form that their service gives them. */
import { finding, type Finding, type SecretType } from './finding';
import { isPlaceholder, isRandom } from './placeholders';

interface TokenRule extends SecretType {
  /** Texts of which one is in every such token. A text without them isn't searched any further. */
  readonly signs: readonly string[];
  /** Forms of the token. Every repetition has an upper limit, so a search can't take long. */
  readonly pattern: RegExp;
}

/** Returns a pattern that matches a token only if no letter or digit stands right beside it. */
function alone(form: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?:${form})(?![A-Za-z0-9])`, 'g');
}

function token(service: string, signs: string | readonly string[], form: string): TokenRule {
  return rule('token', service, signs, form);
}

function key(service: string, signs: string | readonly string[], form: string): TokenRule {
  return rule('key', service, signs, form);
}

function rule(
  kind: 'token' | 'key' | 'secret' | 'webhook',
  service: string,
  signs: string | readonly string[],
  form: string,
): TokenRule {
  const name = service.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return { rule: `${name}-${kind}`, kind, service, signs: [signs].flat(), pattern: alone(form) };
}

/** Forms as the services document them. secretlint has the rules of further services. */
export const tokenRules: readonly TokenRule[] = [
  token('GitHub', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[A-Za-z0-9]{36,255}'),
  token('GitHub', 'github_pat_', 'github_pat_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{50,65}'),
  token(
    'GitLab',
    'gl',
    'gl(?:pat|dt|rt|cbt|ptt|oas|agent|soat|ft|imt|ffct)-[A-Za-z0-9_.-]{20,300}',
  ),
  key('Stripe', ['sk_', 'rk_'], '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}'),
  rule('secret', 'Stripe', 'whsec_', 'whsec_[A-Za-z0-9+/]{24,100}={0,2}'),
  key('Google', 'AIza', 'AIza[A-Za-z0-9_-]{35}'),
  rule('secret', 'Google', 'GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{28}'),
  token('Google', 'ya29.', 'ya29\\.[A-Za-z0-9_-]{20,1000}'),
  key(
    'Azure',
    ['AccountKey=', 'SharedAccessKey='],
    '(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{32,90}={0,2}',
  ),
  rule('secret', 'Azure', 'Q~', '[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'),
  key('AWS', ['AKIA', 'ASIA'], 'A(?:KIA|SIA)[A-Z2-7]{16}'),
  key('AWS', 'bedrock', 'bedrock-api-key-[A-Za-z0-9+/=]{40,300}'),
  key('Anthropic', 'sk-ant-', 'sk-ant-[a-z]{2,8}\\d{2}-[A-Za-z0-9_-]{40,200}'),
  key('OpenAI', 'sk-', 'sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{40,250}'),
  key('OpenRouter', 'sk-or-', 'sk-or-v1-[0-9a-f]{64}'),
  key('Groq', 'gsk_', 'gsk_[A-Za-z0-9]{48,60}'),
  key('Perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{40,60}'),
  key('xAI', 'xai-', 'xai-[A-Za-z0-9]{70,90}'),
  token('Hugging Face', ['hf_', 'api_org_'], '(?:hf|api_org)_[A-Za-z]{30,40}'),
  token('Replicate', 'r8_', 'r8_[A-Za-z0-9]{37}'),
  token('PyPI', 'pypi-', 'pypi-AgE[A-Za-z0-9_-]{50,500}'),
  key('RubyGems', 'rubygems_', 'rubygems_[0-9a-f]{48}'),
  token('crates.io', 'cio', 'cio[A-Za-z0-9]{32}'),
  key('NuGet', 'oy2', 'oy2[a-z0-9]{43}'),
  token('Docker', ['dckr_pat_', 'dckr_oat_'], 'dckr_[po]at_[A-Za-z0-9_-]{27,60}'),
  token('DigitalOcean', ['dop_v1_', 'doo_v1_', 'dor_v1_'], 'do[opr]_v1_[0-9a-f]{64}'),
  token('Heroku', 'HRKU-', 'HRKU-[A-Za-z0-9_-]{30,80}'),
  token(
    'Fly.io',
    ['fo1_', 'fm1', 'fm2_'],
    '(?:fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,800}={0,3})',
  ),
  token('Vercel', 'vercel_blob_rw_', 'vercel_blob_rw_[A-Za-z0-9]{10,30}_[A-Za-z0-9]{20,60}'),
  token('Netlify', 'nfp_', 'nf[pc]_[A-Za-z0-9]{36,60}'),
  token('Supabase', ['sbp_', 'sb_secret_'], '(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,60})'),
  token('PlanetScale', 'pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}'),
  token('Databricks', 'dapi', 'dapi[0-9a-f]{32}(?:-\\d)?'),
  token(
    'Doppler',
    'dp.',
    'dp\\.(?:pt|st|ct|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  ),
  token('Vault', ['hvs.', 'hvb.', 'hvr.'], 'hv[sbr]\\.[A-Za-z0-9_-]{24,300}'),
  token('Terraform', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}'),
  token('Pulumi', 'pul-', 'pul-[0-9a-f]{40}'),
  token(
    'Grafana',
    ['glsa_', 'glc_'],
    '(?:glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})',
  ),
  key('New Relic', ['NRAK-', 'NRII-', 'NRJS-'], '(?:NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9-]{32})'),
  token('Sentry', ['sntrys_', 'sntryu_'], 'sntry(?:s_eyJ[A-Za-z0-9+/=_-]{80,500}|u_[0-9a-f]{64})'),
  key('Postman', 'PMAK-', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  token('Notion', ['ntn_', 'secret_'], '(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})'),
  token('Airtable', 'pat', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  token(
    'Atlassian',
    ['ATATT3', 'ATCTT3', 'ATBB'],
    '(?:AT[AC]TT3[A-Za-z0-9_=-]{50,300}|ATBB[A-Za-z0-9]{32})',
  ),
  token('Figma', 'fig', 'fig[dour]_[A-Za-z0-9_-]{38,60}'),
  token(
    'Square',
    ['sq0', 'EAAA'],
    '(?:sq0(?:atp|csp|idb)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60})',
  ),
  key('Twilio', 'SK', 'SK[0-9a-f]{32}'),
  key('SendGrid', 'SG.', 'SG\\.[A-Za-z0-9_-]{16,24}\\.[A-Za-z0-9_-]{39,50}'),
  key('Mailgun', 'key-', 'key-[0-9a-f]{32}'),
  key('Mailchimp', '-us', '[0-9a-f]{32}-us\\d{1,2}'),
  key('Brevo', 'xkeysib-', 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  key('Resend', 're_', 're_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,30}'),
  token('Telegram', ':AA', '\\d{8,10}:AA[A-Za-z0-9_-]{32,34}'),
  token('Discord', '.', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}'),
  rule(
    'webhook',
    'Discord',
    '/api/webhooks/',
    '(?<=/api/webhooks/)\\d{16,20}/[A-Za-z0-9_-]{60,80}',
  ),
  rule(
    'webhook',
    'Teams',
    '.webhook.office.com/',
    '(?<=\\.webhook\\.office\\.com/)webhookb2/[A-Za-z0-9@/-]{60,250}',
  ),
  token(
    'Slack',
    ['xox', 'xapp-'],
    'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{20,250}|xapp-\\d-[A-Z0-9]{8,14}-\\d{8,16}-[0-9a-f]{40,80}',
  ),
  token('Mapbox', 'sk.eyJ', 'sk\\.eyJ[A-Za-z0-9_-]{40,200}\\.[A-Za-z0-9_-]{20,40}'),
  token(
    'LaunchDarkly',
    ['sdk-', 'api-'],
    '(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  ),
  token('Dropbox', 'sl.', 'sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,1500}'),
  token('Contentful', 'CFPAT-', 'CFPAT-[A-Za-z0-9_-]{43}'),
  token('Dynatrace', 'dt0', 'dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  key('age', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  token('1Password', 'ops_eyJ', 'ops_eyJ[A-Za-z0-9+/=_-]{100,1500}'),
];

/** Returns the tokens and keys in a text that a rule of {@link tokenRules} recognizes. */
export function findTokens(text: string): Finding[] {
  return tokenRules.flatMap(({ signs, pattern, ...type }) => {
    if (!signs.some((sign) => text.includes(sign))) return [];
    return [...text.matchAll(pattern)].flatMap((match) =>
      isPlaceholder(match[0]) ? [] : [finding(type, match.index, match.index + match[0].length)],
    );
  });
}

const jwtPattern = alone(
  'eyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,6000}\\.[A-Za-z0-9_-]{16,1400}',
);

/** Payload of the sample on jwt.io, which half of all documentation repeats. */
const SAMPLE_SUBJECT = '1234567890';

/** Returns the JSON Web Tokens in a text, without samples and those that are made to be public. */
export function findJsonWebTokens(text: string): Finding[] {
  if (!text.includes('.eyJ')) return [];
  return [...text.matchAll(jwtPattern)].flatMap((match) =>
    isPublicJwt(match[0])
      ? []
      : [finding({ rule: 'jwt', kind: 'jwt' }, match.index, match.index + match[0].length)],
  );
}

function isPublicJwt(jwt: string): boolean {
  const payload = payloadOf(jwt);
  // Services such as Supabase give out a token of the role `anon` for use in web pages.
  return payload?.['sub'] === SAMPLE_SUBJECT || payload?.['role'] === 'anon';
}

function payloadOf(jwt: string): Record<string, unknown> | undefined {
  try {
    const json = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8');
    const payload: unknown = JSON.parse(json);
    return typeof payload === 'object' && payload !== null
      ? (payload as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const schemePattern = /\b(Bearer|Basic|Token)[ \t]{1,4}([A-Za-z0-9+/=._~-]{16,2000})/gi;

const curlPattern =
  /\bcurl\b[^\n]{0,400}?[ \t](?:-u|--user)[ =]?["']?[\w.@-]{1,80}:([^\s"':@]{4,100})/g;

/** Returns the passwords of `curl -u name:password`. */
function findCurlPasswords(text: string): Finding[] {
  if (!text.includes('curl')) return [];
  return [...text.matchAll(curlPattern)].flatMap((match) => {
    const [all, password = ''] = match;
    const end = match.index + all.length;
    return isPlaceholder(password)
      ? []
      : [finding({ rule: 'curl-password', kind: 'password' }, end - password.length, end)];
  });
}

/** Returns the credentials of `Authorization` headers and of `curl -u`. */
export function findAuthorization(text: string): Finding[] {
  return [...findCurlPasswords(text), ...findHeaders(text)];
}

function findHeaders(text: string): Finding[] {
  return [...text.matchAll(schemePattern)].flatMap((match) => {
    const [all, scheme = '', value = ''] = match;
    const end = match.index + all.length;
    const start = end - value.length;
    if (/^basic$/i.test(scheme)) {
      return isLogin(value) ? [finding({ rule: 'basic-login', kind: 'login' }, start, end)] : [];
    }
    const isOurPublicKey = /_dsc_/.test(value);
    return isOurPublicKey || isPlaceholder(value) || !isRandom(value)
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
