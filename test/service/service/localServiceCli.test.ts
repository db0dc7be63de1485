import assert from 'node:assert/strict';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { DocsSite } from './docsSite';
import { ask, docsFolder, post, startService } from './localServiceAsking';
import {
  adminKey,
  bundleOf,
  bytesOf,
  filesOf,
  start,
  startJob,
  whenJob,
} from './localServiceExporting';

/** The bundle that ships; tests run at the repository's top after a build. */
const cli = path.resolve('dist/localService.js');

type CliEvent = Readonly<Record<string, unknown>> & { readonly event: string };

/** Returns the events of a running service. `next` waits for the next line on stdout. */
function eventsOf(child: ChildProcess): { next(): Promise<CliEvent> } {
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const line: IteratorResult<string, unknown> = await lines.next();
      assert.ok(line.done !== true, 'the service ended');
      // Every line must be JSON; the tests look at what they need of it.
      return JSON.parse(line.value) as CliEvent;
    },
  };
}

async function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? signal;
}

/** Returns the next event without the size of the pages, which must be known. */
async function nextIndexed(events: ReturnType<typeof eventsOf>): Promise<unknown> {
  const { sizeBytes, ...event } = await nextOutcome(events);
  assert.ok(Number(sizeBytes) > 0);
  return event;
}

