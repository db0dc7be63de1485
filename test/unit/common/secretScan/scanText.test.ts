import assert from 'node:assert/strict';
import { findAssignedSecrets } from '../../../../src/common/secretScan/assignedSecrets';
import { findCommandSecrets } from '../../../../src/common/secretScan/commandSecrets';
import { redactedText } from '../../../../src/common/secretScan/finding';
import { findLinkSecrets } from '../../../../src/common/secretScan/linkSecrets';
import { findPrivateKeys } from '../../../../src/common/secretScan/privateKeys';
import { redactSecrets, scanText } from '../../../../src/common/secretScan/scanText';
import { kindOfName } from '../../../../src/common/secretScan/secretNames';
import { tokenRules } from '../../../../src/common/secretScan/tokenRules';

/** Values that are random enough, put together so that no scanner of this repository finds them. */
const hex = ['8f14e45fceea167a', '5a36dedd4bea2543'].join('');
const password = ['Gh7', 'kd92!x'].join('');

describe('a scan for secrets', () => {
  const redactions: readonly (readonly [text: string, redacted: string])[] = [
    [`DB_PASSWORD=${password}`, 'DB_PASSWORD=[redacted: password]'],
    [`export TOKEN='${hex}' # note`, `export TOKEN='[redacted: token]' # note`],
    [`{"clientSecret": "${hex}"}`, '{"clientSecret": "[redacted: secret]"}'],
    [`apiKey: '${hex}',`, `apiKey: '[redacted: key]',`],
    [`password: ${password}\r\nuser: ann`, 'password: [redacted: password]\r\nuser: ann'],
    [`<password>${password}</password>`, '<password>[redacted: password]</password>'],
    [`ENV API_TOKEN ${hex}`, 'ENV API_TOKEN [redacted: token]'],
    [`psql --password=${password} shop`, 'psql --password=[redacted: password] shop'],
    [`curl -u ann:${password} https://x.dev`, 'curl -u ann:[redacted: password] https://x.dev'],
    [
      `machine x.dev login ann password ${password}`,
      'machine x.dev login ann password [redacted: password]',
    ],
    [
      `Server=db;User Id=sa;Password=${password};Encrypt=True`,
      'Server=db;User Id=sa;Password=[redacted: password];Encrypt=True',
    ],
    [
      `https://x.dev/a?access_token=${hex}&page=2`,
      'https://x.dev/a?access_token=[redacted: token]&page=2',
    ],
    [
      `amqp://shop:${password}@mq.internal:5671/v`,
      'amqp://shop:[redacted: password in a URL]@mq.internal:5671/v',
    ],
    [
      `https://s3.dev/b.tar.gz?X-Amz-Expires=60&X-Amz-Signature=${hex} now`,
      'https://s3.dev/b.tar.gz?[redacted: presigned link] now',
    ],
    [
      `https://x.blob.dev/b?sv=2025-01-05&se=2026-01-01&sig=${hex}%3D`,
      'https://x.blob.dev/b?[redacted: presigned link]',
    ],
    [`Authorization: Bearer ${hex}`, 'Authorization: Bearer [redacted: token]'],
    [
      `Authorization: Basic ${Buffer.from(`ann:${password}`).toString('base64')}`,
      'Authorization: Basic [redacted: user name and password]',
    ],
    [`sk_live_${hex}`, '[redacted: Stripe key]'],
    [`DB_PASSWORD=${password.slice(0, 6)}`, 'DB_PASSWORD=[redacted: password]'],
    [
      `<key>ApiKey</key><string>${hex}</string>`,
      '<key>ApiKey</key><string>[redacted: key]</string>',
    ],
    [
      `<name>fs.secret</name>\n  <value>${hex}</value>`,
      '<name>fs.secret</name>\n  <value>[redacted: secret]</value>',
    ],
    [`HKCU\\Shop\\api_key=${hex}`, 'HKCU\\Shop\\api_key=[redacted: key]'],
    [`aws_secret_access_key = ${hex}Ab3/+xYz`, 'aws_secret_access_key = [redacted: AWS key]'],
    [`https://${hex}:${password}@x.dev/a`, `https://${hex}:[redacted: password in a URL]@x.dev/a`],
  ];
  for (const [text, redacted] of redactions) {
    it(`redacts the value and nothing else in ${text.slice(0, 32)}`, async () => {
      assert.equal((await redactSecrets(text)).text, redacted);
    });
  }

  for (const text of [
    'DB_PASSWORD=${DB_PASSWORD}',
    'DB_PASSWORD=changeme',
    'POSTGRES_PASSWORD=postgres',
    'token: x7k2m9q4',
    'return API_KEY==wantedKey || isOpen;',
    'API_KEY=<your-key>',
    'TOKEN=xxxxxxxxxxxxxxxxxxxxxxxx',
    'const token = await getToken(request);',
    'password: string;',
    'token: ${{ secrets.GITHUB_TOKEN }}',
    'PASSWORD_FILE=/run/secrets/db_password',
    'postgres://postgres:postgres@localhost:5432/test',
    'postgres://shop:shop@localhost:5432/test',
    'curl -u "ann:$PASSWORD" https://x.dev',
    'client.login({"password": newLogin2})',
    'AKIAIOSFODNN7EXAMPLE',
    `local_dsc_${hex}`,
    `Authorization: Bearer acme_dsc_${hex}`,
    `uuid = 3f1c9a77-2b4d-4c0e-9d8a-5e6f7a8b9c0d`,
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----',
  ]) {
    it(`leaves ${text.slice(0, 40)} alone`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }

  it('finds a private key as a whole, also cut off, in a string or with Windows line ends', async () => {
    const body = Buffer.from(`openssh-key-v1\0${hex.repeat(4)}`).toString('base64');
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} OPENSSH PRIVATE KEY-----`);
    for (const [text, rest] of [
      [`a\n${begin}\n${body}\n${end}\nb`, 'a\n[redacted: private key]\nb'],
      [`a\r\n${begin}\r\n${body}\r\n${end}\r\nb`, 'a\r\n[redacted: private key]\r\nb'],
      [`key = "${begin}\\n${body}\\n${end}\\n"`, 'key = "[redacted: private key]\\n"'],
      [`${begin}\n${body}`, '[redacted: private key]'],
    ] as const) {
      assert.equal((await redactSecrets(text)).text, rest);
    }
  });

  it('finds a JSON Web Token that is in base64 once more, and no sample', async () => {
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const coded = (payload: object): string =>
      Buffer.from(`${part({ alg: 'RS256', kid: 'k1' })}.${part(payload)}.${hex}${hex}`).toString(
        'base64',
      );
    const ofAccount = coded({ iss: 'kubernetes/serviceaccount', aud: 'deploy' });
    assert.equal(
      (await redactSecrets(`kind: Secret\ndata:\n  extra: ${ofAccount}\n`)).text,
      'kind: Secret\ndata:\n  extra: [redacted: JSON Web Token]\n',
    );
    assert.deepEqual(await scanText(`  extra: ${coded({ sub: '1234567890' })}\n`), []);
  });

  it('finds keys that are known, whatever their form, and keys with their prefix', async () => {
    const known = ['acme_Zq81bYtR90plMx', 'plain-known-secret'];
    const text =
      'a acme_Zq81bYtR90plMx b plain-known-secret c acme_77Kd02LwQe51Xx d other_77Kd02LwQe51Xx';
    const { text: sent } = await redactSecrets(text, { known });
    assert.equal(
      sent,
      'a [redacted: docs site key] b [redacted: key] c [redacted: docs site key] d other_77Kd02LwQe51Xx',
    );
    assert.deepEqual(await scanText(`acme_dsc_${hex}`, { known: [`acme_dsc_${hex}`] }), []);
  });

  it('finds a secret wherever the text is cut into pieces', async () => {
    const line = `DB_PASSWORD=${password}`;
    for (let at = 16_384 - line.length - 2; at < 16_384 + 3; at++) {
      const text = `${'x'.repeat(at - 1)}\n${line}\n${'y'.repeat(40_000)}`;
      const [found, ...more] = await scanText(text);
      assert.equal(text.slice(found?.start, found?.end), password, `at ${at}`);
      assert.deepEqual(more, []);
    }
  });

  // Shows faults.md P9.
  it('holds no part of a secret in what it returns', async () => {
    const findings = await scanText(`TOKEN=${hex}\nhttps://ann:${password}@x.dev`);
    assert.equal(findings.length, 2);
    assert.ok(!JSON.stringify(findings).includes(hex.slice(0, 8)));
    assert.ok(!JSON.stringify(findings).includes(password));
  });

  for (const text of [
    '- [Refresh Token Grant](https://oauth.net/2/grant-types/refresh-token/)',
    'names: ["htpasswd", "HTPASSWD", ".htaccess", ".htgroups"]',
  ]) {
    it(`finds none in ${text}`, async () => assert.deepEqual(await scanText(text), []));
  }

  it('redacts findings that overlap once', () => {
    const type = { rule: 'a', kind: 'token', label: 'token' } as const;
    const findings = [
      { ...type, start: 4, end: 8 },
      { ...type, start: 2, end: 6 },
    ];
    assert.equal(redactedText('0123456789', findings), '01[redacted: token]89');
  });

  for (const [name, kind] of [
    ['DB_PASSWORD', 'password'],
    ['dbPasswordProd', 'password'],
    ['smtp.pass', 'password'],
    ['stripeApiKey', 'key'],
    ['AUTH_TOKEN_V2', 'token'],
    ['clientSecret', 'secret'],
    ['publicKey', undefined],
    ['primaryKey', undefined],
    ['tokenType', undefined],
    ['nextPageToken', undefined],
    ['MAX_TOKENS', undefined],
    ['passwordPolicy', undefined],
    ['compass', undefined],
  ] as const) {
    it(`takes ${name} for ${kind ?? 'no secret'}`, () => assert.equal(kindOfName(name), kind));
  }
});

