import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import { checkCliPackage, cliFileProblems, packCli } from '../../tooling/cliPackage.mjs';
import { DocsSite } from '../service/docsSite';
import { docsFolder } from '../service/localServiceAsking';
import { hasTerminal, type Ran, run, runOnTerminal, seen, skipLoudly } from './running';

const html = '<main><h1>Birds</h1><p>Storks eat frogs.</p></main>';

describe('the package for npm', () => {
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let installed: string;
  let site: DocsSite;

  before(async function () {
    this.timeout(120_000);
    work = await docsFolder({
      'docs/birds.md': '# Birds\n\nPelicans eat fish.\n',
      'empty/.npmrc': 'update-notifier=false\n',
    });
    await writeFile(
      path.join(work.root, 'site.tar.gz'),
      gzipSync(aTar([{ name: 'birds.html', content: html }])),
    );
    site = await DocsSite.start({
      '/llms-full.txt': '# Birds\nSource: /birds\n\nGulls eat crabs.\n',
    });
    const tarball = path.join(work.root, 'docs-assistant.tgz');
    await packCli(tarball, process.cwd());
    assert.deepEqual(await checkCliPackage(tarball, process.cwd()), []);
    const empty = path.join(work.root, 'empty');
    await promisify(execFile)(
      'npm',
      ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball],
      { cwd: empty },
    );
    installed = path.join(empty, 'node_modules', 'docs-assistant');
  });
  after(async () => {
    await site.stop();
    await work.remove();
  });

  const options = (): { program: string; cwd: string; env: Record<string, string> } => ({
    // The link that a shell finds, not the file behind it.
    program: path.join(installed, '..', '.bin', 'docs-assistant'),
    cwd: work.root,
    env: { DOCS_ASSISTANT_CACHE: path.join(work.root, 'cache') },
  });
  const docs = (): Readonly<Record<string, [docs: string, question: string, reply: RegExp]>> => ({
    folder: ['docs', 'what do pelicans eat', /Pelicans eat fish/],
    bundle: ['site.tar.gz', 'what do storks eat', /Storks eat frogs/],
    site: [site.url, 'what do gulls eat', /Gulls eat crabs/],
  });

  it('installs into an empty folder without other packages, and includes each language', async () => {
    const manifest = JSON.parse(
      await readFile(path.join(installed, 'package.json'), 'utf8'),
    ) as object;
    assert.ok(
      !('dependencies' in manifest) && !('scripts' in manifest) && !('devDependencies' in manifest),
    );
    assert.deepEqual(
      (await readdir(path.join(installed, '..'))).filter((name) => !name.startsWith('.')),
      ['docs-assistant'],
    );
    const languages = (await readdir('l10n')).filter((name) => /\.l10n\.[\w-]+\.json$/.test(name));
    assert.deepEqual(await readdir(path.join(installed, 'l10n')).catch(() => []), languages);
  });

  it('includes the translations of its own texts, and none of those that only VS Code shows', async () => {
    const file = 'l10n/bundle.l10n.de.json';
    const read = async (folder: string): Promise<Record<string, string>> =>
      JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Record<string, string>;
    const [all, own] = [await read('.'), await read(installed)];
    for (const [text, translation] of Object.entries(own)) assert.equal(translation, all[text]);
    const has = (text: string): [inAll: boolean, inOwn: boolean] => [text in all, text in own];
    assert.deepEqual(has('Unknown command {0}.'), [true, true]);
    assert.deepEqual(has('No docs site is set up.'), [true, false]);
  });

  it('prints its help and its version', async () => {
    const help = await run(['--help'], options());
    assert.match(help.stdout, /^Usage: docs-assistant <command>/);
    for (const name of ['ask', 'serve', 'mcp']) {
      assert.match(help.stdout, new RegExp(`\\n  ${name} `));
      const own = await run([name, '--help'], options());
      assert.match(own.stdout, new RegExp(`^Usage: docs-assistant ${name} `));
      assert.deepEqual([own.code, own.stderr], [0, '']);
    }
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    assert.equal((await run(['--version'], options())).stdout, `${version}\n`);
  });

  it('prints its help, its errors and those of the parser in German if the locale says so', async () => {
    const { env, ...own } = options();
    const german = { ...own, env: { ...env, DOCS_ASSISTANT_LANGUAGE: '', LC_ALL: 'de_DE.UTF-8' } };
    assert.match((await run(['--help'], german)).stdout, /^Verwendung: docs-assistant <Befehl>/);
    const { stderr, code } = await run(['ask', 'why', '--docs', 'nowhere'], german);
    assert.match(stderr, /nowhere existiert nicht/);
    assert.equal(code, 5);
    assert.match(
      (await run(['aks'], german)).stderr,
      /^Unbekannter Befehl: aks\.\nMeinten Sie ask\?/,
    );
  });

  for (const kind of ['folder', 'bundle', 'site'] as const) {
    it(`answers from a ${kind}, piped and on a terminal`, async function () {
      const [named, question, reply] = docs()[kind] ?? ['', '', / /];
      const piped = await run(['ask', question, '--docs', named], options());
      assert.match(piped.stdout, reply);
      assert.match(piped.stdout, /\n## Sources\n/);
      assert.deepEqual([piped.code, piped.stderr], [0, '']);
      if (!hasTerminal) skipLoudly(this);
      const shown: Ran = await runOnTerminal(['ask', question, '--docs', named], options());
      assert.match(seen(shown.stdout), reply);
      assert.match(seen(shown.stdout), /\nSources\n\[1\] Birds\n/);
      assert.equal(shown.code, 0);
    });
  }

  it('is refused if it has a file too many or too few', () => {
    assert.deepEqual(
      cliFileProblems(['package.json', 'README.md', 'LICENSE', 'dist/extension.js']),
      [
        ...['missing: docs-questions.schema.json', 'missing: dist/cli.js'],
        'missing: dist/checkBundle.js',
        'missing: dist/compareBundles.js',
        ...['missing: dist/hashArchive.js', 'missing: dist/surveySite.js'],
        ...['missing: dist/site/assistant.js', 'missing: dist/site/search.js'],
        ...['missing: dist/site/answer.js', 'missing: dist/site/service.js'],
        'unexpected: dist/extension.js',
      ],
    );
  });
});
