/**
 * Forty lines that hold a secret and forty that look as if they did.
 *
 * The rules were tuned on other lines: on those of the tests of the rules, and on 80 MB of public code
 * and documentation, which holds next to no secrets. These here are not to be tuned on. The secrets are
 * of kinds from the list of another scanner (gitleaks), whether or not our rules know the service, and
 * stand in files as developers write them. Their values are random in the form that the service
 * documents. The look-alikes are modeled on what a search of public repositories finds for `password: `,
 * `API_KEY=`, `"token":`, `secret_key`, `Authorization: Bearer` and `postgresql://`.
 */
import { seededRandom } from '../../../builders/seededRandom';

export interface ScannedLine {
  readonly name: string;
  readonly text: string;
  /** The part that must not leave the machine. Absent in a look-alike. */
  readonly secret?: string;
}

const random = seededRandom(20_261_122);

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random(alphabet.length))).join('');
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const letters = lower + lower.toUpperCase();
const hex = (length: number): string => pick(`${digits}abcdef`, length);
const mixed = (length: number): string => pick(letters + digits, length);
const dashed = (length: number): string => pick(`${letters}${digits}_-`, length);
const base64 = (length: number): string => pick(`${letters}${digits}+/`, length);
const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
const base64Url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

function planted(name: string, secret: string, line: (secret: string) => string): ScannedLine {
  return { name, secret, text: line(secret) };
}

