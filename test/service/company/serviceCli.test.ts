/** The program `docs-assistant-service` as a process of its own. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { docsFolder, until } from '../service/localServiceAsking';

const program = path.resolve('dist/service/service.js');
const cli = path.resolve('dist/cli.js');
const run = promisify(execFile);

interface Failure {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('docs-assistant-service', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  const children: ChildProcess[] = [];

  before(async () => {
    docs = await docsFolder({
      'docs/refunds.md': '# Refunds\n\n## Refund a payment\n\nA refund takes five days.\n',
      'service.yaml': 'sites:\n  - domain: pay\n    source: { kind: folder, path: docs }\n',
      'broken.yaml': 'sites:\n  - domain: pay\n    source: { kind: folder }\n',
    });
    mkdirSync(path.join(docs.root, 'service-data/keys'), { recursive: true });
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await docs.remove();
  });

  const call = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    run(process.execPath, [program, ...args], { cwd: docs.root });
  const failureOf = (...args: string[]): Promise<Failure> =>
    call(...args).then(
      () => assert.fail('the command succeeded'),
      (error: unknown) => error as Failure,
    );

  it('names the program that runs it, which npm starts its command with', () => {
    assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  });

  it('names the line and the key of an error in the manifest, and ends', async () => {
    const { code, stderr } = await failureOf('--config', 'broken.yaml');
    assert.equal(code, 1);
    assert.equal(stderr, 'broken.yaml:3: sites[0].source.path is required.\n');
  });

  it('says that the folder for data is none', async () => {
    for (const args of [[], ['keys', 'list'], ['keys', 'create']]) {
      for (const data of ['service.yaml', 'service.yaml/data']) {
        const { code, stderr } = await failureOf('--data', data, ...args);
        assert.equal(code, 1);
        assert.equal(
          stderr,
          `The folder of --data can't be used: ${path.join(docs.root, data)} is a file or is in one.\n`,
        );
      }
    }
  });

  it('says that it can’t write to the folder for data', async () => {
    // Nobody can make a folder in this one, not even root.
    const folder = '/proc/docs-service';
    for (const args of [[], ['keys', 'create']]) {
      const { code, stderr } = await failureOf('--data', folder, ...args);
      assert.equal(code, 1);
      assert.equal(
        stderr,
        `The folder of --data can't be used (ENOENT): ${folder}. The user of the service must be able to write to it and to its files.\n`,
      );
    }
  });

  it('makes no folder to list or revoke keys in, and says that there are none', async () => {
    for (const args of [
      ['keys', 'list'],
      ['keys', 'revoke', '0123456789'],
    ]) {
      for (const data of ['elsewhere', 'docs']) {
        const { code, stderr } = await failureOf('--data', data, ...args);
        assert.equal(code, 1);
        const folder = path.join(docs.root, data);
        assert.equal(stderr, `${folder} has no keys. Give --data the folder of the service.\n`);
      }
    }
    assert.ok(!readdirSync(docs.root).includes('elsewhere'));
    assert.deepEqual(readdirSync(path.join(docs.root, 'docs')), ['refunds.md']);
  });

  it('takes a blank URL of a database for none', async () => {
    const env = { ...process.env, DATABASE_URL: '', DATABASE_REPLICA_URL: ' ' };
    const args = [program, 'keys', 'list'];
    assert.equal((await run(process.execPath, args, { cwd: docs.root, env })).stdout, '');
  });

  it('shows a key once, stores only its hash, and revokes it', async () => {
    const { stdout, stderr } = await call('keys', 'create', '--name', 'web', '--site', 'pay');
    assert.match(stdout, /^docs_dsc_[0-9a-f]{48}\n$/);
    assert.match(stderr, /This is the only time that the key is shown\./);
    const folder = path.join(docs.root, 'service-data/keys');
    for (const name of readdirSync(folder)) {
      const stored = name + readFileSync(path.join(folder, name), 'utf8');
      assert.ok(!stored.includes(stdout.trim().slice(9)));
    }
    const listed = (await call('keys', 'list')).stdout;
    const [, id = ''] = /^([0-9a-f]{10}) {2}assistant {2}web {2}pay {2}created /.exec(listed) ?? [];
    assert.equal((await call('keys', 'revoke', id)).stdout, `Revoked ${id}.\n`);
    assert.equal((await call('keys', 'list')).stdout, '');
    assert.equal((await failureOf('keys', 'revoke', id)).stderr, `There is no key ${id}.\n`);
  });

  it('says where the ID of a key is shown, and repeats no key that is given in its place', async () => {
    const { stdout } = await call('keys', 'create', '--name', 'pasted');
    const { code, stderr } = await failureOf('keys', 'revoke', stdout.trim());
    assert.equal(code, 1);
    assert.equal(stderr, 'Give the ID of a key, which "keys list" shows.\n');
  });

  it('says of a key without sites that it opens all sites that are open', async () => {
    const { stderr } = await call('keys', 'create', '--name', 'all');
    assert.match(stderr, /^[0-9a-f]{10} {2}assistant {2}all {2}all open sites {2}created /);
  });

  it('says of an assistant key, and of no admin key, that it opens nothing with groups', async () => {
    const sentence = 'It opens no site and no version with groups. People sign in to ask those.\n';
    assert.ok((await call('keys', 'create', '--site', 'pay')).stderr.includes(sentence));
    assert.ok(!(await call('keys', 'create', '--admin')).stderr.includes(sentence));
  });

  it('refuses a third admin key of one name', async () => {
    const create = ['keys', 'create', '--admin', '--name', 'ci'];
    await call(...create);
    await call(...create);
    assert.match((await failureOf(...create)).stderr, /^Two admin keys named "ci" are valid\./);
  });

  for (const [name, args, message] of [
    ['an admin key for a site', ['--admin', '--site', 'pay'], /'--admin' cannot be used with/],
    ['an admin key with a limit', ['--admin', '--requests-per-hour', '5'], /'--admin' cannot be/],
    ['sites with a comma', ['--site', 'pay,shop'], /Put a space between several\./],
    ['a site of another form', ['--site', 'pay', 'Shop'], /It must be the domain of a site/],
  ] as const) {
    it(`refuses to create ${name}`, async () => {
      const before = (await call('keys', 'list')).stdout;
      assert.match((await failureOf('keys', 'create', ...args)).stderr, message);
      assert.equal((await call('keys', 'list')).stdout, before);
    });
  }

  it('lists the sites, the limit and the end of a key', async () => {
    const args = ['--name', 'shop', '--site', 'pay', 'shop', '--requests-per-hour', '50'];
    const { stderr } = await call('keys', 'create', ...args, '--days', '2');
    assert.match(
      stderr,
      / {2}shop {2}pay, shop {2}created [\d-]+, expires [\d-]+, 50 requests an hour\n/,
    );
    assert.ok((await call('keys', 'list')).stdout.includes(stderr.split('\n')[0] ?? '-'));
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal((await call('--version')).stdout, `${version}\n`);
  });

  const numbers = [
    [['keys', 'create', '--days', '999999999'], '1 to 36500'],
    [['keys', 'create', '--days', '0'], '1 to 36500'],
    [['keys', 'create', '--requests-per-hour', '0'], '1 to 999999999'],
    [['--port', '70000'], '0 to 65535'],
  ] as const;
  for (const [args, range] of numbers) {
    it(`refuses ${args.join(' ')}, and says which numbers it takes`, async () => {
      const before = (await call('keys', 'list')).stdout;
      const { stderr } = await failureOf(...args);
      assert.match(stderr, new RegExp(`It must be a whole number from ${range}\\.`));
      assert.equal((await call('keys', 'list')).stdout, before);
    });
  }

  it('goes on when nobody reads its log any more', async () => {
    const child = spawn(process.execPath, [program, '--port', '0'], {
      cwd: docs.root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /Listening on (http:\S+)"/.exec(line.toString())?.[1] ?? '';
    child.stdout.destroy();
    // Each of them is logged when it has ended.
    for (let times = 0; times < 5; times++) {
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('ends as it does later when it is asked to while it still waits for the database', async () => {
    const silent = createServer();
    try {
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const child = spawn(process.execPath, [program, '--port', '0'], {
        cwd: docs.root,
        env: { ...process.env, DATABASE_URL: `postgres://docs@127.0.0.1:${port}/docs` },
        stdio: 'ignore',
      });
      children.push(child);
      const [socket] = (await once(silent, 'connection')) as [Socket];
      socket.on('error', () => undefined);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    } finally {
      silent.close();
    }
  });

  it('answers docs-assistant ask, takes over a changed manifest, and lets a reply end when it stops', async () => {
    const child = spawn(process.execPath, [program, '--port', '0'], {
      cwd: docs.root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const key = (await call('keys', 'create')).stdout.trim();
    await until(() => log.includes('is up to date'));
    const url = /Listening on (http:\S+)"/.exec(log)?.[1] ?? '';
    const ask = (site: string): Promise<{ stdout: string }> =>
      run(
        process.execPath,
        [cli, 'ask', 'How long does a refund take?', '--site', site, '--base-url', url],
        { env: { ...process.env, DOCS_ASSISTANT_KEY: key } },
      );
    const { stdout } = await ask('pay');
    assert.match(stdout, /five days/);
    assert.match(stdout, /\/sites\/pay\/docs\/refunds#refund-a-payment/);
    await docs.write('service.yaml', 'sites: [');
    await until(() => log.includes('The changed manifest has errors'));
    assert.match((await ask('pay')).stdout, /five days/);
    await docs.write(
      'service.yaml',
      'sites:\n  - domain: refunds\n    source: { kind: folder, path: docs }\n',
    );
    await until(() => log.includes('The changed manifest was taken over'));
    await until(() => log.includes('The site refunds is up to date'));
    assert.match((await ask('refunds')).stdout, /five days/);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0);
    for (const line of log.trim().split('\n'))
      assert.doesNotThrow(() => JSON.parse(line) as unknown);
    assert.ok(!log.includes(key));
    assert.ok(!log.includes('How long'));
  });
});
