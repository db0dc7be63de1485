import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PageAddresses } from '../../../src/docsTools/pageAddresses';
import { pageFile } from '../../../src/cli/localDocs';

const service = 'http://127.0.0.1:4000';
const newAddresses = (): PageAddresses => new PageAddresses(service, (page) => `docs/${page}.md`);

describe('PageAddresses', () => {
  it('names pages by their files in the text and in the sources, however the text is cut', () => {
    const text = `See [1](${service}/docs/a#x) and <${service}/docs/b>, not ${service}/v2 or http://127.0.0.1.`;
    const expected = `See [1](docs/a#x.md) and <docs/b.md>, not ${service}/v2 or http://127.0.0.1.`;
    for (let at = 0; at <= text.length; at++) {
      const addresses = newAddresses();
      const first = addresses.update({ text: text.slice(0, at) }).text ?? '';
      const second = addresses.update({ text: text.slice(at) }).text ?? '';
      assert.equal(first + second + addresses.rest(), expected);
    }
    const { sources } = newAddresses().update({
      sources: [{ type: 'source-url', sourceId: '1', url: `${service}/docs/a b` }],
    });
    assert.equal(sources?.[0]?.url, 'docs/a.md b');
  });

  it('gives the rest with the end, and nothing of a text that was taken back', () => {
    const addresses = newAddresses();
    assert.equal(addresses.update({ text: `x ${service}/docs/a` }).text, 'x ');
    const end = { status: 'complete', isDegraded: false } as const;
    assert.deepEqual(addresses.update({ end }), { end, text: 'docs/a.md' });
    addresses.update({ text: `y ${service}` });
    assert.equal(addresses.update({ text: 'z', isReset: true }).text, 'z');
  });
});

describe('pageFile', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-pages-'));
    await mkdir(path.join(folder, 'docs', 'guide'), { recursive: true });
    for (const file of ['README.md', 'a b.mdx', 'guide/index.html', 'c.html']) {
      await writeFile(path.join(folder, 'docs', file), '');
    }
    await writeFile(path.join(folder, 'secret.md'), '');
  });
  after(() => rm(folder, { recursive: true }));

  it('finds the file of a page as readers can open it', () => {
    const file = (page: string): string | undefined =>
      pageFile(page, path.join(folder, 'docs'), folder);
    assert.equal(file('a%20b#usage'), 'docs/a%20b.mdx#usage');
    assert.equal(file(''), 'docs/README.md');
    assert.equal(file('guide/#_top'), 'docs/guide/index.html');
    assert.equal(file('c'), 'docs/c.html');
    assert.equal(file('gone'), undefined);
    assert.equal(file('%2e%2e/secret'), undefined);
    assert.equal(
      pageFile('c', path.join(folder, 'docs'), path.join(folder, 'other')),
      encodeURI(path.join(folder, 'docs/c.html')),
    );
  });
});