export const plantedSecrets: readonly ScannedLine[] = [
  planted(
    '1Password service account',
    `ops_${base64Url({ email: 'ci@acme.dev', srpX: hex(200) })}`,
    (s) => `export OP_SERVICE_ACCOUNT_TOKEN="${s}"`,
  ),
  planted('Adobe client secret', `p8e-${mixed(32)}`, (s) => `ADOBE_CLIENT_SECRET=${s}`),
  planted(
    'age identity',
    `AGE-SECRET-KEY-1${pick('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
    (s) => `# created: 2026-03-01\n${s}`,
  ),
  planted(
    'Airtable token',
    `pat${mixed(14)}.${hex(64)}`,
    (s) => `const base = new Airtable({ apiKey: '${s}' }).base('app1');`,
  ),
  planted('Algolia admin key', hex(32), (s) => `ALGOLIA_ADMIN_API_KEY=${s}`),
  planted('Alibaba access key', mixed(30), (s) => `access_key_secret: ${s}`),
  planted(
    'Anthropic key',
    `sk-ant-api03-${dashed(93)}AA`,
    (s) => `client = Anthropic(api_key="${s}")`,
  ),
  planted('Artifactory token', `AKCp${mixed(69)}`, (s) => `  "artifactoryToken": "${s}",`),
  planted('Asana token', `1/${pick(digits, 16)}:${hex(32)}`, (s) => `asana.access_token = '${s}'`),
  planted(
    'Atlassian token',
    `ATATT3${dashed(180)}=${hex(8).toUpperCase()}`,
    (s) => `JIRA_API_TOKEN=${s}`,
  ),
  planted(
    'AWS secret access key',
    base64(40),
    (s) =>
      `[default]\naws_access_key_id = AKIA${pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}\naws_secret_access_key = ${s}\n`,
  ),
  planted(
    'Azure storage account key',
    `${base64(86)}==`,
    (s) =>
      `"AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=acmeprod;AccountKey=${s};EndpointSuffix=core.windows.net"`,
  ),
  planted(
    'Bitbucket app password',
    `ATBB${mixed(32)}`,
    (s) => `git clone https://ann:${s}@bitbucket.org/acme/shop.git`,
  ),
  planted('Cloudflare token', dashed(40), (s) => `CLOUDFLARE_API_TOKEN=${s}`),
  planted('Codecov token', uuid(), (s) => `codecov:\n  token: ${s}\n`),
  planted(
    'Contentful token',
    `CFPAT-${dashed(43)}`,
    (s) => `contentful.createClient({ accessToken: "${s}" })`,
  ),
  planted(
    'password for curl',
    pick(`${letters}${digits}!*`, 14),
    (s) => `curl -s -u deploy:${s} https://repo.acme.dev/artifacts`,
  ),
  planted(
    'Databricks token',
    `dapi${hex(32)}`,
    (s) => `databricks configure --host https://acme.cloud --token ${s}`,
  ),
  planted('Datadog key', hex(32), (s) => `datadog:\n  api_key: ${s}\n  site: datadoghq.eu`),
  planted(
    'DigitalOcean token',
    `dop_v1_${hex(64)}`,
    (s) => `provider "digitalocean" {\n  token = "${s}"\n}`,
  ),
  planted(
    'Discord bot token',
    `MTA${mixed(21)}.${dashed(6)}.${dashed(38)}`,
    (s) => `client.login('${s}');`,
  ),
  planted('Doppler token', `dp.pt.${mixed(43)}`, (s) => `doppler run --token=${s} -- npm start`),
  planted('Dropbox token', `sl.${dashed(140)}`, (s) => `dbx = dropbox.Dropbox("${s}")`),
  planted('Facebook app secret', hex(32), (s) => `FACEBOOK_APP_SECRET='${s}'`),
  planted(
    'Fastly token',
    dashed(32),
    (s) => `curl -H "Fastly-Key: x" -H "Authorization: Bearer ${s}" https://api.fastly.com/service`,
  ),
  planted(
    'Google service account',
    `-----BEGIN PRIVATE KEY-----\\nMII${base64(1600)}==\\n-----END PRIVATE KEY-----`,
    (s) => `{ "type": "service_account", "private_key": "${s}\\n" }`,
  ),
  planted(
    'Google API key',
    `AIza${dashed(35)}`,
    (s) => `https://maps.googleapis.com/maps/api/js?key=${s}&libraries=places`,
  ),
  planted(
    'GitHub token',
    `ghp_${mixed(36)}`,
    (s) => `git remote set-url origin https://${s}@github.com/acme/shop.git`,
  ),
  planted(
    'GitLab token',
    `glpat-${dashed(20)}`,
    (s) => `curl --header "PRIVATE-TOKEN: ${s}" https://gitlab.acme.dev/api/v4/projects`,
  ),
  planted('Grafana token', `glsa_${mixed(32)}_${hex(8)}`, (s) => `grafana_auth = "${s}"`),
  planted(
    'Terraform Cloud token',
    `${mixed(14)}.atlasv1.${dashed(66)}`,
    (s) => `credentials "app.terraform.io" {\n  token = "${s}"\n}`,
  ),
  planted('Vault token', `hvs.${dashed(95)}`, (s) => `export VAULT_TOKEN=${s}`),
  planted('Heroku key', uuid(), (s) => `HEROKU_API_KEY: ${s}`),
  planted('Hugging Face token', `hf_${pick(letters, 34)}`, (s) => `login(token="${s}")`),
  planted(
    'JSON Web Token',
    `${base64Url({ alg: 'HS256', typ: 'JWT' })}.${base64Url({ sub: 'u-81', role: 'owner', exp: 1_800_000_000 })}.${dashed(43)}`,
    (s) => `> curl -H 'Cookie: session=${s}' https://shop.acme.dev/me`,
  ),
  planted(
    'Kubernetes secret',
    Buffer.from(pick(`${letters}${digits}%#`, 18)).toString('base64'),
    (s) => `kind: Secret\ndata:\n  db-password: ${s}\n`,
  ),
  planted('Linear key', `lin_api_${mixed(40)}`, (s) => `new LinearClient({ apiKey: "${s}" })`),
  planted(
    'Mailchimp key',
    `${hex(32)}-us14`,
    (s) => `mailchimp.setConfig({ apiKey: "${s}", server: "us14" });`,
  ),
  planted(
    'password in a .env file',
    pick(lower, 6) + pick(digits, 3),
    (s) => `DB_HOST=db.acme.dev\nDB_PASSWORD=${s}\nDB_NAME=shop`,
  ),
  planted(
    'password of a database in its URL',
    pick(`${letters}${digits}$!`, 12),
    (s) => `spring.data.mongodb.uri=mongodb+srv://shop:${s}@cluster0.acme.mongodb.net/orders`,
  ),
];

