import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { manifestSchema } from '../../../../src/service/company/sites/manifestSchema';
import { serviceJsonSchema } from '../../../tooling/questionJsonSchema.mjs';
import { manifestErrorLines, readManifest } from '../../../../src/service/company/sites/manifest';

function errorsOf(text: string): string[] {
  const read = readManifest(text);
  return read.ok ? [] : manifestErrorLines('service.yaml', read.errors).split('\n');
}

/** Returns the keys of a JSON schema that have no description. */
function undescribed(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    const below = undescribed(value, `${at}/${key}`);
    const isProperty = at.endsWith('/properties');
    const text: unknown =
      isProperty && typeof value === 'object' && value !== null
        ? Reflect.get(value, 'description')
        : undefined;
    const isMissing = isProperty && (typeof text !== 'string' || !/^[A-Z].*\.$/.test(text));
    return isMissing ? [`${at}/${key}`, ...below] : below;
  });
}

const site = 'sites:\n  - domain: a\n    source: { kind: folder, path: docs }\n';

describe('the manifest of the service', () => {
  it('is read with its defaults', () => {
    assert.deepEqual(readManifest(site), {
      ok: true,
      manifest: {
        trustedProxies: 0,
        sites: [{ domain: 'a', source: { kind: 'folder', path: 'docs' } }],
      },
    });
  });

  it('takes versions with and without groups, and every kind of source', () => {
    const read = readManifest(`
url: https://docs.example.com/base
trustedProxies: 1
limits: { organization: { requests: 5, seconds: 60 } }
signIn: { issuer: 'https://id.example.com', audience: docs }
sites:
  - { domain: a, source: { kind: git, url: 'https://git.example.com/a', branch: main, path: docs } }
  - { domain: b, source: { kind: bundle, from: 'https://example.com/b.tar.gz' }, refresh: { every: 6h } }
  - { domain: c, source: { kind: site, url: 'https://example.com' }, groups: [staff] }
  - domain: d
    source: { kind: folder, path: . }
    versions: ['1', { name: '2', folder: next, groups: [beta] }]
    languages: [en]
    refresh: { webhook: { secretVariable: HOOK }, command: [make, docs] }
`);
    assert.ok(read.ok);
    assert.equal(read.manifest.sites.length, 4);
    assert.equal(read.manifest.signIn?.groupsClaim, 'groups');
  });

  it('names the line and the key of each error, and never the value', () => {
    const lines = errorsOf(`sites:
  - domain: Secret Name
    source:
      kind: secretkind
    versions: [1.10, { name: v2, groop: [a] }]
    nmae: x
sitez: 3
`);
    assert.deepEqual(lines, [
      'service.yaml:2: sites[0].domain can only have lowercase letters, digits and hyphens, such as "payments-api".',
      'service.yaml:4: sites[0].source.kind must be one of "folder", "git", "bundle", "site".',
      'service.yaml:5: sites[0].versions[0] must be a string or an object.',
      'service.yaml:5: sites[0].versions[1].groop is unknown.',
      'service.yaml:6: sites[0].nmae is unknown.',
      'service.yaml:7: sitez is unknown.',
    ]);
  });

  it('names what is missing at the line that should have it', () => {
    assert.deepEqual(errorsOf('sites:\n  - domain: a\n    source: { kind: git }\n'), [
      'service.yaml:3: sites[0].source.url is required.',
    ]);
  });

  it('refuses a domain that two sites have', () => {
    assert.deepEqual(errorsOf(`${site}  - domain: a\n    source: { kind: folder, path: b }\n`), [
      'service.yaml:4: sites[1].domain is the domain of an earlier site.',
    ]);
  });

  it('says where text is not YAML, and that an empty file has no sites', () => {
    assert.match(errorsOf('sites: [\n')[0] ?? '', /^service\.yaml:2: This is not valid YAML/);
    assert.match(errorsOf('')[0] ?? '', /^service\.yaml:1: /);
  });

  it('refuses a key that occurs twice, such as in a site whose dash is missing', () => {
    assert.deepEqual(errorsOf(`${site}    domain: b\n    source: { kind: folder, path: b }\n`), [
      'service.yaml:4: This is not valid YAML (duplicate key).',
      'service.yaml:5: This is not valid YAML (duplicate key).',
    ]);
  });

  it('says of a number what it must be', () => {
    const limits = 'trustedProxies: -1\nlimits: { address: { requests: 0, seconds: 1.5 } }\n';
    assert.deepEqual(errorsOf(`${limits}${site}`), [
      'service.yaml:1: trustedProxies must be at least 0.',
      'service.yaml:2: limits.address.requests must be at least 1.',
      'service.yaml:2: limits.address.seconds must be a whole number.',
    ]);
  });

  it('says of what it does not read whether it is too large or nested too deeply', () => {
    assert.deepEqual(errorsOf(`# ${'x'.repeat(2_000_000)}`), [
      'service.yaml:1: The manifest is too large.',
    ]);
    assert.deepEqual(errorsOf(`sites: ${'['.repeat(1000)}${']'.repeat(1000)}`), [
      'service.yaml:1: It is nested too deeply.',
    ]);
  });

  it('has a JSON schema that is made of the schema of its reader', () => {
    const written = readFileSync('src/service/company/sites/service.schema.json', 'utf8');
    assert.deepEqual(JSON.parse(written), JSON.parse(serviceJsonSchema(manifestSchema)));
  });

  it('has a description of each key for editors', () => {
    const missing = undescribed(JSON.parse(serviceJsonSchema(manifestSchema)), '');
    assert.deepEqual(missing, []);
  });

  for (const file of ['src/service/deploy/service.yaml']) {
    it(`is valid in ${file}, for the reader and for an editor`, () => {
      const text = readFileSync(file, 'utf8');
      assert.deepEqual(errorsOf(text), []);
      const schema: object = JSON.parse(
        readFileSync('src/service/company/sites/service.schema.json', 'utf8'),
      ) as object;
      const ajv = new Ajv({ strict: false });
      assert.ok(ajv.validate(schema, parse(text)), ajv.errorsText());
    });
  }

  for (const hostile of [
    '[[[[[',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    'a: &a [*a, *a]\nsites: *a',
    'x'.repeat(1_000_001),
    '__proto__: { sites: [] }\n',
    'sites: { __proto__: [] }\n',
    '!!js/function "x"',
  ]) {
    it(`refuses ${JSON.stringify(hostile.slice(0, 24))} with a sentence`, () => {
      assert.ok(errorsOf(hostile).length > 0);
    });
  }
});
