import assert from 'node:assert/strict';
import { redactedText } from '../../../../src/common/secretScan/finding';
import { redactSecrets, scanText } from '../../../../src/common/secretScan/scanText';
import { seededRandom } from '../../../builders/seededRandom';

/** All printable signs of ASCII but the blank. */
const signs = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');

/** Values for each place. */
const VALUES = 150;

/** Length of a part of a value that nobody may see. */
const PART = 8;

function values(seed: number, alphabet = signs): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: VALUES }, () =>
    Array.from({ length: 20 }, () => alphabet.charAt(random(alphabet.length))).join(''),
  );
}

/** A value as a place holds it, and the text with it. */
type Place = (value: string) => { readonly written: string; readonly text: string };

function raw(line: (written: string) => string): Place {
  return (value) => ({ written: value, text: line(value) });
}

/** Returns a place in double quotes with backslashes, as in JSON and most languages. */
function escaped(line: (written: string) => string, times = 1): Place {
  return (value) => {
    let written = value;
    for (let time = 0; time < times; time++) written = JSON.stringify(written).slice(1, -1);
    return { written, text: line(written) };
  };
}

function replaced(from: RegExp, to: string, line: (written: string) => string): Place {
  return (value) => {
    const written = value.replace(from, to);
    return { written, text: line(written) };
  };
}

