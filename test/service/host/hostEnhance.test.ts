import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { startObjectStore, type ObjectStore } from '../../fakes/objectStore';
import {
  bundleOf,
  DeploymentFiles,
  publish,
  startHostProcess,
  versionedSite,
  type HostProcess,
} from './hosting';

describe('a host that adds search and answers', () => {
  let store: ObjectStore;
  let files: DeploymentFiles;
  let host: HostProcess | undefined;
  beforeEach(async () => {
    store = await startObjectStore(Buffer.alloc(0));
    files = await DeploymentFiles.create();
  });
  afterEach(async () => {
    await host?.end('SIGKILL');
    await store.stop();
    await files.remove();
  });

  it('serves each page with the box, its scripts, and a policy that allows them', async () => {
    await files.set(publish(store, bundleOf(versionedSite('one')), 'one'));
    host = startHostProcess(files, ['--enhance']);
    const origin = await host.origin();
    await host.until(({ event }) => event === 'serving');
    const page = await fetch(`${origin}/guide`);
    const text = await page.text();
    const [, script = ''] = /<script defer src="([^"]+)" data-docs-assistant="/.exec(text) ?? [];
    assert.match(script, /_docs-assistant\//, text.slice(0, 600));
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src[^;]*'self'/);
    const code = await fetch(new URL(script, `${origin}/guide`));
    assert.equal(code.status, 200);
    assert.match(code.headers.get('content-type') ?? '', /javascript/);
  });

  for (const [what, label] of [['the same bundle'], ['a pinned version', 'v1']] as const) {
    it(`serves ${what} with the box after a restart with the option, and without it again`, async () => {
      await files.set(publish(store, bundleOf(versionedSite('one')), 'one'), label);
      for (const args of [[], ['--enhance'], []]) {
        host = startHostProcess(files, args);
        const origin = await host.origin();
        const isEnhanced = args.length > 0;
        await host.until(({ event }) => event === 'serving');
        for (;;) {
          const text = await (await fetch(`${origin}/guide`)).text();
          if (text.includes('data-docs-assistant') === isEnhanced) break;
          await delay(50);
        }
        await host.end();
      }
    });
  }

  it('answers 404 for a file of a version that is no longer kept', async () => {
    await files.set(publish(store, bundleOf(versionedSite('one')), 'one'));
    host = startHostProcess(files, ['--enhance', '--keep', '1']);
    const origin = await host.origin();
    await host.until(({ event }) => event === 'serving');
    for (const name of ['two', 'three']) {
      const from = host.events.length;
      await files.set(publish(store, bundleOf(versionedSite(name)), name));
      host.child.kill('SIGHUP');
      await host.until(({ event }) => event === 'serving', from);
    }
    const scriptOf = (name: string): string =>
      Object.keys(versionedSite(name)).find((file) => file.startsWith('assets/')) ?? '';
    assert.equal((await fetch(`${origin}/${scriptOf('two')}`)).status, 200);
    assert.equal((await fetch(`${origin}/${scriptOf('one')}`)).status, 404);
  });
});
