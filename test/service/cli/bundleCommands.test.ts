import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { gzipSync } from 'node:zlib';
import { Interrupted } from '../../../src/cli/context';
import { bundleReportSchema } from '../../../src/export/check/reportTypes';
import { aTar } from '../../builders/archive';
import { ExportingCli, fieldsOf, namesOf, type RanHere } from './exportingCli';
import { program } from './running';

const home =
  '<main><h1>Birds</h1><a href="gone.html">Gone</a> <a href="birds.html#no">No</a><img src="https://cdn.test/a.png"></main>';
const birds = '<main><h1>Birds</h1><p>Pelicans eat fish.</p></main>';

describe('docs-assistant bundle', () => {
  let cli: ExportingCli;

  beforeEach(async () => {
    cli = await ExportingCli.make({
      'site.tar.gz': gzipSync(
        aTar([
          { name: 'index.html', content: home },
          { name: 'birds.html', content: birds },
        ]),
      ),
      'whole/index.html': birds,
      'unsafe.tar': aTar([{ name: '../evil.html', content: birds }]),
      'note.tar.gz': 'no archive',
      'empty/readme.txt': 'Nothing here.',
    });
  });
  afterEach(() => cli.remove());

  const run = (args: readonly string[], options = {}): Promise<RanHere> =>
    cli.run(['bundle', ...args], {
      env: { DOCS_ASSISTANT_CACHE: cli.pathOf('cache') },
      ...options,
    });

  it('unpacks an archive into a new folder', async () => {
    const { code, stdout } = await run(['open', 'site.tar.gz']);
    assert.match(stdout, /^Unpacked 2 files \(\d+ B\) into site\.\n$/);
    assert.equal(code, 0);
    assert.deepEqual((await readdir(cli.pathOf('site'))).toSorted(), ['birds.html', 'index.html']);
    const { events } = await run(['open', 'site.tar.gz', '--output', 'other', '--json']);
    const { event, siteRoot, files } = fieldsOf(events().at(-1));
    assert.deepEqual([event, siteRoot, files], ['unpacked', cli.pathOf('other'), 2]);
  });

  it('names the folder with the pages of an archive that has one around them', async () => {
    const site = aTar([{ name: 'export/index.html', content: birds }]);
    await writeFile(cli.pathOf('around.tar'), site);
    const { stdout } = await run(['open', 'around.tar']);
    assert.match(stdout, /^Unpacked 1 file \(\d+ B\) into around.export\.\n$/);
  });

  it('reports a full disk, and still cleans up', async function () {
    // Writes to this device fail as on a disk without space.
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program, 'bundle', 'check', 'site.tar.gz', '--json'], {
      cwd: cli.folder,
      env: {
        ...process.env,
        DOCS_ASSISTANT_CACHE: cli.pathOf('cache'),
        DOCS_ASSISTANT_LANGUAGE: 'en',
      },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(stderr, 'The output can’t be written (ENOSPC).\n');
    assert.equal(code, 13);
    assert.deepEqual(await readdir(cli.pathOf('cache', 'bundles')), []);
  });

  it('exits with a code for each reason if it can’t unpack, and leaves nothing behind', async () => {
    const before = await readdir(cli.folder);
    for (const [args, exitCode, sentence] of [
      [
        ['site.tar.gz', '--output', 'whole'],
        13,
        /“.*whole” already exists.* Choose another name with --output/,
      ],
      [['gone.tar.gz'], 5, /^gone\.tar\.gz doesn’t exist\.$/m],
      [['note.tar.gz'], 5, /can’t be unpacked/],
      [['unsafe.tar'], 5, /unsafe/],
    ] as const) {
      const { code, stdout, stderr } = await run(['open', ...args]);
      assert.match(stderr, sentence);
      assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' }, stderr);
    }
    assert.deepEqual(await readdir(cli.folder), before);
  });

  it('checks an archive or a folder, and prints findings as compilers do', async () => {
    const { code, stdout } = await run(['check', 'site.tar.gz']);
    assert.match(stdout, /^index\.html:1:\d+: error: .*gone\.html/m);
    assert.match(stdout, /^index\.html:1:\d+: warning: .*cdn\.test/m);
    assert.match(
      stdout,
      /2 broken links, 1 resource from another host\nFailed because of --fail-on: broken-links\n$/,
    );
    assert.equal(code, 12);
    // The files that were unpacked for the check are gone.
    assert.deepEqual(await readdir(cli.pathOf('cache', 'bundles')), []);
    const whole = await run(['check', 'whole']);
    assert.match(whole.stdout, /^Self-contained: 1 page/);
    assert.equal(whole.code, 0);
  });

  it('removes what a killed command has unpacked, a day later', async () => {
    await cli.write('cache/bundles/left/site/index.html', birds);
    await cli.write('cache/bundles/new/site/index.html', birds);
    await utimes(cli.pathOf('cache', 'bundles', 'left'), 1, 1);
    assert.equal((await run(['check', 'site.tar.gz', '--fail-on', 'none'])).code, 0);
    assert.deepEqual(await readdir(cli.pathOf('cache', 'bundles')), ['new']);
  });

  it('fails on the named kinds of findings', async () => {
    for (const [bundle, failOn, failed] of [
      ['site.tar.gz', 'none', []],
      ['site.tar.gz', 'broken-anchors,outside-fetches', ['broken-anchors', 'outside-fetches']],
      ['whole', 'broken-links, broken-anchors,outside-fetches,no-home-page', []],
      ['empty', 'no-pages', ['no-pages']],
    ] as const) {
      const { code, events } = await run(['check', bundle, '--fail-on', failOn, '--json']);
      const told = events();
      assert.deepEqual(told.at(-1)?.['failed'], failed);
      assert.equal(code, failed.length === 0 ? 0 : 12);
      assert.equal(namesOf(told).at(-1), 'checked');
    }
  });

  it('fails on what an air-gapped site can’t load, and calls that an error', async () => {
    const { code, stdout } = await run([
      'check',
      'site.tar.gz',
      '--fail-on',
      'none',
      '--air-gapped',
    ]);
    assert.equal(code, 12);
    assert.match(stdout, /^index\.html:1:\d+: error: .*cdn\.test/m);
    assert.match(stdout, /^Fails on an air-gapped site: /m);
    assert.equal((await run(['check', 'whole', '--air-gapped'])).code, 0);
  });

  it('saves the report, as VS Code does', async () => {
    const files = ['--report', 'report.json', '--markdown', 'report.md'];
    const { code } = await run(['check', 'site.tar.gz', '--fail-on', 'none', ...files]);
    assert.equal(code, 0);
    const saved: unknown = JSON.parse(await readFile(cli.pathOf('report.json'), 'utf8'));
    assert.equal(v.parse(bundleReportSchema, saved).brokenCount, 2);
    assert.match(await readFile(cli.pathOf('report.md'), 'utf8'), /^# Not self-contained/);
    const refused = await run(['check', 'whole', '--report', 'no/folder/report.json']);
    assert.equal(refused.code, 13);
  });

  it('serves a bundle until it is interrupted', async () => {
    const stop = new AbortController();
    let body = '';
    const { code, stdout } = await run(['preview', 'site.tar.gz', '--base-path', '/docs'], {
      signal: stop.signal,
      onOutput: (text: string) => {
        const url = /at (http:\S+)/.exec(text)?.[1];
        if (url === undefined || !text.includes('Ctrl+C')) return;
        void fetch(`${url}birds.html`)
          .then((response) => response.text())
          .then((text) => (body = text))
          .finally(() => stop.abort(new Interrupted(130)));
      },
    });
    assert.match(stdout, /^Serving site\.tar\.gz at http:\/\/127\.0\.0\.1:\d+\/docs\//);
    assert.match(body, /Pelicans eat fish/);
    assert.equal(code, 130);
    assert.deepEqual(await readdir(cli.pathOf('cache', 'bundles')), []);
  });
});

describe('docs-assistant values set', () => {
  const link =
    'https://store.example.com/bundle.tar.gz?X-Expires=4070908800000&X-Signature=abc0123456789';
  const values = '# Ours\nimage: docs:1\nstaticExport:\n  enabled: false # not yet\n';
  let cli: ExportingCli;

  beforeEach(async () => {
    cli = await ExportingCli.make({ 'values.yaml': values, 'link.txt': `${link}\n` });
  });
  afterEach(() => cli.remove());

  const set = (args: readonly string[] = [], options = {}): Promise<RanHere> =>
    cli.run(['values', 'set', 'values.yaml', '--link-file', 'link.txt', ...args], options);

  it('sets the link and the version, and leaves everything else', async () => {
    await chmod(cli.pathOf('values.yaml'), 0o640);
    const { code, stdout } = await set(['--label', 'v2']);
    assert.match(stdout, /^Set the bundle in values\.yaml\.\nThe link expires in \d+ d/);
    assert.equal(code, 0);
    const text = await readFile(cli.pathOf('values.yaml'), 'utf8');
    assert.ok(
      text.startsWith('# Ours\nimage: docs:1\nstaticExport:\n  enabled: true # not yet\n'),
      text,
    );
    assert.ok(text.includes(link), text);
    assert.match(text, /version: "?v2"?/);
    if (process.platform !== 'win32')
      assert.equal((await stat(cli.pathOf('values.yaml'))).mode & 0o777, 0o640);
    const again = await set(['--label', 'v2', '--json']);
    assert.equal(again.events().at(-1)?.['changed'], false);
    assert.equal(await readFile(cli.pathOf('values.yaml'), 'utf8'), text);
  });

  it('names no manifest in the event of a link in the values file itself', async () => {
    const { events } = await set(['--json']);
    const { event, changed, ...more } = fieldsOf(events().at(-1));
    assert.deepEqual([event, changed, 'manifest' in more], ['values', true, false]);
  });

  it('says that a link has expired', async () => {
    await cli.write('link.txt', link.replace('4070908800000', '1600000000000'));
    const { code, stdout } = await set();
    assert.match(stdout, /\nThe link has expired\. Get a new one before you deploy\.\n$/);
    assert.equal(code, 0);
  });

  it('reads the link from stdin', async () => {
    const { code } = await cli.run(['values', 'set', 'values.yaml', '--link-file', '-'], {
      stdin: link,
    });
    assert.equal(code, 0);
    assert.ok((await readFile(cli.pathOf('values.yaml'), 'utf8')).includes(link));
  });

  it('keeps the link out of the file, in the Secret that --secret names or in a secret store', async () => {
    const secret = await set(['--as', 'secret', '--secret', 'birds-link']);
    assert.equal(secret.code, 0, secret.stderr);
    assert.match(secret.stdout, /^Set the bundle in values\.bundle-link\.yaml, values\.yaml\.$/m);
    const manifest = await readFile(cli.pathOf('values.bundle-link.yaml'), 'utf8');
    assert.match(manifest, /^kind: Secret$/m);
    assert.match(manifest, /^ {2}name: birds-link$/m);
    assert.ok(manifest.includes(link));

    const store = ['--store', 'SecretStore/vault', '--store-key', 'docs/bundle-link'];
    const named = ['--manifest', 'store.yaml', '--secret=birds-link'];
    const external = await set(['--as', 'external-secret', ...store, ...named]);
    assert.equal(external.code, 0, external.stderr);
    const reference = await readFile(cli.pathOf('store.yaml'), 'utf8');
    assert.match(reference, /^ {4}kind: SecretStore$/m);
    assert.match(reference, /^ {2}name: birds-link$/m);
    const text = await readFile(cli.pathOf('values.yaml'), 'utf8');
    for (const file of [reference, text]) assert.ok(!file.includes(link), file);
  });

  it('leaves a file alone that isn’t UTF-8, whose bytes would be lost', async () => {
    const latin = Buffer.from('# K\u00f6ln\nimage: docs:1\n', 'latin1');
    await writeFile(cli.pathOf('values.yaml'), latin);
    const { code, stderr } = await set();
    assert.match(stderr, /^values\.yaml isn’t text in UTF-8\. Save it as UTF-8/);
    assert.equal(code, 13);
    assert.deepEqual(await readFile(cli.pathOf('values.yaml')), latin);
  });

  it('takes the key of a secret store without the spaces around it', async () => {
    const store = ['--store', 'vault', '--store-key', ' docs/link '];
    assert.equal((await set(['--as', 'external-secret', ...store])).code, 0);
    const manifest = await readFile(cli.pathOf('values.bundle-link.yaml'), 'utf8');
    assert.match(manifest, /^ +key: "docs\/link"$/m);
  });

  it('names the field of a secret that has fields', async () => {
    const store = ['--store', 'vault', '--store-key', 'docs', '--store-field', 'link'];
    assert.equal((await set(['--as', 'external-secret', ...store])).code, 0);
    const manifest = await readFile(cli.pathOf('values.bundle-link.yaml'), 'utf8');
    assert.match(manifest, /^ +property: "link"$/m);
  });

  it('refuses files that have no end', async function () {
    if (process.platform === 'win32') this.skip();
    const refused = async (...args: readonly string[]): Promise<unknown> => {
      const { code, stderr } = await cli.run(['values', 'set', ...args]);
      return [code, stderr];
    };
    assert.deepEqual(await refused('values.yaml', '--link-file', '/dev/zero'), [
      2,
      '/dev/zero is too large.\n',
    ]);
    assert.deepEqual(await refused('/dev/zero', '--link-file', 'link.txt'), [
      2,
      '/dev/zero is too large.\n',
    ]);
  });

  // Shows faults.md L18.
  it('refuses what it can’t edit or use with an exit code for each reason, and changes nothing', async () => {
    const secret = `file:///etc/x?X-Signature=abc0123456789`;
    for (const [files, args, exitCode, sentence] of [
      [{ 'values.yaml': 'a: {{ .b }}\n' }, [], 13, /was not changed/],
      [{ 'values.yaml': 'a: [1\n' }, [], 13, /was not changed/],
      [{ 'link.txt': secret }, [], 2, /can’t be used: it doesn’t start with https/],
      [{ 'link.txt': '' }, [], 2, /can’t be used/],
      [{}, ['--link-file', 'gone.txt'], 5, /gone\.txt doesn’t exist/],
      [{}, ['--label', ' '], 2, /--label needs a text/],
      [{}, ['--as', 'file'], 2, /Choose from plain, secret, external-secret/],
      [{}, ['--as', 'secret', '--secret', 'Not.A.Name'], 2, /--secret needs a name/],
      [{}, ['--as', 'external-secret', '--store', 'vault'], 2, /with --store-key/],
      // Without --as, the link would be in the values file in spite of the Secret that is named.
      [{}, ['--secret', 'birds-link'], 2, /--secret and --manifest need --as secret/],
      [{}, ['--manifest', 'link.yaml'], 2, /--secret and --manifest need --as secret/],
      [{}, ['--store', 'vault'], 2, /--store-field need --as external-secret/],
      [{}, ['--as', 'secret', '--store-key', 'a'], 2, /--store-field need --as external-secret/],
      [{}, ['--as', 'secret', '--store-field', 'a'], 2, /--store-field need --as external-secret/],
      [{}, [`--label=${link}`], 2, /looks like a presigned link/],
    ] as const) {
      await cli.write('values.yaml', values);
      await cli.write('link.txt', link);
      for (const [name, text] of Object.entries(files)) await cli.write(name, text);
      const before = await readFile(cli.pathOf('values.yaml'), 'utf8');
      const { code, stdout, stderr } = await set(args);
      assert.match(stderr, sentence);
      assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' }, stderr);
      assert.equal(await readFile(cli.pathOf('values.yaml'), 'utf8'), before);
    }
  });
});