const inSingle = (line: (written: string) => string): Place => replaced(/['\\]/g, '\\$&', line);
const inShell = (line: (written: string) => string): Place => replaced(/'/g, `'\\''`, line);
const inSql = (line: (written: string) => string): Place => replaced(/'/g, `''`, line);

function inMarkup(line: (written: string) => string): Place {
  return (value) => {
    const written = value
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;');
    return { written, text: line(written) };
  };
}

function inQuery(line: (written: string) => string): Place {
  return (value) => {
    const written = encodeURIComponent(value).replace(/'/g, '%27');
    return { written, text: line(written) };
  };
}

const places: Readonly<Record<string, Place>> = {
  '.env': raw((s) => `DB_HOST=db.acme.dev\nDB_PASSWORD=${s}\nDB_NAME=shop`),
  export: inShell((s) => `export API_KEY='${s}' # production`),
  'docker run': raw((s) => `docker run -e DB_PASSWORD=${s} app`),
  'docker run in quotes': inShell((s) => `docker run -e 'DB_PASSWORD=${s}' app`),
  'docker login': inShell((s) => `docker login -u ann -p '${s}' registry.acme.dev`),
  'docker login without quotes': raw((s) => `docker login registry.acme.dev -u ann -p ${s}\n`),
  sshpass: inShell((s) => `sshpass -p '${s}' ssh ann@acme.dev`),
  'sshpass, attached': raw((s) => `sshpass -p${s} ssh ann@acme.dev`),
  'option with =': raw((s) => `psql --password=${s} --host db`),
  'option with a blank': inShell((s) => `acme deploy --token '${s}' --yes`),
  'curl -u': inShell((s) => `curl -s -u 'admin:${s}' https://acme.dev`),
  'curl -u without quotes': raw((s) => `curl -u admin:${s} https://acme.dev`),
  'curl -H': escaped((s) => `curl -H "X-Api-Key: ${s}" https://acme.dev`),
  bearer: raw((s) => `GET / HTTP/1.1\nAuthorization: Bearer ${s}\nAccept: */*`),
  'bearer in a string': escaped((s) => `{ headers: { Authorization: "Bearer ${s}" } }`),
  JSON: escaped((s) => `{ "user": "ann", "password": "${s}", "ssl": true }`),
  'JSON in a string of JSON': escaped((s) => `{ "body": "{\\"password\\":\\"${s}\\"}" }`, 2),
  'a command in JSON': escaped((s) => `{ "cmd": "docker run -e DB_PASSWORD=${s} app" }`),
  'a file in JSON': escaped((s) => `{ "env": "A=1\\nDB_PASSWORD=${s}\\nB=2" }`),
  YAML: (value) =>
    /^[\w$(./^~+]/.test(value) && !/:$/.test(value)
      ? raw((s) => `db:\n  password: ${s}\n  host: db`)(value)
      : inSql((s) => `db:\n  password: '${s}'\n  host: db`)(value),
  'YAML, a block': raw((s) => `db:\n  password: |\n    ${s}\n  host: db`),
  'Kubernetes, name and value': escaped(
    (s) => `env:\n  - name: DB_PASSWORD\n    value: "${s}"\n  - name: A\n    value: "1"`,
  ),
  'Kubernetes, without quotes': raw((s) => `- name: API_TOKEN\n  value: x${s}\n`),
  'JSON, name and value': escaped((s) => `[{ "name": "API_KEY", "value": "${s}" }]`),
  '<add key>': inMarkup((s) => `<add key="ApiKey" value="${s}" />`),
  '<password>': inMarkup((s) => `<server><password>${s}</password></server>`),
  properties: raw((s) => `spring.datasource.password=${s}\nspring.a=b`),
  INI: raw((s) => `[db]\npassword = ${s}\nuser = ann`),
  'TypeScript, typed': inSingle((s) => `const apiKey: string = '${s}';`),
  'Python, typed': escaped((s) => `api_key: str = "${s}"`),
  'Go, typed': escaped((s) => `var apiKey string = "${s}"`),
  'Kotlin, typed': escaped((s) => `private val apiKey: String = "${s}"`),
  'Swift, typed': escaped((s) => `let apiKey: String? = "${s}"`),
  'Rust, typed': escaped((s) => `const API_KEY: &'static str = "${s}";`),
  'C, an array': escaped((s) => `static const char password[] = "${s}";`),
  'fallback with ??': inSingle((s) => `const key = process.env.API_KEY ?? '${s}';`),
  'fallback with ||': inSingle((s) => `const key = process.env['API_KEY'] || '${s}';`),
  'fallback with or': escaped((s) => `key = os.environ.get("API_KEY") or "${s}"`),
  'fallback as an argument': escaped((s) => `key = os.getenv("API_KEY", "${s}")`),
  'fallback of another variable': inSingle((s) => `const apiKey = process.env.ACME ?? '${s}';`),
  'call with names': escaped((s) => `connect(host="db", password="${s}")`),
  'array of PHP': inSingle((s) => `'password' => '${s}',`),
  SQL: inSql((s) => `ALTER USER shop WITH PASSWORD '${s}';`),
  '.netrc': raw((s) => `machine acme.dev login ann password ${s}\n`),
  'Dockerfile, ENV': raw((s) => `FROM node\nENV API_TOKEN ${s}\nRUN x`),
  'connection string': (value) =>
    escaped((s) => `"Server=db;User Id=sa;Password=${s};Encrypt=True"`)(
      value.replace(/[;"]/g, '_'),
    ),
  'URL of a database': raw((s) => `DATABASE_URL=postgres://shop:${s}@db.acme.dev:5432/shop`),
  'URL of a database in quotes': escaped((s) => `connect("amqp://shop:${s}@mq/v")`),
  'query of a URL': inQuery((s) => `GET https://acme.dev/v1?access_token=${s}&page=2`),
};

/** Returns a part of a value that stands in a text, or undefined if none does. */
function leak(written: string, text: string): string | undefined {
  for (let at = 0; at + PART <= written.length; at++) {
    const part = written.slice(at, at + PART);
    if (text.includes(part)) return part;
  }
  return undefined;
}

describe('a random password of all signs', () => {
  for (const [name, place] of Object.entries(places)) {
    // Shows faults.md P8.
    it(`leaves no eight characters in a row: ${name}`, async () => {
      const leaks: string[] = [];
      for (const value of values(20_261_123)) {
        const { written, text } = place(value);
        const sent = redactedText(text, await scanText(text));
        if (leak(written, sent) !== undefined) leaks.push(`${text} became ${sent}`);
      }
      assert.deepEqual(leaks, []);
    });
  }
});

describe('a value', () => {
  const password = ['VXQJVjE=#', 'PPiW!4uoLbg'].join('');
  const redactions: readonly (readonly [text: string, redacted: string])[] = [
    [
      `docker run -e DB_PASSWORD=${password} app`,
      'docker run -e DB_PASSWORD=[redacted: password] app',
    ],
    [
      `curl -u 'admin:${password}' https://x.dev`,
      `curl -u 'admin:[redacted: password]' https://x.dev`,
    ],
    [`(see \`--password=${password}\`).`, '(see `--password=[redacted: password]`).'],
    [`<code>DB_PASSWORD=${password}</code>`, '<code>DB_PASSWORD=[redacted: password]</code>'],
    [`x("DB_PASSWORD=${password}", y)`, 'x("DB_PASSWORD=[redacted: password]", y)'],
    [`run(DB_PASSWORD=${password});`, 'run(DB_PASSWORD=[redacted: password]);'],
    [`\${DB_PASSWORD:-${password}}`, '${DB_PASSWORD:-[redacted: password]}'],
    [
      `https://ann:${password}@x.dev/@scope/a?mail=b@c.de`,
      'https://ann:[redacted: password in a URL]@x.dev/@scope/a?mail=b@c.de',
    ],
    [`password: >-\n  ${password}\nuser: ann`, 'password: >-\n  [redacted: password]\nuser: ann'],
    [
      `db:\n  password: |\n    ${password}\n \n    ${password}\n  port: 80`,
      'db:\n  password: |\n    [redacted: password]\n  port: 80',
    ],
  ];
  for (const [text, redacted] of redactions) {
    it(`ends where its place ends: ${redacted.replace(/\n/g, '⏎')}`, async () => {
      assert.equal((await redactSecrets(text)).text, redacted);
    });
  }

  for (const text of [
    'http://localhost:8080/@vite/client',
    'https://registry.acme.dev:4873/@scope/name',
    'password: ${{ secrets.DB_PASSWORD }}',
    'apiKey: string = getApiKey(),',
    'const token: CancellationToken = new Source().token;',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: { name: db, key: password }',
    '<add key="ApiKey" value="%API_KEY%" />',
    'docker login -p "$REGISTRY_PASSWORD" registry.acme.dev',
    'curl -H "X-Api-Key: $API_KEY" https://acme.dev',
    'const key = process.env.API_KEY ?? "";',
    'password: |\n  Choose a long password, and keep it.\n',
  ]) {
    it(`that is none is left alone: ${text.replace(/\n/g, '⏎')}`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }
});

describe('a cut between two pieces of a text', () => {
  const secret = ['8f14e45fceea167a', '5a36dedd4bea2543'].join('');
  const far: Readonly<Record<string, string>> = {
    'a presigned link with a long path': `https://s3.dev/${'a/'.repeat(1500)}b?X-Amz-Expires=60&X-Amz-Signature=${secret} `,
    'a command with its password far behind': `curl -X POST ${'-d name=value '.repeat(24)}-u ann:${secret} `,
    'a name with its value in the next line': `- name: DB_PASSWORD\n${' '.repeat(40)}value: ${secret}\n`,
  };
  for (const [name, text] of Object.entries(far)) {
    it(`hides no secret: ${name}`, async () => {
      for (const before of [200, text.length / 2, text.length - 50]) {
        const filler = 'word '.repeat(4000).slice(0, 16_384 - Math.floor(before) - 1);
        const sent = await redactSecrets(`${filler}\n${text}\n${'word '.repeat(4000)}`);
        assert.ok(
          !sent.text.includes(secret.slice(0, PART)),
          `${before} characters before the cut`,
        );
      }
    });
  }
});

describe('a token of a service', () => {
  const random = seededRandom(20_261_124);
  const hex = '0123456789abcdef';
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';
  const pick = (length: number, alphabet = letters): string =>
    Array.from({ length }, () => alphabet.charAt(random(alphabet.length))).join('');
  const tokens: Readonly<Record<string, string>> = {
    Tailscale: `tskey-auth-${pick(12)}-${pick(32)}`,
    Vercel: `vcp_${pick(40)}`,
    Cloudflare: `v1.0-${pick(24, hex)}-${pick(146, hex)}`,
    Facebook: `EAAM${pick(120)}`,
    Sourcegraph: `sgp_${pick(16, hex)}_${pick(40, hex)}`,
    Artifactory: `AKCp${pick(69)}`,
    CircleCI: `CCIPAT_${pick(22)}_${pick(40, hex)}`,
    Buildkite: `bkua_${pick(40, hex)}`,
    Pinecone: `pcsk_${pick(6)}_${pick(63)}`,
    DeepSeek: `sk-${pick(32, hex)}`,
  };
  for (const [service, token] of Object.entries(tokens)) {
    it(`is found without a name: ${service}`, async () => {
      const [found, ...more] = await scanText(`The log has ${token} in it.`);
      assert.equal(found?.service, service);
      assert.equal(`The log has ${token} in it.`.slice(found.start, found.end), token);
      assert.deepEqual(more, []);
    });
  }
});
