import assert from 'node:assert/strict';
import { trackedSecretSign } from '../../../../src/export/values/secretSign';
import {
  moveEdits,
  removeEdits,
  trackedSecrets,
} from '../../../../src/export/values/trackedSecrets';
import type { TextEdit } from '../../../../src/export/values/valuesEdits';

const now = Date.parse('2026-11-22T12:00:00Z');
const signature = ['8f14e45fceea167a', '5a36dedd4bea2543'].join('');
const link = `https://store.example.com/b/bundle.tar.gz?X-Amz-Date=20261122T110000Z&X-Amz-Expires=86400&X-Amz-Signature=${signature}`;
const adminKey = ['acme', '4f9a1c7e2b00d18f'].join('_');

function applied(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { start, end, newText } of [...edits].reverse()) {
    result = result.slice(0, start) + newText + result.slice(end);
  }
  return result;
}

function only(text: string, known: readonly string[] = []) {
  assert.match(text, trackedSecretSign);
  const [secret, ...more] = trackedSecrets(text, { known, now });
  assert.ok(secret, 'nothing was found');
  assert.deepEqual(more, []);
  return secret;
}

describe('a secret of the platform in a file', () => {
  const moves: readonly (readonly [path: string, text: string, moved: string])[] = [
    [
      'values.yaml',
      `staticExport:\n  bundleUrl: "${link}" # now\n`,
      'staticExport:\n  bundleUrl: "${STATIC_EXPORT_BUNDLE_URL}" # now\n',
    ],
    [
      'values.yaml',
      `staticExport:\n  bundleUrl: ${link}\n`,
      'staticExport:\n  bundleUrl: "${STATIC_EXPORT_BUNDLE_URL}"\n',
    ],
    [
      'values.yaml.gotmpl',
      `staticExport:\n  bundleUrl: "${link}"\n`,
      'staticExport:\n  bundleUrl: "{{ requiredEnv "STATIC_EXPORT_BUNDLE_URL" }}"\n',
    ],
    [
      '.github/workflows/deploy.yml',
      `env:\n  ADMIN_API_KEY: ${adminKey}\n`,
      'env:\n  ADMIN_API_KEY: ${{ secrets.DOCS_ADMIN_API_KEY }}\n',
    ],
    [
      'deploy.sh',
      `helm upgrade docs --set-string 'staticExport.bundleUrl=${link}'\n`,
      "helm upgrade docs --set-string 'staticExport.bundleUrl=${STATIC_EXPORT_BUNDLE_URL}'\n",
    ],
    [
      'export.ts',
      `const adminKey = '${adminKey}';\n`,
      'const adminKey = process.env.DOCS_ADMIN_API_KEY;\n',
    ],
    ['export.py', `ADMIN_KEY = "${adminKey}"\n`, 'ADMIN_KEY = os.environ["DOCS_ADMIN_API_KEY"]\n'],
  ];
  for (const [path, text, moved] of moves) {
    it(`moves to a variable as ${path} refers to one: ${moved.trim().split('\n').at(-1)}`, () => {
      assert.equal(applied(text, moveEdits(text, only(text), path)), moved);
    });
  }

  it('leaves an empty text when it is removed', () => {
    const yaml = `staticExport:\n  enabled: true\n  bundleUrl: ${link}\n`;
    assert.equal(
      applied(yaml, removeEdits(yaml, only(yaml), 'values.yaml')),
      'staticExport:\n  enabled: true\n  bundleUrl: ""\n',
    );
    const json = `{ "adminKey": "${adminKey}" }`;
    assert.equal(applied(json, removeEdits(json, only(json), 'a.json')), '{ "adminKey": "" }');
  });

  it('is found by its prefix, whatever the name before it is, once a key is known', () => {
    const other = ['acme', '77Kd02LwQe51Xx90'].join('_');
    const secret = trackedSecrets(`x = ${other}`, { known: [adminKey], now })[0];
    assert.equal(secret?.kind, 'admin-key');
    assert.deepEqual(trackedSecrets(`x = ${other}`, { known: [], now }), []);
  });

  it('is recognized as a user key by its form', () => {
    assert.equal(only(`KEY=acme_us_${signature}`).kind, 'user-key');
  });

  for (const [name, text] of [
    ['an assistant key, which is public', `adminKey: acme_dsc_${signature}`],
    ['a link that has expired', link.replace('20261122T110000Z', '20261101T110000Z')],
    ['a presigned link to something else', link.replace('bundle.tar.gz', 'photo.png')],
    ['a link without a signature', 'bundleUrl: https://store.example.com/bundle.tar.gz'],
    ['a placeholder', 'ADMIN_API_KEY=acme_your-admin-key-here-1'],
    ['an identifier', 'const admin_key = make_key_for_admin_2024;'],
  ] as const) {
    it(`is not ${name}`, () => assert.deepEqual(trackedSecrets(text, { known: [], now }), []));
  }
});
