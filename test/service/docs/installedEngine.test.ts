import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { systemClock } from '../../../src/common/clock';
import type { Clock } from '../../../src/common/ports';
import { InstalledEngine } from '../../../src/docs/installedEngine';
import { addressesAt } from '../../../src/docs/pages/links';
import { ReplyFold } from '../../../src/shared/reply';
import { Workspace } from './sources/installed/layouts';

const manifest = (name: string, version: string): object => ({ name, version });
const readme = (name: string, text: string): string => `# ${name}\n\n## Use\n\n${text}\n`;

/** Looks at the folder, and waits for a question, a hundred times as often. */
const fastClock: Clock = {
  now: () => systemClock.now(),
  delay: (ms, signal) => systemClock.delay(ms / 100, signal),
};

describe('The docs of installed packages', () => {
  let workspace: Workspace;
  let engine: InstalledEngine;

  const open = (readsAhead: boolean): InstalledEngine => {
    engine = new InstalledEngine({
      installed: workspace.open(),
      folder: workspace.root,
      addresses: () => addressesAt(() => 'http://127.0.0.1:1'),
      readsAhead,
      clock: fastClock,
      patienceMs: 1_000_000,
      log: workspace.log,
    });
    return engine;
  };

  beforeEach(async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { parcels: '2', birds: '1', boats: '1' } },
      'node_modules/parcels/package.json': manifest('parcels', '2.1.0'),
      'node_modules/parcels/README.md':
        '# Parcels\n\n[![npm](https://img.example/npm.svg)](https://npm.example) ![build](https://img.example/b.svg)\n\n' +
        'Parcels are retried five times.\n',
      'node_modules/birds/package.json': manifest('birds', '1.0.0'),
      'node_modules/birds/README.md': readme('Birds', 'Pelicans eat fish.'),
      'node_modules/birds/index.js': '',
      'node_modules/@types/birds/package.json': manifest('@types/birds', '1.0.9'),
      'node_modules/@types/birds/index.d.ts':
        '/** Feeds a pelican with anchovies. */\nexport declare function feedPelican(): void;\n',
      'node_modules/boats/package.json': manifest('boats', '1.0.0'),
      'node_modules/boats/README.md': readme('Boats', 'Boats float on water.'),
      'node_modules/boats/index.d.ts':
        '/** Feeds the captain with rum. */\nexport declare function feedCaptain(): void;\n',
    });
  });
  afterEach(async () => {
    await engine.close();
    await workspace.remove();
  });

  const ask = async (
    text: string,
    contextItems: Parameters<InstalledEngine['ask']>[0]['contextItems'] = [],
  ): Promise<ReplyFold> => {
    const reply = new ReplyFold();
    const question = { text, earlier: [], contextItems, pageSize: 5 };
    for await (const change of engine.ask(question, new AbortController().signal))
      reply.take(change);
    return reply;
  };
  const packagesOf = ({ sources }: ReplyFold): readonly string[] => [
    ...new Set(sources.map(({ title = '' }) => title.split(' › ', 1)[0] ?? '')),
  ];
  const until = async (isDone: () => boolean): Promise<void> => {
    for (let tries = 0; !isDone(); tries++) {
      assert.ok(tries < 500, 'it did not happen');
      await systemClock.delay(20);
    }
  };

  it('follow what is installed, updated and removed while nobody asks', async () => {
    const ids = (): string =>
      opened.sets
        .map(({ id }) => id)
        .sort()
        .join(' ');
    const opened = open(true);
    await opened.list(new AbortController().signal);
    assert.equal(ids(), 'birds@1.0.0 boats@1.0.0 parcels@2.1.0');
    await rm(workspace.at('node_modules/boats'), { recursive: true });
    await workspace.write({
      'package.json': { dependencies: { parcels: '3', birds: '1', kites: '1' } },
      'node_modules/parcels/package.json': manifest('parcels', '3.0.0'),
      'node_modules/parcels/README.md': readme('Parcels', 'Parcels are retried nine times.'),
      'node_modules/kites/package.json': manifest('kites', '1.0.0'),
      'node_modules/kites/README.md': readme('Kites', 'Kites need wind.'),
    });
    await until(() => ids() === 'birds@1.0.0 kites@1.0.0 parcels@3.0.0');
    assert.match((await ask('How often are parcels retried?')).text, /nine times/);
  });

  it('answer from what is installed when a question comes', async () => {
    open(false);
    assert.match((await ask('What floats on water?')).text, /Boats float/);
    await rm(workspace.at('node_modules/boats'), { recursive: true });
    await workspace.write({ 'package.json': { dependencies: { parcels: '2', birds: '1' } } });
    assert.doesNotMatch((await ask('What floats on water?')).text, /Boats float/);
  });

  it('lead to the repository and the site for what the package was published without', async () => {
    await workspace.write({
      'node_modules/birds/package.json': {
        ...manifest('birds', '1.0.0'),
        homepage: 'https://zoo.dev/birds',
        repository: { url: 'git+https://github.com/acme/zoo.git', directory: 'packages/birds' },
      },
      'node_modules/birds/README.md': readme(
        'Birds',
        'Pelicans [eat](docs/food.md#fish) [fish](/fish).',
      ),
    });
    open(false);
    const { text } = await ask('What do pelicans eat?');
    const food = 'https://github.com/acme/zoo/blob/HEAD/packages/birds/docs/food.md#fish';
    assert.ok(text.includes(`[eat](${food}) [fish](https://zoo.dev/fish)`), text);
  });

  it('answer from a package that was installed again in the same version', async () => {
    open(false);
    assert.match((await ask('How often are parcels retried?')).text, /five times/);
    await rm(workspace.at('node_modules/parcels'), { recursive: true });
    await workspace.write({
      'package.json': { dependencies: { parcels: '2', birds: '1' } },
      'node_modules/parcels/package.json': manifest('parcels', '2.1.0'),
      'node_modules/parcels/README.md': readme('Parcels', 'Parcels are retried nine times.'),
    });
    assert.match((await ask('How often are parcels retried?')).text, /nine times/);
  });

  it('have the types of a package that DefinitelyTyped describes', async () => {
    open(false);
    const reply = await ask('What does feedPelican of the birds package do?');
    assert.match(reply.text, /anchovies/);
    assert.equal(packagesOf(reply)[0], '@types/birds@1.0.9');
    assert.deepEqual(await engine.setsOf('birds'), {
      kind: 'found',
      sets: ['birds@1.0.0', '@types/birds@1.0.9'],
    });
    assert.deepEqual(await engine.setsOf('boats'), { kind: 'found', sets: ['boats@1.0.0'] });
  });

  it('are those of the package that exports a name in the question', async () => {
    open(false);
    const reply = await ask('Who does feedCaptain() feed?');
    assert.match(reply.text, /rum/);
    assert.deepEqual(packagesOf(reply), ['boats@1.0.0']);
  });

  it('are also those of a package that another one brought along, if the question names it', async () => {
    await workspace.write({
      'node_modules/wombats/package.json': manifest('wombats', '2.0.0'),
      'node_modules/wombats/README.md': readme('Wombats', 'The burrows of these animals are deep.'),
    });
    open(false);
    const reply = await ask('do wombats have burrows?');
    assert.deepEqual(packagesOf(reply), ['wombats@2.0.0']);
    assert.match(reply.text, /burrows of these animals/);
  });

  it('are those of the package that owns an attached problem', async () => {
    open(false);
    const item = {
      type: 'textSelection',
      value: 'a.ts:1:1: error: float pelicans parcels',
    } as const;
    const reply = await ask('How do I fix this error?', [
      { ...item, packages: ['ghost', 'birds'] },
    ]);
    assert.deepEqual(packagesOf(reply).toSorted(), ['@types/birds@1.0.9', 'birds@1.0.0']);
  });

  it('do not name a readme without a title by its file', async () => {
    await rm(workspace.at('node_modules/birds/README.md'));
    await workspace.write({
      'node_modules/boats/README.md': '## Water\n\nBoats float on water.\n',
      'node_modules/birds/README': '## Food\n\nPelicans eat fish.\n',
    });
    open(false);
    const { sources } = await ask('What floats on water?');
    assert.equal(sources[0]?.title, 'boats@1.0.0 › Water');
    const about = await ask('What do pelicans eat?');
    assert.equal(about.sources[0]?.title, 'birds@1.0.0 › Food');
  });

  it('say what a name of an API is before its note', async () => {
    await workspace.write({
      'node_modules/boats/index.d.ts':
        '/** Feeds the captain.\n * @deprecated Use `feedCrew`. */\nexport declare function feedCaptain(): void;\n',
    });
    open(false);
    const { text } = await ask('What does feedCaptain do?');
    assert.match(
      text,
      /^\*\*boats@1\.0\.0 › feedCaptain\*\* \[1\]\(\S+\)\n\n\*\*Deprecated\.\*\*/m,
    );
  });

  it('say first which packages of the question are not installed, or not in its version', async () => {
    open(false);
    const missing = await ask('How often does @acme/parcels retry, and how boats@2?');
    assert.match(
      missing.text,
      /^`@acme\/parcels` is not installed here\.\n\n`boats@2` is not installed here, but version 1\.0\.0 is\.\n\n/,
    );
    assert.match(missing.text, /float on water/);
    const known = await ask('How often are parcels@2.1 retried with @types/birds?');
    assert.doesNotMatch(known.text, /not installed/);
  });

  it('say first that a package of the question is missing, if the project asks for it', async () => {
    await workspace.write({
      'package.json': {
        dependencies: { parcels: '2', kites: '1', next: '16', '@acme/wind': '1' },
        optionalDependencies: { storms: '1' },
      },
    });
    open(false);
    const first = async (text: string): Promise<string> =>
      (await ask(text)).text.split('\n')[0] ?? '';
    assert.equal(await first('How do Kites fly with parcels?'), '`kites` is not installed here.');
    assert.equal(await first('How does @acme/wind blow?'), '`@acme/wind` is not installed here.');
    assert.equal(await first('Is kites@1 retried?'), '`kites@1` is not installed here.');
    for (const text of ['What is next for parcels?', 'How do storms end?', 'How do tulips grow?'])
      assert.doesNotMatch(await first(text), /not installed/, text);
  });

  it('quote no badges', async () => {
    open(false);
    const { text } = await ask('What is the parcels package?');
    assert.match(text, /retried five times/);
    assert.doesNotMatch(text, /img\.example|npm\.example/);
  });

  it('quote no logo, but another picture', async () => {
    await workspace.write({
      'node_modules/birds/README.md':
        '# Birds\n\n<p align="center"><img src="logo.svg" alt="The logo of birds"></p>\n\n' +
        'Birds watches pelicans.\n\n![A pelican](pelican.jpg)\n',
    });
    open(false);
    const { text } = await ask('What is the birds package?');
    assert.match(text, /watches pelicans/);
    assert.match(text, /A pelican/);
    assert.doesNotMatch(text, /logo/);
  });

  it('group the reply by package if it is likely about two', async () => {
    await workspace.write({
      'package.json': { dependencies: { parcels: '2', birds: '1', boats: '1', ships: '1' } },
      'node_modules/ships/package.json': manifest('ships', '4.0.0'),
      'node_modules/ships/README.md': readme('Ships', 'Ships float on the water of the sea.'),
    });
    open(false);
    const { text } = await ask('What floats on water?');
    const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading).sort();
    assert.deepEqual(headings, ['boats@1.0.0', 'ships@4.0.0']);
    assert.match(text, /### boats@1\.0\.0\n\n[^#]*Boats float/);
    assert.match(text, /### ships@4\.0\.0\n\n[^#]*Ships float/);
    assert.doesNotMatch((await ask('What do pelicans eat?')).text, /^###/m);
  });
});
