import assert from 'node:assert/strict';
import {
  MAX_RECOMMENDED,
  parseRecommendations,
  recommendationOf,
  RecommendedSites,
  type ConfiguredRecommendations,
  type Recommendation,
} from '../../../src/site/recommendedSites';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';
import { ScriptedUi } from '../../fakes/scriptedUi';

const acme = { name: 'Acme', baseUrl: 'https://api.example.com/v2', domain: 'acme' };
const globex = { baseUrl: 'https://api.globex.example', domain: 'globex' };
const guide = { url: 'https://docs.example.org/guide/' };

/** Returns a window with a workspace that recommends the sites that a test sets. */
function workspace(state = new MemoryMemento()) {
  const ui = new ScriptedUi();
  const log = new RecordingLog();
  const accepted: Recommendation[] = [];
  const now = {
    isTrusted: true,
    configured: [{ value: [acme] }] as readonly ConfiguredRecommendations[],
    known: [] as readonly string[],
    hosts: [] as readonly string[],
  };
  const sites = new RecommendedSites({
    ui,
    workspace: state,
    isTrusted: () => now.isTrusted,
    configured: () => now.configured,
    isKnown: ({ id }) => now.known.includes(id),
    knownHosts: () => now.hosts,
    accept: (recommendation) => {
      accepted.push(recommendation);
      return Promise.resolve(true);
    },
    log,
  });
  return { ui, log, accepted, now, sites, state };
}

describe('parseRecommendations', () => {
  it('reads hosted sites and docs by URL', () => {
    const { recommendations, problems } = parseRecommendations([{ value: [acme, guide] }]);
    assert.deepEqual(problems, []);
    assert.deepEqual(recommendations, [
      {
        kind: 'hosted',
        id: 'https://api.example.com acme',
        address: 'https://api.example.com',
        host: 'api.example.com',
        label: 'Acme',
        site: { baseUrl: 'https://api.example.com', domain: 'acme', label: 'Acme' },
        folder: undefined,
        packages: [],
        versions: [],
      },
      {
        kind: 'docs',
        id: 'https://docs.example.org/guide',
        address: 'https://docs.example.org/guide',
        host: 'docs.example.org',
        label: 'docs.example.org/guide',
        folder: undefined,
        packages: [],
        versions: [],
      },
    ]);
  });

  it('reads names of packages and versions, and leaves out what is no name', () => {
    const read = (value: object): readonly (readonly string[])[] =>
      parseRecommendations([{ value: [{ ...acme, ...value }] }]).recommendations.flatMap(
        ({ packages, versions }) => [packages, versions],
      );
    assert.deepEqual(read({ packages: ['next', ' @acme/sdk ', '', 7], versions: ['v15', null] }), [
      ['next', '@acme/sdk'],
      ['v15'],
    ]);
    assert.deepEqual(read({ packages: 'next', versions: { a: 1 } }), [[], []]);
    const many = Array.from({ length: 1000 }, (_, index) => `p${index}`);
    assert.deepEqual(read({ packages: many, versions: ['x'.repeat(1000)] }), [
      many.slice(0, 100),
      [],
    ]);
  });

  it('finds the recommendation of the site that is asked', () => {
    const { recommendations } = parseRecommendations([{ value: [acme, globex, guide] }]);
    const idOf = (asked: Parameters<typeof recommendationOf>[1]): string | undefined =>
      recommendationOf(recommendations, asked)?.id;
    const local = { url: 'http://127.0.0.1:4567', domain: 'sample', key: 'k' };
    const hosted = { ...globex };
    assert.equal(idOf({ local: undefined, hosted }), 'https://api.globex.example globex');
    assert.equal(idOf({ local, hosted }), undefined);
    const siteUrl = 'https://docs.example.org/guide/';
    const served = { ...local, docs: { kind: 'site' as const, siteUrl } };
    assert.equal(idOf({ local: served, hosted }), 'https://docs.example.org/guide');
    assert.equal(idOf({ local: undefined, hosted: undefined }), undefined);
  });

  // Shows faults.md O7.
  it('reports a bad entry, and keeps the others', () => {
    const { recommendations, problems } = parseRecommendations([
      {
        value: [
          'https://api.example.com',
          null,
          { baseUrl: 'https://api.example.com' },
          { baseUrl: 'http://api.example.com', domain: 'acme' },
          { baseUrl: 'https://me:canary-secret@api.example.com', domain: 'acme' },
          { baseUrl: 'https://api.example.com?key=canary-secret', domain: 'acme' },
          { baseUrl: 'javascript:alert(1)', domain: 'acme' },
          { baseUrl: 'https://api.example.com', domain: 'acme/../admin' },
          { url: 'ftp://docs.example.org' },
          { url: 'http://docs.example.org' },
          { ...acme, ...guide },
          { baseUrl: 7, domain: [] },
          globex,
        ],
      },
    ]);
    assert.deepEqual(
      recommendations.map(({ id }) => id),
      ['https://api.globex.example globex'],
    );
    assert.equal(problems.length, 12);
    for (const [index, problem] of problems.entries()) {
      assert.match(
        problem,
        new RegExp(`^docsAssistant\\.recommendedSites\\[${index}\\] is ignored: `),
      );
      assert.doesNotMatch(problem, /canary/);
    }
  });

  it('ignores a value that is not a list, and entries beyond the limit', () => {
    assert.deepEqual(parseRecommendations([{ value: undefined }, { value: null }]).problems, []);
    assert.deepEqual(parseRecommendations([{ value: 'acme', folder: 'api' }]).problems, [
      'docsAssistant.recommendedSites of api is ignored: it is not a list.',
    ]);
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...globex, domain: `d${index}` }));
    const { recommendations, problems } = parseRecommendations([{ value: many }]);
    assert.equal(recommendations.length, MAX_RECOMMENDED);
    assert.equal(problems.length, 1);
  });

  it('sanitizes names, and lists a site that two folders recommend once', () => {
    const name = `\u202eAcme\u0000\n [click](command:evil) ${'x'.repeat(500)}`;
    const { recommendations } = parseRecommendations([
      { value: [{ ...acme, name }], folder: 'one' },
      { value: [acme, globex], folder: 'two' },
    ]);
    assert.equal(recommendations.length, 2);
    const [first, second] = recommendations;
    assert.ok(first && first.label.length <= 100);
    assert.doesNotMatch(first.label, /[\u202e\0\n]/);
    assert.deepEqual([first.folder, second?.folder], ['one', 'two']);
  });

  it('writes hosts with other letters in ASCII', () => {
    const value = [{ baseUrl: 'https://аpi.example.com', domain: 'acme' }];
    const [first] = parseRecommendations([{ value }]).recommendations;
    assert.equal(first?.host, 'xn--pi-6kc.example.com');
  });
});

