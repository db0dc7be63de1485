import assert from 'node:assert/strict';
import { chmod, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkBundle } from '../../../src/export/check/checkBundle';
import { contentSecurityPolicy } from '../../../src/export/hosting/policy/contentSecurityPolicy';
import { hostingConfiguration, defaultSettings } from '../../../src/export/hosting/hostingFiles';
import { plainTranslate } from '../../../src/common/errors';
import { survey } from '../../builders/hostedSite';
import { SiteToEnhance } from './enhancing';

const page = (title: string, text: string, head = ''): string =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title>${head}</head>\r\n<body><main><h1>${title}</h1><p>${text}</p></main></body></html>\n`;

const files = {
  'index.html': page('Birds', 'Pelicans eat fish, and herons wait for them in the reeds.'),
  'guide/herons.html': page('Herons', 'A heron stands on one leg, which saves warmth in winter.'),
  'guide/old.html': page(
    'Old',
    'A page that nobody is to find.',
    '<meta name="robots" content="noindex">',
  ),
  'guide/strict.html': page(
    'Strict',
    'The policy of this page allows no scripts at all here.',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`,
  ),
  'latin.html': Buffer.from(
    page(
      'Störche',
      'Störche klappern mit dem Schnabel, wenn sie sich grüßen.',
      '<meta charset="iso-8859-1">',
    ),
    'latin1',
  ),
  'frames.html': '<html><head></head><frameset cols="*"><frame src="index.html"></frameset></html>',
  '404.html': page('Not found', 'This page does not exist, or it has been moved elsewhere.'),
  'app.js': 'document.title;\n',
};

describe('enhancing a site', () => {
  let site: SiteToEnhance;
  let before: Record<string, string>;

  beforeEach(async () => {
    site = await SiteToEnhance.make(files);
    before = await site.digests();
  });
  afterEach(() => site.remove());

  const without = (digests: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(digests).filter(([name]) => !name.startsWith('_docs-')));

  it('adds one folder and one tag to each page that can have it, and nothing else', async () => {
    const { indexed, tagged, hidden, untagged } = await site.enhance();
    const after = without(await site.digests());
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    assert.deepEqual(Object.keys(after).toSorted(), Object.keys(before).toSorted());
    assert.deepEqual(changed.toSorted(), [
      'guide/herons.html',
      'guide/old.html',
      'index.html',
      'latin.html',
    ]);
    assert.deepEqual({ indexed, tagged, hidden }, { indexed: 4, tagged: 4, hidden: 1 });
    assert.deepEqual(untagged, [
      { page: '404.html', reason: 'not-found' },
      { page: 'frames.html', reason: 'frames' },
      { page: 'guide/strict.html', reason: 'policy' },
    ]);
    assert.match(
      await site.read('guide/herons.html'),
      /<title>Herons<\/title><script defer src="\.\.\/_docs-assistant\/assistant-[0-9a-f]{16}\.js" data-docs-assistant="[0-9a-f]{20}"><\/script><\/head>\r\n/,
    );
  });

  it('changes nothing when it runs again, and leaves nothing of an earlier state', async () => {
    await site.enhance();
    const first = await site.digests();
    await site.enhance();
    assert.deepEqual(await site.digests(), first);
    await site.write(
      'guide/more.html',
      page('More', 'Spoonbills sweep the water with their bills.'),
    );
    await site.enhance();
    const second = await site.digests();
    await site.restore();
    await site.enhance();
    assert.deepEqual(await site.digests(), second);
  });

  it('takes everything out again, to the byte', async () => {
    await site.enhance();
    assert.equal(await site.restore(), 4);
    assert.deepEqual(await site.digests(), before);
    assert.equal(await site.restore(), 0);
  });

  it('leaves files of others in its folder, and permissions of pages', async () => {
    await chmod(path.join(site.root, 'index.html'), 0o640);
    await site.enhance();
    await site.write('_docs-assistant/notes.txt', 'mine');
    await site.enhance();
    await site.restore();
    assert.equal(await site.read('_docs-assistant/notes.txt'), 'mine');
    assert.equal((await stat(path.join(site.root, 'index.html'))).mode & 0o777, 0o640);
  });

  it('refuses another folder of its name, and changes nothing', async () => {
    for (const name of ['_docs-assistant/readme.html', '_docs-assistant']) {
      const taken = await SiteToEnhance.make({ ...files, [name]: page('Mine', 'Of others.') });
      const digests = await taken.digests();
      await assert.rejects(taken.enhance(), { code: 'assistant-folder-taken' });
      await assert.rejects(taken.restore(), { code: 'assistant-folder-taken' });
      assert.deepEqual(await taken.digests(), digests);
      await taken.remove();
    }
  });

  it('replaces what an older version has left', async () => {
    await site.write('_docs-assistant/manifest.json', '{"generator":"docs-assistant","format":0}');
    await site.write('_docs-assistant/assistant-00ff.js', 'old');
    const old =
      '<script defer src="_docs-assistant/assistant-00ff.js" data-docs-assistant="ab"></script>';
    await site.write('index.html', files['index.html'].replace('</head>', `${old}</head>`));
    await site.enhance();
    assert.ok(!(await site.read('index.html')).includes('00ff'));
    assert.equal((await site.digests())['_docs-assistant/assistant-00ff.js'], undefined);
    await site.restore();
    assert.deepEqual(await site.digests(), before);
  });

  it('does the same in a thread, with the same errors', async () => {
    const here = await site.enhance();
    const digests = await site.digests();
    await site.restore();
    assert.deepEqual(await site.enhanceInThread(), here);
    assert.deepEqual(await site.digests(), digests);
    assert.equal(await site.restoreInThread(), 4);
    assert.deepEqual(await site.digests(), before);
    await site.write('_docs-assistant/readme.html', page('Mine', 'Of others.'));
    await assert.rejects(site.enhanceInThread(), { code: 'assistant-folder-taken' });
    await assert.rejects(site.restoreInThread(), { code: 'assistant-folder-taken' });
  });

  it('can be repeated and taken out after an interruption at any step', async () => {
    for (let stopAt = 1; stopAt < 12; stopAt += 2) {
      const stopping = new AbortController();
      let steps = 0;
      const run = site.enhance(stopping.signal, () => {
        if (++steps === stopAt) stopping.abort(new Error('stopped'));
      });
      await assert.rejects(run, /stopped/, String(stopAt));
      await site.restore();
      assert.deepEqual(await site.digests(), before, String(stopAt));
    }
  });
});