/** Returns the next event but those about changes and progress, which can come at any time. */
async function nextOutcome(events: ReturnType<typeof eventsOf>): Promise<Record<string, unknown>> {
  for (;;) {
    const event = await events.next();
    if (event['event'] !== 'changed' && event['event'] !== 'progress') return event;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('localService.js', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  const children: ChildProcess[] = [];

  before(async () => {
    docs = await docsFolder({ 'birds.md': '# Birds\n\nPelicans eat fish.\n' });
  });
  after(() => docs.remove());
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const run = (args: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, [cli, '--docs', docs.root, ...args], {
      env: { ...process.env, ...env },
    });
    children.push(child);
    return child;
  };

  it('says where it listens and what it indexed, then answers', async () => {
    const events = eventsOf(run(['--quiet', '--pace', '0']));
    const listening = await nextOutcome(events);
    assert.equal(listening.event, 'listening');
    assert.match(String(listening['url']), /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(listening['domain'], 'sample');
    assert.match(String(listening['key']), /^local_dsc_[\w-]{20,}$/);
    assert.match(String(listening['adminKey']), /^local_[0-9a-f]{48}$/);
    assert.deepEqual(await nextIndexed(events), { event: 'indexed', pages: 1, sections: 1 });
    const { text: reply } = await ask(
      { url: String(listening['url']) },
      'pelicans',
      {},
      String(listening['key']),
    );
    assert.match(reply, /Pelicans eat fish/);
  });

  it('answers from a bundle', async () => {
    const bundle = await docsFolder({
      'birds.html': '<main><h1>Birds</h1><p>Storks eat frogs.</p></main>',
    });
    try {
      const child = spawn(process.execPath, [
        cli,
        '--bundle',
        bundle.root,
        '--quiet',
        '--pace',
        '0',
      ]);
      children.push(child);
      const events = eventsOf(child);
      const { url, key } = await nextOutcome(events);
      assert.deepEqual(await nextIndexed(events), { event: 'indexed', pages: 1, sections: 1 });
      const { sources } = await ask({ url: String(url) }, 'storks', {}, String(key));
      assert.deepEqual(sources, [{ title: 'Birds', url: `${String(url)}/docs/birds#_top` }]);
    } finally {
      await bundle.remove();
    }
  });

  it('answers from a public site, and fetches it again when its parent says so', async () => {
    const text = (bird: string): string =>
      `# Birds\nSource: /birds\n\n${bird} eat fish.\n\n# Maps\nSource: /maps\n\nMaps show streets.\n`;
    const site = await DocsSite.start({ '/llms-full.txt': text('Pelicans') });
    const cache = await docsFolder({});
    try {
      const child = fork(cli, ['--site', site.url, '--cache', cache.root, '--quiet'], {
        silent: true,
      });
      children.push(child);
      const events = eventsOf(child);
      assert.equal((await nextOutcome(events)).event, 'listening');
      assert.deepEqual(await nextIndexed(events), { event: 'indexed', pages: 2, sections: 2 });
      const { fetchedAt, sizeBytes, ...first } = await nextOutcome(events);
      assert.deepEqual(first, { event: 'refreshed', pages: 2, sections: 2, notes: [] });
      assert.ok(Number(fetchedAt) > 0 && Number(sizeBytes) > 0);

      site.answers = {
        '/llms-full.txt': `${text('Storks')}\n# Fish\nSource: /fish\n\nFish swim.\n`,
      };
      child.send({ type: 'docs-refresh' });
      const second = await nextOutcome(events);
      assert.equal(second['event'], 'refreshed');
      assert.equal(second['pages'], 3);

      site.answers = {};
      child.send({ type: 'docs-refresh' });
      const failed = await nextOutcome(events);
      assert.equal(failed['event'], 'error');
      assert.match(String(failed['message']), /publishes no llms-full\.txt/);
    } finally {
      await site.stop();
      await cache.remove();
    }
  });

  it('says why a public site could not be fetched, and runs on', async () => {
    const site = await DocsSite.start({});
    const cache = await docsFolder({});
    try {
      const child = spawn(process.execPath, [
        cli,
        '--site',
        site.url,
        '--cache',
        cache.root,
        '--quiet',
      ]);
      children.push(child);
      const events = eventsOf(child);
      const { url, key } = await nextOutcome(events);
      const failed = await nextOutcome(events);
      assert.equal(failed['event'], 'error');
      assert.match(
        String(failed['message']),
        /publishes no llms-full\.txt, llms\.txt or sitemap\.xml/,
      );
      const reply = await ask({ url: String(url) }, 'storks', {}, String(key));
      assert.match(reply.text, /found nothing/);
    } finally {
      await site.stop();
      await cache.remove();
    }
  });

  for (const [what, args, sentence] of [
    ['no docs', [], /Choose the folder with the docs/],
    ['two kinds of docs', ['--docs', '.', '--bundle', '.'], /Choose one kind of docs/],
    ['a site without a folder', ['--site', 'https://x.dev'], /--cache/],
    ['no URL of a site', ['--site', 'x.dev', '--cache', '/tmp/none'], /starts with https/],
  ] as const) {
    it(`ends with a sentence if it is given ${what}`, async () => {
      const child = spawn(process.execPath, [cli, ...args]);
      children.push(child);
      const { event, message } = await eventsOf(child).next();
      assert.equal(event, 'error');
      assert.match(String(message), sentence);
      assert.equal(await exitOf(child), 1);
    });
  }

  it('prints broken links and ends if it is asked to check the docs', async () => {
    const site = await docsFolder({
      'a.md': '# A\n\n[b](b.md) [gone](gone.md) [up](../up.md)\n',
      'b.md': '# B\n',
    });
    const check = async (folder: string) => {
      const child = spawn(process.execPath, [cli, '--docs', folder, '--check']);
      children.push(child);
      const exit = exitOf(child);
      return { lines: (await text(child.stdout)).trimEnd().split('\n'), exit: await exit };
    };
    try {
      assert.deepEqual(await check(site.root), {
        lines: [
          'a.md:3: gone.md is broken: no such page or file exists',
          "a.md:3: ../up.md can't be followed: the link leads out of the docs folder",
          "2 pages: 1 link is broken, 1 link can't be followed in this export.",
        ],
        exit: 1,
      });
      await site.write('a.md', '# A\n\n[b](b.md)\n');
      assert.equal((await check(site.root)).exit, 0);
      assert.equal((await check(path.join(site.root, 'nowhere'))).exit, 2);
    } finally {
      await site.remove();
    }
  });

  it('takes its key from the environment', async () => {
    const key = 'local_dsc_from_environment';
    const { key: reported, url } = await eventsOf(run([], { DOCS_ASSISTANT_KEY: key })).next();
    assert.equal(reported, key);
    const wrong = await post({ url: String(url) }, {});
    assert.equal(wrong.status, 401);
  });

  it('takes its admin key from the environment', async () => {
    const child = run([], { DOCS_ASSISTANT_ADMIN_KEY: adminKey });
    const { adminKey: reported, url } = await eventsOf(child).next();
    assert.equal(reported, adminKey);
    assert.equal((await start({ url: String(url) }, { domain: 'sample' })).status, 202);
    // A service that is killed can't remove the temporary folder of its exports.
    child.kill('SIGTERM');
    assert.equal(await exitOf(child), 0);
  });

  it('exports again after it was killed in the middle of a job', async () => {
    const state = await docsFolder({});
    try {
      const args = ['--state', state.root, '--link-lifetime', '60'];
      const env = { DOCS_ASSISTANT_ADMIN_KEY: adminKey };
      // Longer than the test: the first never gets to its end.
      const killed = run([...args, '--export-pace', '10000'], env);
      const first = { url: String((await eventsOf(killed).next())['url']) };
      const jobId = await startJob(first);
      await whenJob(first, jobId, { status: 'running' });
      killed.kill('SIGKILL');
      await exitOf(killed);

      const again = { url: String((await eventsOf(run(args, env)).next())['url']) };
      await whenJob(again, jobId, { status: 'completed' });
      const { bundleUrl, expiresAt } = await bundleOf(again, jobId);
      assert.ok(Date.parse(expiresAt) <= Date.now() + 60_000);
      assert.match((await filesOf(await bytesOf(bundleUrl))).get('birds.html') ?? '', /Pelicans/);
      const left = await readdir(state.root, { recursive: true });
      assert.deepEqual(
        left.filter((name) => name.includes('.part-')),
        [],
      );
    } finally {
      await state.remove();
    }
  });

  it('ends on SIGTERM in the middle of a job, and leaves nothing half made', async () => {
    const state = await docsFolder({});
    try {
      const child = run(['--state', state.root, '--export-pace', '10000'], {
        DOCS_ASSISTANT_ADMIN_KEY: adminKey,
      });
      const service = { url: String((await eventsOf(child).next())['url']) };
      const jobId = await startJob(service);
      await whenJob(service, jobId, { status: 'running' });
      child.kill('SIGTERM');
      assert.equal(await exitOf(child), 0);
      assert.deepEqual(await readdir(path.join(state.root, 'jobs', jobId)), ['job.json']);
    } finally {
      await state.remove();
    }
  });

  it('logs requests on stderr, without keys', async () => {
    const child = run(['--pace', '0']);
    let stderr = '';
    child.stderr?.on('data', (piece) => (stderr += String(piece)));
    const { url, key } = await eventsOf(child).next();
    await ask({ url: String(url) }, 'pelicans', {}, String(key));
    child.kill('SIGTERM');
    await once(child, 'close');
    assert.match(stderr, /^POST \/v2\/assistant\/sample\/message 200 \d+ ms$/m);
    assert.doesNotMatch(stderr, /local_dsc_|pelican/i);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends on ${signal}, a running reply included`, async () => {
      const child = run(['--pace', '5000']);
      const { url, key } = await eventsOf(child).next();
      const response = await post(
        { url: String(url) },
        {
          fp: 'x',
          messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'pelicans' }] }],
        },
        { headers: { authorization: `Bearer ${String(key)}` } },
      );
      const body = response.text();
      child.kill(signal);
      await assert.rejects(body);
      assert.equal(await exitOf(child), 0);
    });
  }

  it('ends with its parent when stdin closes', async () => {
    const child = run(['--exit-with-parent']);
    await eventsOf(child).next();
    child.stdin?.end();
    assert.equal(await exitOf(child), 0);
  });

  it('goes on when stdin closes and nobody asked it to end', async () => {
    const child = run(['--pace', '0']);
    const { url, key } = await eventsOf(child).next();
    child.stdin?.end();
    await once(child.stdin ?? child, 'close');
    assert.ok((await ask({ url: String(url) }, 'pelicans', {}, String(key))).isDone);
  });

  it('ends when the channel to its parent closes', async () => {
    const child = fork(cli, ['--docs', docs.root], { silent: true });
    children.push(child);
    await eventsOf(child).next();
    child.disconnect();
    assert.equal(await exitOf(child), 0);
  });

  // Shows faults.md K16.
  it('does not outlive its parent while it is blocked', async () => {
    // Stands for a page whose reading never ends.
    const block = `data:text/javascript,process.on('message', () => { for (;;); });`;
    const parent = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { fork } from 'node:child_process';
        const child = fork(${JSON.stringify(cli)}, ${JSON.stringify(['--docs', docs.root])}, {
          execArgv: ['--import', ${JSON.stringify(block)}],
          stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
        });
        child.stdout.once('data', () => {
          child.send('block');
          console.log(JSON.stringify({ event: 'blocked', pid: child.pid }));
        });
        setInterval(() => undefined, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(parent);
    const { pid } = await eventsOf(parent).next();
    parent.kill('SIGKILL');
    await until(() => !isAlive(Number(pid)));
  });

  for (const [problem, args, message] of [
    [
      'a folder that is not there',
      ['--docs', 'no/such/folder'],
      /folder no\/such\/folder doesn't exist/,
    ],
    ['a key of another form', ['--key', 'sk_x'], /local_dsc_/],
    ['a port that is none', ['--port', '70000'], /--port/],
    ['a lifetime that is none', ['--link-lifetime', '1h'], /--link-lifetime/],
    ['a lifetime of nothing', ['--link-lifetime', '0'], /from 1 to 604800/],
    ['a pace that is none', ['--export-pace', '-1'], /--export-pace/],
    ['a flag that it does not know', ['--nonsense'], /--nonsense/],
    ['an address of the network', ['--host', '0.0.0.0'], /127\.0\.0\.1/],
  ] as const) {
    it(`ends with 1 and says why for ${problem}`, async () => {
      const child = run(args);
      const event = await eventsOf(child).next();
      assert.equal(event.event, 'error');
      assert.match(String(event['message']), message);
      assert.equal(await exitOf(child), 1);
    });
  }

  it('ends with 1 and says why when its port is in use', async () => {
    const service = await startService(docs.root);
    try {
      const child = run(['--port', new URL(service.url).port]);
      const event = await eventsOf(child).next();
      assert.match(String(event['message']), /in use/);
      assert.equal(await exitOf(child), 1);
    } finally {
      await service.stop();
    }
  });
});
