import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import { ExportingCli, fieldsOf, type RanHere } from './exportingCli';

const birds =
  '<html><head></head><main><h1>Birds</h1><p>Pelicans eat fish in the morning and in the evening.</p></main></html>';
const framed = '<html><head></head><frameset><frame src="index.html"></frameset></html>';

describe('docs-assistant bundle enhance', () => {
  let cli: ExportingCli;

  beforeEach(async () => {
    cli = await ExportingCli.make({
      'site.tar.gz': gzipSync(aTar([{ name: 'index.html', content: birds }])),
      'whole/index.html': birds,
      'whole/framed.html': framed,
      'taken/index.html': birds,
      'taken/_docs-assistant/mine.html': birds,
      'empty/readme.txt': 'Nothing here.',
    });
  });
  afterEach(() => cli.remove());

  const run = (args: readonly string[]): Promise<RanHere> =>
    cli.run(['bundle', 'enhance', ...args], {
      env: { DOCS_ASSISTANT_CACHE: cli.pathOf('cache') },
    });
  const page = (folder: string): Promise<string> =>
    readFile(cli.pathOf(folder, 'index.html'), 'utf8');

  it('adds search and answers to a folder, and takes them out again', async () => {
    const { code, stdout } = await run(['whole']);
    assert.match(
      stdout,
      /^framed\.html has no box, because it has frames\.\nAdded search and answers to whole\. Pages with the box: 1\. Searched pages: 1, sections: 1\. Files: \d+ \([\d.]+ KB\)\.\n$/,
    );
    assert.equal(code, 0);
    assert.match(await page('whole'), /_docs-assistant\/assistant-/);
    const removed = await run(['whole', '--remove']);
    assert.equal(removed.stdout, 'Took search and answers out of 1 page in whole.\n');
    assert.equal(await page('whole'), birds);
    const again = await run(['whole', '--remove']);
    assert.equal(again.stdout, 'whole has no search and answers of Docs Assistant.\n');
    assert.deepEqual((await readdir(cli.pathOf('whole'))).toSorted(), [
      'framed.html',
      'index.html',
    ]);
  });

  it('unpacks an archive into a new folder, and leaves the archive as it is', async () => {
    const before = await readFile(cli.pathOf('site.tar.gz'));
    const { events, code } = await run(['site.tar.gz', '--output', 'out', '--json']);
    const { event, folder, pages, tagged } = fieldsOf(events().at(-1));
    assert.deepEqual([event, folder, pages, tagged], ['enhanced', cli.pathOf('out'), 1, 1]);
    assert.equal(code, 0);
    assert.match(await page('out'), /_docs-assistant\/assistant-/);
    assert.deepEqual(await readFile(cli.pathOf('site.tar.gz')), before);
  });

  it('says how many pages the search leaves out because they say noindex', async () => {
    const hidden = birds.replace('<head>', '<head><meta name="robots" content="noindex">');
    await cli.write('whole/hidden.html', hidden);
    const { stdout } = await run(['whole']);
    assert.match(stdout, /^Left out because they say noindex: 1$/m);
  });

  it('takes a public key as an argument or from the environment, and lets the page ask with it', async () => {
    const service = ['--service', 'https://docs.test/v2', '--site', 'acme'];
    const script = async (): Promise<string> => {
      const folder = cli.pathOf('whole', '_docs-assistant');
      const name = (await readdir(folder)).find((file) => file.startsWith('assistant-')) ?? '';
      return readFile(`${folder}/${name}`, 'utf8');
    };
    for (const key of [['--key', 'acme_dsc_0a1b2c3d4e5f'], ['--key=acme_dsc_0a1b2c3d4e5f']]) {
      assert.equal((await run(['whole', ...service, ...key])).code, 0);
      assert.match(
        await script(),
        /"baseUrl":"https:\/\/docs\.test","domain":"acme","key":"acme_dsc_0a1b2c3d4e5f"/,
      );
    }
    const { code } = await cli.run(['bundle', 'enhance', 'whole', ...service], {
      env: { DOCS_ASSISTANT_CACHE: cli.pathOf('cache'), DOCS_ASSISTANT_KEY: 'acme_dsc_ffffffff' },
    });
    assert.equal(code, 0);
    assert.match(await script(), /"key":"acme_dsc_ffffffff"/);
  });

  it('says why it can’t, with a code for each reason', async () => {
    for (const [args, exitCode, sentence] of [
      [['taken'], 13, /already has “_docs-assistant”, which isn’t from Docs Assistant/],
      [['empty'], 5, /“empty” has no pages/],
      [['gone'], 5, /gone doesn’t exist/],
      [['whole', '--output', 'other'], 2, /--output is for archives/],
      [['site.tar.gz', '--remove'], 2, /--remove takes a folder/],
      [['whole', '--key', 'acme_dsc_0a1b2c3d'], 2, /--site and --key need --service/],
      [['whole', '--service', 'http://docs.test', '--site', 'acme'], 2, /unencrypted/],
      [['whole', '--service', 'https://docs.test', '--site', 'acme'], 2, /Enter the assistant key/],
      [
        [
          'whole',
          '--service',
          'https://docs.test',
          '--site',
          'acme',
          '--key',
          'acme_0a1b2c3d4e5f6g7h',
        ],
        2,
        /An argument looks like a key/,
      ],
      [
        ['whole', '--service', 'https://docs.test', '--site', 'acme', '--key=acme_us_0a1b2c3d4e5f'],
        2,
        /An argument looks like a key/,
      ],
    ] as const) {
      const { code, stderr } = await run(args);
      assert.match(stderr, sentence);
      assert.equal(code, exitCode, args.join(' '));
    }
    assert.equal(await page('taken'), birds);
  });
});