describe('an enhanced export of the sample docs', () => {
  let site: SiteToEnhance;

  before(async () => {
    site = await SiteToEnhance.make({});
    await site.addSample();
    // A sample that would make a policy allow inline styles and another host, if a script had it as text.
    await site.write(
      'styled.html',
      page(
        'Styled',
        'Write <code>&lt;p style="color: red"&gt;</code> or <code>fetch("https://elsewhere.test/x")</code>.',
      ),
    );
  });
  after(() => site.remove());

  const check = () =>
    checkBundle({
      root: site.root,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

  it('is as clean for Check Bundle, and has the same policy', async () => {
    const plain = { report: await check(), site: await survey(site.root) };
    await site.enhance();
    const enhanced = { report: await check(), site: await survey(site.root) };
    const { broken, outsideFetches, notes } = enhanced.report;
    assert.deepEqual([broken, outsideFetches], [plain.report.broken, plain.report.outsideFetches]);
    assert.deepEqual(notes, plain.report.notes);
    assert.ok(!notes.some(({ code }) => code === 'asks-service'));
    assert.equal(
      contentSecurityPolicy(enhanced.site.needs).value,
      contentSecurityPolicy(plain.site.needs).value,
    );
    const { needs, immutable } = enhanced.site;
    assert.deepEqual(needs.doubts, plain.site.needs.doubts);
    assert.ok(
      immutable.some(({ folder, extension }) => folder === '_docs-assistant' && extension === 'js'),
    );
    const { notes: said } = hostingConfiguration(
      enhanced.site,
      'nginx',
      defaultSettings,
      plainTranslate,
    );
    const plainSaid = hostingConfiguration(
      plain.site,
      'nginx',
      defaultSettings,
      plainTranslate,
    ).notes;
    assert.deepEqual(said, plainSaid);
  });

  it('names its docs service to Check Bundle and to the policy, and nothing else', async () => {
    await site.restore();
    const plain = contentSecurityPolicy((await survey(site.root)).needs).value;
    for (const [baseUrl, source] of [
      ['https://docs.test/prefix', ` connect-src 'self' https://docs.test;`],
      ['/_docs-assistant/service', ''],
    ] as const) {
      await site.enhance(undefined, undefined, {
        baseUrl,
        domain: 'acme',
        key: 'acme_dsc_0a1b2c3d',
      });
      const report = await check();
      assert.deepEqual([report.brokenCount, report.outsideFetchCount], [0, 0]);
      assert.deepEqual(
        report.notes.flatMap(({ code, detail }) => (code === 'asks-service' ? [detail] : [])),
        [baseUrl],
      );
      const { needs } = await survey(site.root);
      assert.equal(contentSecurityPolicy(needs).value.replace(source, ''), plain);
      assert.deepEqual(needs.doubts, []);
      assert.ok(!(await site.read('_docs-assistant/manifest.json')).includes('_dsc_'));
    }
    await site.enhance();
    const scripts = Object.keys(await site.digests());
    assert.ok(!scripts.some((name) => name.startsWith('_docs-assistant/service-')));
  });

  it('has the versions and languages of the docs, and all of their pages', async () => {
    const { indexed, tagged, hidden } = await site.enhance();
    assert.equal(hidden, 0);
    assert.ok(indexed >= 35, String(indexed));
    assert.ok(tagged >= indexed);
  });
});