describe('RecommendedSites', () => {
  it('offers a site with its host, and hands it over only when it is accepted', async () => {
    const { sites, ui, accepted } = workspace();
    ui.answer('Accept');
    await sites.offer();
    const [offer] = ui.shown;
    assert.equal(
      offer?.text,
      'This workspace recommends the docs site Acme. If you accept, your questions and its assistant key go to api.example.com.',
    );
    assert.deepEqual(offer.options, ['Accept', 'Not Now', 'Never for This Workspace']);
    assert.deepEqual(
      accepted.map(({ id }) => id),
      ['https://api.example.com acme'],
    );
  });

  for (const answer of ['Not Now', undefined, 'Accept']) {
    // Shows faults.md O9.
    it(`offers a site once after “${answer ?? 'a dismissal'}”, also after a reload`, async () => {
      const { sites, ui, now, state } = workspace();
      ui.answer(answer);
      await sites.offer();
      await sites.offer();
      now.configured = [{ value: [{ ...acme, name: 'Renamed' }] }];
      await sites.offer();
      assert.equal(ui.shown.length, 1);
      const later = workspace(state);
      await later.sites.offer();
      assert.deepEqual(later.ui.texts(), []);
      later.now.configured = [{ value: [acme, globex] }];
      await later.sites.offer();
      const [text = ''] = later.ui.texts();
      assert.match(text, /globex/);
      assert.doesNotMatch(text, /Acme/);
    });
  }

  it('no longer offers anything in a workspace where the user declined all', async () => {
    const { sites, ui, now, state } = workspace();
    ui.answer('Never for This Workspace');
    await sites.offer();
    now.configured = [{ value: [globex, guide] }];
    await sites.offer();
    assert.equal(ui.shown.length, 1);
    const later = workspace(state);
    later.now.configured = [{ value: [globex] }];
    await later.sites.offer();
    assert.deepEqual(later.ui.texts(), []);
    const [listed] = later.sites.list;
    assert.ok(listed, 'the list of sites no longer has it');
    await later.sites.accept(listed);
    later.now.configured = [{ value: [guide] }];
    await later.sites.offer();
    assert.deepEqual(later.ui.texts(), [], 'accepting one from the list took the answer back');
  });

  // Shows faults.md O6.
  it('neither offers nor lists anything in Restricted Mode, until the workspace is trusted', async () => {
    const { sites, ui, now, log } = workspace();
    now.isTrusted = false;
    now.configured = [{ value: [acme, 'bad'] }];
    await sites.offer();
    assert.deepEqual([ui.shown, sites.list, log.lines], [[], [], []]);
    now.isTrusted = true;
    await sites.offer();
    assert.equal(ui.shown.length, 1);
  });

  it('does not offer a site that the reader has', async () => {
    const { sites, ui, now } = workspace();
    now.known = ['https://api.example.com acme'];
    await sites.offer();
    assert.deepEqual(ui.shown, []);
  });

  it('shows one notification at a time, and later changes after it', async () => {
    const { sites, ui, now } = workspace();
    const first = sites.offer();
    now.configured = [{ value: [acme, globex] }];
    await sites.offer();
    assert.equal(ui.shown.length, 1, 'a second notification stood beside the first');
    await first;
    assert.equal(ui.shown.length, 2);
    assert.match(ui.shown[1]?.text ?? '', /globex/);
  });

  it('names several sites in one notification, which leads to the list', async () => {
    const { sites, ui, now, accepted } = workspace();
    now.configured = [
      { value: [acme, globex, guide, { ...globex, domain: 'd' }], folder: 'parcels' },
    ];
    ui.answer('Choose…');
    await sites.offer();
    assert.equal(
      ui.shown[0]?.text,
      'The folder parcels recommends 4 docs sites: Acme (api.example.com), globex (api.globex.example), docs.example.org/guide (docs.example.org) and 1 more.',
    );
    assert.deepEqual(ui.ran, [['docsAssistant.switchSite']]);
    assert.deepEqual(accepted, []);
    assert.equal(sites.list.length, 4);
  });

  it('does not accept what the settings no longer recommend', async () => {
    const { sites, ui, now, accepted } = workspace();
    ui.answer('Accept');
    const offered = sites.offer();
    now.configured = [{ value: [{ ...acme, baseUrl: 'https://evil.example.net' }] }];
    await offered;
    assert.deepEqual(accepted, []);
  });

  // Shows faults.md O8.
  it('warns of a host that looks like one in use, and asks again', async () => {
    const { sites, ui, now, accepted } = workspace();
    now.hosts = ['api.exarnple.com'];
    ui.answer('Accept', undefined);
    await sites.offer();
    assert.match(ui.shown[0]?.text ?? '', /api\.example\.com looks like api\.exarnple\.com/);
    assert.match(ui.shown[1]?.text ?? '', /^Use api\.example\.com\?/);
    assert.deepEqual(accepted, []);
    const [recommendation] = sites.list;
    assert.ok(recommendation);
    ui.answer('Use It Anyway');
    assert.equal(await sites.accept(recommendation), true);
    assert.equal(accepted.length, 1);
  });

  it('puts each bad entry into the log once', async () => {
    const { sites, now, log } = workspace();
    now.configured = [{ value: [acme, { url: 'nonsense' }] }];
    await sites.offer();
    assert.equal(sites.list.length, 1);
    assert.equal(log.messages('warn').length, 1);
  });

  it('ignores stored answers of an unknown form', async () => {
    for (const stored of ['never', { answered: 7 }, { isNever: 'yes' }, [null]]) {
      const state = new MemoryMemento();
      await state.update('recommendedSites', stored);
      const { sites, ui } = workspace(state);
      await sites.offer();
      assert.equal(ui.shown.length, 1);
    }
  });
});
