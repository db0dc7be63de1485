import assert from 'node:assert/strict';
import {
  type PackageManifest,
  readManifest,
  siteOf,
} from '../../../../../src/docs/sources/installed/packageManifest';

const read = (manifest: unknown): PackageManifest | undefined =>
  readManifest(new TextEncoder().encode(JSON.stringify(manifest)));

describe('readManifest', () => {
  for (const text of ['', '{', '[]', 'null', '"x"', '{} {}', '\0']) {
    it(`returns nothing for ${JSON.stringify(text)}`, () =>
      assert.equal(readManifest(new TextEncoder().encode(text)), undefined));
  }

  it('reads a manifest behind a byte order mark', () => {
    const bytes = new TextEncoder().encode('\uFEFF{"name":"x","version":"1.0.0"}');
    assert.equal(readManifest(bytes)?.version, '1.0.0');
  });

  it('counts fields of a wrong type as absent', () => {
    const manifest = read({
      name: ['x'],
      version: 1,
      description: {},
      homepage: 7,
      repository: [],
      types: null,
      exports: 'x',
      directories: 'docs',
      docs: {},
      dependencies: 'a',
      devDependencies: ['b'],
    });
    assert.deepEqual(manifest, {
      name: '',
      version: '',
      description: '',
      homepage: undefined,
      repository: undefined,
      webFolder: undefined,
      types: undefined,
      dependencies: new Map(),
      docs: [],
    });
  });

  const versions: readonly (readonly [string, string])[] = [
    ['16.4.0-canary.3+sha.1', '16.4.0-canary.3+sha.1'],
    ['v1.2.3', '1.2.3'],
    ['../1', ''],
    ['1.0.0\n2', ''],
    ['workspace:*', ''],
    [`1.${'0'.repeat(200)}`, ''],
  ];
  for (const [written, version] of versions) {
    it(`reads the version ${JSON.stringify(written.slice(0, 30))} as "${version}"`, () =>
      assert.equal(read({ version: written })?.version, version));
  }

  it('makes one plain line of a description', () => {
    const manifest = read({ description: `a\u001B[31m\nb\u202E${'c'.repeat(1000)}` });
    assert.match(manifest?.description ?? '', /^[^\p{Cc}\u202E]{3,300}$/u);
  });

  const homepages: readonly (readonly [string, string | undefined])[] = [
    ['https://x.dev/docs', 'https://x.dev/docs'],
    [' http://x.dev ', 'http://x.dev/'],
    ['javascript:alert(1)', undefined],
    ['command:x', undefined],
    ['file:///etc/passwd', undefined],
    ['https://user:password@x.dev/', undefined],
    ['x.dev', undefined],
  ];
  for (const [written, homepage] of homepages) {
    it(`reads the homepage ${written} as ${String(homepage)}`, () =>
      assert.equal(read({ homepage: written })?.homepage, homepage));
  }

  const repositories: readonly (readonly [unknown, string | undefined])[] = [
    [{ url: 'git+https://x.dev/a/b.git' }, 'https://x.dev/a/b'],
    ['git@x.dev:a/b.git', 'https://x.dev/a/b'],
    ['git+ssh://git@x.dev/a/b.git', 'https://x.dev/a/b'],
    ['git://x.dev/a/b.git#main', 'https://x.dev/a/b#main'],
    ['gitlab:a/b', 'https://gitlab.com/a/b'],
    ['a/b', 'https://github.com/a/b'],
    ['javascript:a/b', undefined],
    [{ url: ['a'] }, undefined],
  ];
  for (const [written, repository] of repositories) {
    it(`reads the repository ${JSON.stringify(written)} as ${String(repository)}`, () =>
      assert.equal(read({ repository: written })?.repository, repository));
  }

  const webFolders: readonly (readonly [unknown, string | undefined])[] = [
    ['a/b', 'https://github.com/a/b/blob/HEAD/'],
    ['http://github.com/a/b/', 'https://github.com/a/b/blob/HEAD/'],
    ['git://github.com/a/b.git#main', 'https://github.com/a/b/blob/HEAD/'],
    [
      { url: 'git+https://github.com/a/b.git', directory: './packages\\c d/' },
      'https://github.com/a/b/blob/HEAD/packages/c%20d/',
    ],
    [{ url: 'https://gitlab.com/a/group/b.git' }, 'https://gitlab.com/a/group/b/-/blob/HEAD/'],
    [{ url: 'https://github.com/a/b', directory: 7 }, 'https://github.com/a/b/blob/HEAD/'],
    [{ url: 'https://github.com/a/b', directory: '../c' }, undefined],
    ['https://github.com/a/b/tree/main/packages/c', undefined],
    ['https://x.dev/a/b', undefined],
    [undefined, undefined],
  ];
  for (const [written, folder] of webFolders) {
    it(`reads the files of the repository ${JSON.stringify(written)} at ${String(folder)}`, () =>
      assert.equal(read({ repository: written })?.webFolder, folder));
  }

  const sites: readonly (readonly [string | undefined, string | undefined])[] = [
    ['https://birds.dev/docs?a#b', 'https://birds.dev'],
    ['http://127.0.0.1:8080/birds', 'http://127.0.0.1:8080'],
    ['https://github.com/acme/birds#readme', undefined],
    ['https://acme.github.io/birds', undefined],
    ['https://www.npmjs.com/package/birds', undefined],
    [undefined, undefined],
  ];
  for (const [homepage, site] of sites) {
    it(`takes ${String(site)} for the site of the homepage ${String(homepage)}`, () =>
      assert.equal(siteOf(homepage), site));
  }

  const entries: readonly (readonly [string, object, string | undefined])[] = [
    ['types', { types: './dist/index.d.ts' }, 'dist/index.d.ts'],
    ['typings', { typings: 'index.d.ts' }, 'index.d.ts'],
    [
      'the root of exports before types',
      { types: 'a.d.ts', exports: { '.': { import: { types: './b.d.mts' } } } },
      'b.d.mts',
    ],
    [
      'conditions without subpaths',
      { exports: { types: './a.d.ts', default: './a.js' } },
      'a.d.ts',
    ],
    ['no subpath', { exports: { './b': { types: './b.d.ts' } } }, undefined],
    ['no file outside the package', { types: '../a.d.ts' }, undefined],
    ['no absolute file', { types: '/a.d.ts' }, undefined],
  ];
  for (const [what, manifest, types] of entries) {
    it(`takes as main types ${what}`, () => assert.equal(read(manifest)?.types, types));
  }

  it('ends for conditions that are ten thousand deep', () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const bytes = new TextEncoder().encode(`{"exports":${deep},"version":"1.0.0"}`);
    assert.equal(readManifest(bytes)?.version, '1.0.0');
  });

  it('has each dependency once, and says which are optional', () => {
    const manifest = readManifest(
      new TextEncoder().encode(`{
        "dependencies": { "a": "1", "b": "npm:c@2", "__proto__": "1" },
        "devDependencies": { "d": "1", "a": "2" },
        "peerDependencies": { "d": "*", "e": 7 },
        "optionalDependencies": { "b": "1" }
      }`),
    );
    assert.deepEqual(
      Array.from(manifest?.dependencies ?? [], ([name, { wanted, isOptional }]) =>
        [name, wanted, isOptional ? 'optional' : 'needed'].join(' '),
      ).sort(),
      ['__proto__ 1 needed', 'a 1 needed', 'b 1 optional', 'd 1 needed', 'e  optional'],
    );
  });

  it('has the places that it names as docs, without URLs', () => {
    const manifest = read({
      directories: { doc: 'manual' },
      docs: './docs',
      llms: 'https://x.dev/llms.txt',
    });
    assert.deepEqual(manifest?.docs, ['manual', './docs']);
  });
});