const lookAlikeTexts: Readonly<Record<string, string>> = {
  'test data': `const user = { name: 'Ann', password: 'Password123!', role: 'editor' };`,
  'form validators': `passwordAgain: ['', [Validators.required, samePassword('password')]],`,
  'property of another object': `  password: databaseSettings.password,`,
  'type of an option': `    #[arg(short, long)]\n    password: Option<String>,`,
  'digits in order': `login({ email: 'ann@example.com', password: '12345678' });`,
  'parameter of a callback': `handleReset: (phone: string, is_new_password: boolean, done: () => void) => void;`,
  'empty value': `data: () => ({ email: "", password: "" }),`,
  'left out of an object': `const { password: _, ...safeUser } = user.toObject();`,
  dummy: `super().__init__("en", api_key="dummy-key-for-unit-tests-01", client=object())`,
  'keyword argument': `GenerativeModel(model="pro-1.5-2024", google_api_key=google_api_key_from_form)`,
  'variable of the environment': `client = Client(api_key=os.environ["ACME_API_KEY_2024"])`,
  'argument of the command line': `MetadataClient(email=args.email, api_key=args.api_key, timeout=30)`,
  'function of the environment': `llm = ChatModel(api_key=os.getenv("ACME_LLM_API_KEY_V2"), temperature=0.2)`,
  'placeholder in angle brackets': `OPENAI_API_KEY=<your_openai_api_key>`,
  'name of a local program': `LLM_ENDPOINT=http://localhost:11434/v1\nLLM_API_KEY=ollama`,
  'comparison in a test': `if got := strings.Join(env, " "); got != "API_KEY=secret" {`,
  'JSON of a new value': `Ok(json!({ "ok": true, "token": new_token, "rotated_at_ms": now_ms() }))`,
  'word with a dash': `"repository": "owner/agent", "token": "token-value",`,
  'unit of a currency': `{ "token": "ETH", "windowHours": 24 }`,
  'method call': `return {"share_url": f"/share/{res.get('token')}", "token": res.get("token")}`,
  'secret to replace': `app.secret_key = os.environ.get("SESSION_SECRET", "dev-secret-key-change-in-production")`,
  'placeholder in upper case': `curl https://api.acme.dev/v1/sessions -u "<<YOUR_SECRET_KEY>>:" -d type=id`,
  'names without values': `ACME_IMPORT_API_KEY=\nACME_IMPORT_SECRET_KEY=\nCATALOG_PROVIDER=groq`,
  'settings of AWS': `accessKeyId: process.env.AWS_ACCESS_KEY,\n  secretAccessKey: process.env.AWS_SECRET_KEY,`,
  'table of headers':
    '- consumed as `Authorization: Bearer <token>` and validated by `jwt.guard.ts`',
  'format of a string': `format!("POST /v1/rpc HTTP/1.1\\r\\nAuthorization: Bearer {token}\\r\\n")`,
  'header with a placeholder': `-H "Authorization: Bearer YOUR_TOKEN_FROM_THE_DASHBOARD_1"`,
  'header that goes on': '- Auth method: worker token via `Authorization: Bearer ...`',
  'header with a variable': `$headers = array("Authorization: Bearer $accessTokenForReport2");`,
  'local database of a tutorial': `new Pool({ connectionString: 'postgresql://postgres:password@localhost:5432/postgres' })`,
  'database without a password': `"postgresql://developer@127.0.0.1:5432/visit_dev"`,
  'form of a URL': 'Recommended: `postgresql://USER:PASS@HOST.acme.tech/DB?sslmode=require`.',
  'URL with words': `DATABASE_URL=postgresql://username:password@localhost:5432/yourdatabase`,
  'URL in another language': `# postgresql://<usuario>:<contraseña>@host:5432/base`,
  'sum of a file': `"integrity": "sha512-${base64(86)}==",`,
  commit: `uses: actions/checkout@${hex(40)} # v4.2.2`,
  'public key': `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(43)} ann@acme.dev`,
  'publishable key': `Stripe('pk_live_${mixed(24)}')`,
  'assistant key, which is public': `const key = 'acme_dsc_${mixed(32)}';`,
  'limits and names': `MAX_TOKENS=4096\nTOKEN_TTL=3600\nPASSWORD_MIN_LENGTH=12\nSECRET_NAME=prod-db-2024`,
};

export const lookAlikes: readonly ScannedLine[] = Object.entries(lookAlikeTexts).map(
  ([name, text]) => ({ name, text }),
);