describe('a hostile text', () => {
  const shapes: Readonly<Record<string, string>> = {
    'names in a row': 'password=',
    'open quotes': 'password="',
    'upper-case names': 'TOKEN=',
    'options without values': '--password ',
    'commands without ends': 'curl -u ',
    'commands in quotes': `sshpass -p"docker login -p '`,
    'quotes in quotes': `password=("'`,
    'heads of keys': '-----BEGIN PRIVATE KEY-----',
    'a key without an end': `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(9000)}`,
    'heads of PuTTY keys': 'PuTTY-User-Key-File-2:',
    'starts of URLs': 'http://',
    'users without hosts': `https://${'a:b@'.repeat(500)} `,
    'signatures in a row': `http://x/?${'sig=a1b2c3d4e5f6a7b8c9d0&'.repeat(100)} `,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    // Shows faults.md P6.
    it(`costs twice the work at twice the length: ${name}`, () => {
      const [half, whole] = [50_000, 100_000].map((length) =>
        workOn(shape.repeat(Math.ceil(length / shape.length)).slice(0, length)),
      );
      assert.ok(half !== undefined && whole !== undefined && half > 0);
      assert.ok(whole <= 2.2 * half, `${half} and ${whole} characters`);
      assert.ok(whole <= 100_000 * 80, `${whole} characters for 100,000`);
    });
  }

  it('finds no repetition without a limit in the forms of tokens', () => {
    for (const { rule, pattern } of tokenRules) {
      const withoutClasses = pattern.source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x');
      assert.doesNotMatch(withoutClasses, /[*+]|\{\d+,\}/, rule);
      // A repetition of a repetition is where the time of a search explodes.
      assert.doesNotMatch(withoutClasses, /\}[^()]*\)(?:\{|\*|\+)/, rule);
    }
  });
});

/** Returns how many characters the rules that read by hand look at. */
function workOn(text: string): number {
  let work = 0;
  const count = (characters: number): void => {
    work += characters;
  };
  findAssignedSecrets(text, count);
  findLinkSecrets(text, count);
  findCommandSecrets(text, count);
  findPrivateKeys(text, count);
  return work + 1;
}
