import assert from 'node:assert/strict';
import { exportSettings, settings } from '../../../src/common/contributions';
import { takeOverSettings } from '../../../src/site/earlierSettings';
import type { HostedSite } from '../../../src/site/keptSite';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';

const machine = `{
  // Settings of this machine
  "docsAssistant.baseUrl": "https://api.example.com/v2",
  "docsAssistant.domain": "acme",
  "docsAssistant.apiUrl": "https://export.example.com",
  "docsAssistant.fp": "user-1",
  "editor.fontSize": 12,
}`;

/** Returns an installation with user settings of its own and the settings files of one machine. */
function installation(own: Record<string, unknown> = {}) {
  const user = new Map(Object.entries(own));
  const kept: HostedSite[] = [];
  const memento = new MemoryMemento();
  const log = new RecordingLog();
  const set = (setting: string, value: string): Promise<void> => {
    user.set(setting, value);
    return Promise.resolve();
  };
  const start = (...files: string[]): Promise<void> =>
    takeOverSettings({
      readFiles: () => Promise.resolve(files),
      userValue: (setting) => user.get(setting),
      update: set,
      keepSite: (site) => Promise.resolve(kept.push(site)),
      memento,
      log,
    });
  return { user, set, kept, memento, log, start };
}

describe('takeOverSettings', () => {
  it('takes over the settings of a machine, and logs it', async () => {
    const { user, kept, start, log } = installation();
    await start(machine);
    assert.deepEqual(Object.fromEntries(user), {
      [settings.baseUrl]: 'https://api.example.com/v2',
      [settings.fp]: 'user-1',
      [exportSettings.apiUrl]: 'https://export.example.com',
    });
    assert.deepEqual(kept, [{ baseUrl: 'https://api.example.com', domain: 'acme' }]);
    assert.equal(log.messages('info').length, 3);
    assert.doesNotMatch(log.text(), /example\.com|user-1/);
  });

  it('takes a setting over once, so that a value that the user removes stays removed', async () => {
    const { user, start } = installation();
    await start(machine);
    user.clear();
    await start(machine);
    assert.equal(user.size, 0);
    await start(machine.replace('user-1', 'user-2'));
    assert.equal(user.get(settings.fp), 'user-2', 'a value that is new was left out');
  });

  it('keeps the user’s own values, and the machine’s site in the list', async () => {
    const own = {
      [settings.baseUrl]: 'https://other.example.net',
      [settings.fp]: 'anonymous',
      [exportSettings.apiUrl]: 'https://export.example.com',
    };
    const { user, kept, start, log } = installation(own);
    await start(machine);
    assert.deepEqual(Object.fromEntries(user), own);
    assert.deepEqual(kept, [{ baseUrl: 'https://api.example.com', domain: 'acme' }]);
    assert.equal(log.messages('info').filter((line) => line.includes('another value')).length, 2);
  });

  it('finds the domain in the user settings or in the base URL', async () => {
    const first = installation({ [settings.domain]: 'mine' });
    await first.start('{ "docsAssistant.baseUrl": "https://api.example.com" }');
    assert.deepEqual(first.kept, [{ baseUrl: 'https://api.example.com', domain: 'mine' }]);
    const second = installation();
    await second.start(
      '{ "docsAssistant.baseUrl": "https://api.example.com/v2/assistant/acme/message" }',
    );
    assert.deepEqual(second.kept, [{ baseUrl: 'https://api.example.com', domain: 'acme' }]);
  });

  it('does not change bad values and unreadable files', async () => {
    const { user, kept, start, log } = installation();
    await start(
      '',
      '[]',
      'null',
      '{{{',
      '{ "editor.fontSize": 12 }',
      '{ "docsAssistant.baseUrl": "http://evil.example.com", "docsAssistant.domain": "acme" }',
      '{ "docsAssistant.apiUrl": "https://me:secret@example.com", "docsAssistant.fp": 7 }',
      `{ "docsAssistant.fp": "${'x'.repeat(201)}" }`,
    );
    assert.equal(user.size, 0);
    assert.deepEqual(kept, []);
    log.assertNoErrors();
  });

  it('tries again at the next start if a value could not be stored', async () => {
    const { user, set, memento, log } = installation();
    let failures = 1;
    const start = (): Promise<void> =>
      takeOverSettings({
        readFiles: () => Promise.resolve([machine]),
        userValue: (setting) => user.get(setting),
        update: (setting, value) =>
          failures-- > 0
            ? Promise.reject(new Error('settings.json has errors'))
            : set(setting, value),
        keepSite: () => Promise.resolve(),
        memento,
        log,
      });
    await start();
    assert.equal(user.size, 0);
    assert.equal(log.errors.length, 1);
    await start();
    assert.equal(user.size, 3);
  });
});
