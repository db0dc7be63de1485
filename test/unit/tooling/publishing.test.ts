import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parseAddresses, publishedManifest, publishedReadme } from '../../tooling/publishing.mjs';

const files = 'https://code.example/docs-assistant/blob/main';
const images = 'https://raw.example/docs-assistant/main';

describe('parseAddresses', () => {
  it('leaves out what is empty, and slashes at the end', () => {
    const given = { repository: 'https://code.example/a/', homepage: '', bugs: '' };
    assert.deepEqual(parseAddresses(given), { repository: 'https://code.example/a' });
  });

  for (const [what, json] of [
    ['an address without https', { repository: 'http://code.example/a' }],
    ['a value that is no text', { bugs: 7 }],
    ['a name that does not exist', { repo: 'https://code.example/a' }],
  ] as const) {
    it(`refuses ${what}`, () => assert.throws(() => parseAddresses(json), /publishing\.json/));
  }

  it('reads the file of this repository, which names no address', () => {
    const json: unknown = JSON.parse(readFileSync('publishing.json', 'utf8'));
    assert.deepEqual(parseAddresses(json), {});
  });
});

describe('publishedManifest', () => {
  const manifest = { name: 'a', scripts: { build: 'x' }, dependencies: {}, devDependencies: {} };

  it('adds the addresses, and leaves out what only the clone needs', () => {
    const repository = 'https://code.example/a';
    assert.deepEqual(publishedManifest(manifest, { repository, homepage: 'https://a.example' }), {
      name: 'a',
      repository: { type: 'git', url: repository },
      homepage: 'https://a.example',
    });
  });

  it('has no address where none is given', () => {
    assert.deepEqual(publishedManifest(manifest, {}), { name: 'a' });
  });
});

describe('publishedReadme', () => {
  const text = `Read [how](docs/a.md#b), [install](#install) or [the site](https://a.example).

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="docs/images/a-dark.png">
  <img src="docs/images/a.png" alt="A">
</picture>

![B](docs/images/b.png)

End.
`;

  it('makes links and pictures absolute, with one theme', () => {
    assert.equal(
      publishedReadme(text, { files, images }),
      `Read [how](${files}/docs/a.md#b), [install](#install) or [the site](https://a.example).

<picture>
  <img src="${images}/docs/images/a.png" alt="A">
</picture>

![B](${images}/docs/images/b.png)

End.
`,
    );
  });

  it('has no picture and no link that leads nowhere where there is no address', () => {
    assert.equal(
      publishedReadme(text, {}),
      `Read how, [install](#install) or [the site](https://a.example).

End.
`,
    );
  });

  it('leaves nothing relative in our own README', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const addresses of [{}, { files, images }]) {
      const published = publishedReadme(readme, addresses);
      assert.deepEqual(published.match(/\]\((?!https?:|#|command:|mailto:)[^)]*\)/g) ?? [], []);
      assert.deepEqual(published.match(/(?:src|srcset)="(?!https:)[^"]*"/g) ?? [], []);
    }
  });
});

describe('.github/workflows', () => {
  it('pins every action to a commit, with its version beside it', () => {
    const used = readdirSync('.github/workflows').flatMap((name) =>
      [...readFileSync(`.github/workflows/${name}`, 'utf8').matchAll(/uses: (.*)/g)].map(
        ([, action = '']) => action,
      ),
    );
    assert.ok(used.length > 0);
    for (const action of used) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
