import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withWholeBranch } from '../../../../src/chat/conversation/branches';
import { aFile, aQuestion, aReply, aThread } from '../../../builders/asking';
import { threadStoreContract } from '../../contracts/threadStoreContract';
import { filesIn, useThreadFolders } from './threadFolder';

const { aThreadFolder } = useThreadFolders();

const isWindows = process.platform === 'win32';

/** Returns a place for a thread with files, and paths in it. */
async function aStore() {
  const place = await aThreadFolder();
  const store = place.open();
  /** Returns the file of a thread's record, after the store has written it. */
  const fileOf = async (id: string): Promise<string> => {
    await store.settled();
    const file = (await filesIn(place.folder)).find((name) => name.includes(`${path.sep}${id}.`));
    assert.ok(file);
    return path.join(place.folder, file);
  };
  return { ...place, fileOf, store };
}

threadStoreContract('ThreadFiles', async () => {
  const { fileOf, open, store } = await aStore();
  return {
    store,
    another: () => open(),
    corrupt: async (id, record) => writeFile(await fileOf(id), JSON.stringify(record)),
  };
});

describe('ThreadFiles', () => {
  it('keeps the threads of a site in a folder that a person recognizes', async () => {
    const { folder, store } = await aStore();
    await store.write(aThread({ site: { id: 'https://api.example.com Acme Docs', label: 'A' } }));
    await store.write(aThread({ id: 't2' }));
    const [first = '', second = ''] = await filesIn(folder);
    assert.match(first, /^api-example-com-acme-docs-[0-9a-f]{12}[\\/]t1\.[^.]+\.json$/);
    assert.match(second, /^no-site[\\/]t2\.[^.]+\.json$/);
  });

  it('lets no other user read them', async function () {
    if (isWindows) return;
    const { folder, store } = await aStore();
    await store.write(aThread({ messages: [aQuestion({ files: [aFile()] })] }));
    for (const name of ['', ...(await filesIn(folder)).map((file) => path.dirname(file))]) {
      assert.equal((await stat(path.join(folder, name))).mode & 0o777, 0o700, name);
    }
    for (const name of await filesIn(folder)) {
      assert.equal((await stat(path.join(folder, name))).mode & 0o777, 0o600, name);
    }
  });

  it('leaves one record of a thread, and nothing half done', async () => {
    const { folder, store } = await aStore();
    for (const title of ['1', '2', '3']) await store.write(aThread({ title }));
    assert.equal((await filesIn(folder)).length, 1);
  });

  for (const id of ['../../evil', '..', 'CON', 'nul', 'UPPER', 'x'.repeat(400), 'a/b', 'ä', ' ']) {
    it(`keeps a thread whose id is ${JSON.stringify(id.slice(0, 12))} in its place`, async () => {
      const { folder, store, open } = await aStore();
      const file = aFile({ id: `${id}/../f` });
      const thread = aThread({ id, messages: [aQuestion({ files: [file] })] });
      await store.write(thread);
      assert.deepEqual(await open().read(id), thread);
      const files = await filesIn(path.dirname(folder));
      assert.equal(files.length, 2);
      for (const name of files) assert.match(name, /^threads[\\/]no-site[\\/]_[0-9a-f]{32}\./);
      await store.delete(id);
      assert.equal(await open().read(id), undefined);
      assert.equal(await open().restore(id), true);
    });
  }

  it('lists a thread once that several windows opened and went on with', async () => {
    const site = { id: 'local Sample Docs', label: 'Sample Docs' };
    const { open, store } = await aStore();
    await store.write(aThread({ site }));
    for (const [index, window] of [open(), store, open()].entries()) {
      const thread = (await window.read('t1')) ?? assert.fail('it is gone');
      const parentId = thread.messages.at(-1)?.id ?? '';
      const question = aQuestion({ id: `more-${index}`, parentId });
      const messages = [...thread.messages, question];
      await window.write({ ...thread, messages });
      assert.deepEqual(
        (await window.list(site.id)).map(({ id, messageCount }) => [id, messageCount]),
        [['t1', messages.length]],
      );
    }
    const found = await open().search(site.id, 'how', new AbortController().signal);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['t1'],
    );
  });

  it('keeps threads apart whose ids differ in case alone', async () => {
    const { store, open } = await aStore();
    await store.write(aThread({ id: 'abc', title: 'small' }));
    await store.write(aThread({ id: 'ABC', title: 'large' }));
    assert.equal((await open().read('abc'))?.title, 'small');
    assert.equal((await open().read('ABC'))?.title, 'large');
  });

  it('does not take a record for another thread than its name says', async () => {
    const { fileOf, store, open, log } = await aStore();
    await store.write(aThread({ id: 'mine' }));
    await store.write(aThread({ id: 'theirs' }));
    await writeFile(await fileOf('mine'), await readFile(await fileOf('theirs')));
    const later = open();
    assert.equal(await later.read('mine'), undefined);
    assert.deepEqual(
      (await later.list('')).map(({ id }) => id),
      ['theirs'],
    );
    assert.equal(log.messages('warn').length, 1);
  });

  for (const [what, change] of [
    ['cut off in its first line', (text: string) => text.slice(0, 40)],
    ['cut off in its thread', (text: string) => text.slice(0, -40)],
    [
      'about another thread than its first line',
      (text: string) =>
        text.replace('{"schemaVersion":1,"id":"t1"', '{"schemaVersion":1,"id":"t2"'),
    ],
    ['empty', () => ''],
    ['full of zeros', (text: string) => '\0'.repeat(text.length)],
    ['larger than a head, without a line', () => 'x'.repeat(100_000)],
  ] as const) {
    // Shows faults.md E6.
    it(`sets a record aside, whole, that is ${what}, and says so once`, async () => {
      const { folder, fileOf, store, open, log } = await aStore();
      await store.write(aThread({ id: 'other' }));
      await store.write(aThread());
      const file = await fileOf('t1');
      const content = change(await readFile(file, 'utf8'));
      await writeFile(file, content);
      const later = open();
      assert.equal(await later.read('t1'), undefined);
      assert.equal(await later.read('t1'), undefined);
      assert.equal((await later.list('')).length, 1);
      const [aside = ''] = (await filesIn(folder)).filter((name) => name.startsWith('set-aside'));
      assert.equal(await readFile(path.join(folder, aside), 'utf8'), content);
      assert.equal(log.messages('warn').length, 1);
      log.assertNoErrors();
    });
  }

  it('does not read a record that is far too large for memory, and sets it aside', async function () {
    // Only elsewhere can a file be large without taking the room.
    if (isWindows) return;
    const { folder, fileOf, store, open, log } = await aStore();
    await store.write(aThread());
    await truncate(await fileOf('t1'), 3 * 1024 ** 3);
    assert.equal(await open().read('t1'), undefined);
    assert.match((await filesIn(folder)).join(), /^set-aside/);
    log.assertNoErrors();
  });

  it('keeps a thread whose numbers are none that JSON can hold', async () => {
    const { fileOf, store, open } = await aStore();
    await store.write(aThread());
    const file = await fileOf('t1');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"titleAt":\d+/, '"titleAt":1e400'));
    const later = open();
    const thread = await later.read('t1');
    assert.ok(thread);
    await later.write({ ...thread, title: 'Written again' });
    assert.equal((await open().read('t1'))?.title, 'Written again');
  });

  it('ends the branch of a record whose messages stand below each other', async () => {
    const { fileOf, store, open } = await aStore();
    await store.write(aThread());
    const file = await fileOf('t1');
    const [head = '', body = ''] = (await readFile(file, 'utf8')).split('\n');
    const others = [
      aQuestion({ id: 'q1', parentId: 'r1' }),
      aReply({ id: 'r1', parentId: 'q1' }),
      aQuestion({ id: 'elsewhere' }),
    ];
    const part = [
      { ...JSON.parse(head), leafId: 'r1' },
      { ...JSON.parse(body), messages: [], others },
    ];
    await writeFile(file, part.map((line) => JSON.stringify(line)).join('\n'));
    const thread = await open().read('t1');
    assert.ok(thread);
    assert.deepEqual(
      thread.messages.map(({ id, parentId }) => [id, parentId]),
      [
        ['q1', undefined],
        ['r1', 'q1'],
      ],
    );
    assert.equal(withWholeBranch(thread).messages.length, 2);
  });

  it('leaves a record of a newer version where it is, and does not list it', async () => {
    const { fileOf, store, open, log } = await aStore();
    await store.write(aThread());
    const file = await fileOf('t1');
    const future = (await readFile(file, 'utf8')).replaceAll(
      '"schemaVersion":1',
      '"schemaVersion":2',
    );
    await writeFile(file, future);
    const later = open();
    assert.deepEqual(await later.list(''), []);
    assert.equal(await later.read('t1'), undefined);
    await later.write(aThread());
    await later.settled();
    assert.equal(await readFile(file, 'utf8'), future);
    assert.deepEqual(log.messages('warn'), []);
  });

  it('lists a thread by the records of it that can be read', async () => {
    const { fileOf, store, open } = await aStore();
    await store.write(aThread({ title: 'Readable' }));
    const file = await fileOf('t1');
    for (const name of ['!', '~']) await writeFile(file.replace(/t1\.[^.]*/, `t1.${name}`), 'cut');
    assert.deepEqual(
      (await open().list('')).map(({ title }) => title),
      ['Readable'],
    );
  });

  it('ignores foreign files in its folder', async () => {
    const { folder, store, open, log } = await aStore();
    await store.write(aThread());
    await store.settled();
    await mkdir(path.join(folder, 'no-site', 't9.x.json'));
    await writeFile(path.join(folder, '.DS_Store'), '');
    await writeFile(path.join(folder, 'no-site', 'notes.txt'), '');
    await writeFile(path.join(folder, 'no-site', 't1.a.b.json'), '');
    const later = open();
    assert.equal((await later.list('')).length, 1);
    assert.ok(await later.read('t1'));
    assert.equal(log.errors.length, 1);
  });

  it('says that it cannot write, and can do so later', async () => {
    const { folder, store } = await aStore();
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, 'a file in the place of the folder');
    await assert.rejects(store.write(aThread()));
    await rm(folder);
    await store.write(aThread());
    assert.ok(await store.read('t1'));
  });

  it('lists nothing where there is no folder yet, and says so where none can be read', async () => {
    const { folder, store } = await aStore();
    assert.deepEqual(await store.list('s'), []);
    await writeFile(folder, 'in the way');
    await assert.rejects(store.list('s'));
    await assert.rejects(store.search('s', 'word', new AbortController().signal));
    await rm(folder);
    assert.deepEqual(await store.list('s'), []);
  });

  it('writes the content of an attached file once, outside the record', async () => {
    const { folder, fileOf, store, open } = await aStore();
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const question = aQuestion({ files: [aFile({ url })] });
    const again = aQuestion({ id: 'q2', text: 'Edited', files: [aFile({ url })] });
    await store.write(aThread({ messages: [question] }));
    const content = path.join(folder, 'no-site', 't1.files', 'f1');
    const { ino } = await stat(content);
    const other = open();
    await other.read('t1');
    await other.write(aThread({ messages: [again], others: [question] }));
    assert.equal((await stat(content)).ino, ino);
    assert.ok((await stat(await fileOf('t1'))).size < 2000);
    const thread = await store.read('t1');
    assert.deepEqual([thread?.messages, thread?.others], [[again], [question]]);
  });

  it('keeps the name of a file whose content is lost, and says so in the log', async () => {
    const { folder, store, open, log } = await aStore();
    const files = [aFile(), aFile({ id: 'f2' })];
    await store.write(aThread({ messages: [aQuestion({ files })] }));
    await rm(path.join(folder, 'no-site', 't1.files', 'f1'));
    assert.deepEqual((await open().read('t1'))?.messages, [
      aQuestion({ files: [aFile({ url: '' }), aFile({ id: 'f2' })] }),
    ]);
    assert.equal(log.messages('warn').length, 1);
  });

  it('moves a thread to its site once it has one', async () => {
    const { folder, store, open } = await aStore();
    const messages = [aQuestion({ files: [aFile()] })];
    await store.write(aThread({ messages }));
    const site = { id: 'docs', label: 'Docs' };
    const other = open();
    await store.write(aThread({ messages, site }));
    assert.deepEqual(await other.list(''), []);
    assert.equal((await other.list('docs')).length, 1);
    assert.deepEqual(await other.read('t1'), aThread({ messages, site }));
    assert.equal((await filesIn(folder)).filter((name) => name.endsWith('.json')).length, 1);
  });

  it('keeps a thread deleted even if its window was writing it', async () => {
    const { store, open } = await aStore();
    await store.write(aThread());
    await store.delete('t1');
    const messages = [...aThread().messages, aQuestion({ id: 'q2', parentId: 'r1' })];
    await store.write(aThread({ messages }));
    assert.equal(await open().read('t1'), undefined);
    assert.equal(await store.restore('t1'), true);
    assert.deepEqual((await open().read('t1'))?.messages, messages);
  });

  it('keeps a thread deleted that could not be stored before, and can bring it back', async () => {
    const { store, open } = await aStore();
    const thread = aThread({ site: { id: 'docs', label: 'Docs' } });
    await store.delete('t1');
    await store.write(thread);
    assert.equal(await open().read('t1'), undefined);
    assert.deepEqual(await open().list('docs'), []);
    assert.equal(await store.restore('t1'), true);
    assert.deepEqual(await open().read('t1'), thread);
  });

  it('brings a deleted thread back if another window asks another question in it', async () => {
    const { store, open } = await aStore();
    const other = open();
    await store.write(aThread());
    await other.read('t1');
    await store.delete('t1');
    const messages = [...aThread().messages, aQuestion({ id: 'q2', parentId: 'r1' })];
    await other.write(aThread({ messages }));
    assert.deepEqual((await store.read('t1'))?.messages, messages);
  });

  it('writes all of a thread again that was removed by someone, its files too', async () => {
    const { folder, store, open } = await aStore();
    const asked = [
      aQuestion({ files: [aFile()] }),
      aReply({ parentId: 'q1' }),
      aQuestion({ id: 'q2', parentId: 'r1' }),
    ];
    await store.write(aThread({ messages: asked }));
    await rm(folder, { recursive: true });
    assert.equal(await store.read('t1'), undefined);
    await store.write(aThread({ messages: asked }));
    assert.deepEqual((await open().read('t1'))?.messages, asked);
  });

  it('keeps the title that another window gave after this one', async () => {
    const { store, open } = await aStore();
    await store.write(aThread());
    await store.rename('t1', 'Mine');
    await open().rename('t1', 'Theirs');
    await store.write(aThread({ title: 'Mine' }));
    assert.equal((await open().read('t1'))?.title, 'Theirs');
  });

  it('keeps a reply that a later state of it shortens', async () => {
    const { store, open } = await aStore();
    const state = (text: string) =>
      aThread({
        messages: [aQuestion(), aReply({ parentId: 'q1', parts: [{ type: 'text', text }] })],
      });
    await store.write(state('Long and wrong'));
    await store.write(state('Right'));
    assert.deepEqual(await open().read('t1'), state('Right'));
  });
});
