import assert from 'node:assert/strict';
import {
  parseStoredDraft,
  PendingQuestion,
  storedDraft,
  type Draft,
} from '../../../../src/chat/conversation/pendingQuestion';
import type { ScanSecrets } from '../../../../src/chat/conversation/secretGuard';
import { finding } from '../../../../src/common/secretScan/finding';
import { describeError } from '../../../../src/common/describeError';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_BYTES } from '../../../../src/shared/limits';
import type { HostEvents } from '../../../../src/shared/protocol';
import { aContextItem, aFile } from '../../../builders/asking';
import { MemoryDraftStore } from '../../../fakes/memoryDraftStore';
import { RecordingLog } from '../../../fakes/recordingLog';

function open(
  store = new MemoryDraftStore(),
  scanSecrets: ScanSecrets = () => Promise.resolve([]),
) {
  const log = new RecordingLog();
  const views: HostEvents['context-items'][] = [];
  const pending = new PendingQuestion(
    { store, translate: plainTranslate, log, scanSecrets },
    (view) => views.push(view),
  );
  return { pending, store, log, views };
}

const draft: Draft = { contextItems: [aContextItem()], files: [aFile()], page: '/guides/start' };

/** A file of that size, unlike all others. */
const fileOf = (id: string, sizeBytes: number) =>
  aFile({ id, filename: `${id}.txt`, sizeBytes, url: `data:,${id}` });

function sentenceOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof DocsAssistantError);
    return `${error.code}: ${describeError(error).message}`;
  }
  return 'nothing was refused';
}

describe('PendingQuestion', () => {
  it('tells of items, files and the page, without values and contents', () => {
    const { pending, views } = open();
    pending.addContextItems([aContextItem({ value: 'CANARY' })]);
    pending.addFile(aFile({ url: 'data:,CANARY' }));
    pending.setPage('/guides/start');
    assert.deepEqual(views.at(-1), pending.view);
    assert.deepEqual(pending.view, {
      items: [{ id: 'c1', type: 'code', label: 'a.ts', path: 'src/a.ts', length: 6 }],
      files: [{ id: 'f1', filename: 'notes.txt', mediaType: 'text/plain', sizeBytes: 5 }],
      page: '/guides/start',
    });
    assert.doesNotMatch(JSON.stringify(views), /CANARY/);
    pending.removeContextItem('c1');
    pending.removeFile('f1');
    pending.setPage(undefined);
    assert.deepEqual(views.at(-1), { items: [] });
  });

  it('says nothing where nothing changes', () => {
    const { pending, views } = open();
    pending.addFile(aFile());
    pending.addFile(aFile({ id: 'again' }));
    pending.removeFile('gone');
    pending.removeContextItem('gone');
    pending.setPage(undefined);
    pending.setPage('p'.repeat(201));
    assert.equal(views.length, 1);
    assert.equal(pending.draft.files.length, 1);
  });

  it('takes a page of 200 characters, its slash included', () => {
    const { pending } = open();
    pending.setPage('p'.repeat(200));
    assert.equal(pending.view.page, undefined);
    pending.setPage('p'.repeat(199));
    assert.equal(pending.view.page, `/${'p'.repeat(199)}`);
  });

  it('takes files up to each limit, and says which limit and which size refuse the next', () => {
    const { pending } = open();
    pending.addFile(fileOf('large', MAX_FILE_BYTES));
    assert.equal(
      sentenceOf(() => pending.addFile(fileOf('larger', MAX_FILE_BYTES + 100_000))),
      'file-refused: This file can’t be attached. (larger.txt is 5.1 MB. Files can be up to 5 MB.)',
    );
    for (const id of ['b', 'c', 'd']) pending.addFile(fileOf(id, MAX_FILE_BYTES));
    assert.equal(MAX_FILES_BYTES, 4 * MAX_FILE_BYTES);
    assert.match(
      sentenceOf(() => pending.addFile(fileOf('e', 1000))),
      /^too-many-files: .*\(With e\.txt \(1 KB\), the files would total 20\.1 MB\. .* up to 20 MB\.\)$/,
    );
    assert.equal(pending.draft.files.length, 4);
  });

  it('takes two files of one name, and two names of one content', () => {
    const { pending } = open();
    pending.addFile(aFile({ filename: 'index.md', url: 'data:,a' }));
    pending.addFile(aFile({ filename: 'index.md', url: 'data:,b' }));
    pending.addFile(aFile({ filename: 'copy.md', url: 'data:,b' }));
    assert.equal(pending.draft.files.length, 3);
  });

  it('takes ten files and no more', () => {
    const { pending } = open();
    for (let count = 0; count < MAX_FILES; count++) pending.addFile(fileOf(`f${count}`, 1));
    assert.match(
      sentenceOf(() => pending.addFile(fileOf('more', 1))),
      /^too-many-files: You can’t attach more files .*\(You can attach up to 10 files\. Remove one to add more\.txt\.\)$/,
    );
    pending.addFile(fileOf('f3', 1));
    assert.equal(pending.draft.files.length, MAX_FILES);
  });

  it('waits on after a reload, until it is taken', async () => {
    const first = open();
    first.pending.addContextItems(draft.contextItems);
    first.pending.addFile(aFile());
    first.pending.setPage('/guides/start');
    await first.pending.flush();
    const second = open(first.store);
    await second.pending.restore();
    assert.deepEqual(second.pending.draft, draft);
    assert.deepEqual(second.views, [second.pending.view]);
    second.pending.take();
    await second.pending.flush();
    assert.equal(first.store.record, undefined);
  });

  it('comes back beside what was added before it was read', async () => {
    const store = new MemoryDraftStore();
    await store.write({ ...draft, files: [aFile(), fileOf('a', MAX_FILE_BYTES)] });
    const { pending, views } = open(store);
    pending.addContextItems([aContextItem(), aContextItem({ id: 'c2', value: 'new' })]);
    pending.addFile(aFile({ id: 'same' }));
    pending.addFile(fileOf('b', 1));
    pending.setPage('/guides/next');
    await pending.restore();
    assert.deepEqual(
      pending.draft.contextItems.map(({ id }) => id),
      ['c1', 'c2'],
    );
    assert.deepEqual(
      pending.draft.files.map(({ id }) => id),
      ['f1', 'a', 'b'],
    );
    assert.equal(pending.draft.page, '/guides/next');
    assert.deepEqual(views.at(-1), pending.view);
    await pending.flush();
    assert.deepEqual(await store.read(), pending.draft);
  });

  it('comes back whole where a page was set and unset before it was read', async () => {
    const store = new MemoryDraftStore();
    await store.write(draft);
    const { pending } = open(store);
    pending.setPage('/guides/next');
    pending.setPage(undefined);
    await pending.restore();
    assert.deepEqual(pending.draft, draft);
  });

  it('is stored again with what was added while it was read', async () => {
    const { pending, store } = open();
    let answer = (_draft: Draft): void => {};
    const reading = new Promise<Draft>((resolve) => (answer = resolve));
    store.read = () => reading;
    const restored = pending.restore();
    pending.addContextItems([aContextItem({ id: 'c2', value: 'new' })]);
    await pending.flush();
    answer(draft);
    await restored;
    await pending.flush();
    const { pending: next } = open(Object.assign(new MemoryDraftStore(), { record: store.record }));
    await next.restore();
    assert.deepEqual(
      next.draft.contextItems.map(({ id }) => id),
      ['c1', 'c2'],
    );
  });

  it('comes back without what was added since where both do not fit', async () => {
    const store = new MemoryDraftStore();
    const large = ['a', 'b', 'c', 'd'].map((id) => fileOf(id, MAX_FILE_BYTES));
    await store.write({ ...draft, files: large });
    const { pending } = open(store);
    pending.addFile(fileOf('e', 1));
    await pending.restore();
    assert.deepEqual(pending.draft.files, large);
  });

  it('does not come back over a question that was asked in the meantime', async () => {
    const store = new MemoryDraftStore();
    await store.write(draft);
    const { pending } = open(store);
    const restored = pending.restore();
    pending.take();
    await restored;
    assert.deepEqual(pending.view, { items: [] });
    await pending.flush();
    assert.equal(await store.read(), undefined, 'nor in the next window');
  });

  it('keeps a queued question when another is asked, and after a reload', async () => {
    const { pending, store } = open();
    pending.addFile(aFile());
    pending.queue('And then?');
    pending.take();
    assert.deepEqual(pending.draft.files, []);
    assert.equal(pending.waiting, 'And then?');
    await pending.flush();
    const next = open(store);
    await next.pending.restore();
    assert.deepEqual(next.pending.view, {
      items: [],
      queued: { text: 'And then?', isWaiting: false },
    });
  });

  it('tells once that a queued question no longer waits for the reply', () => {
    const { pending, views } = open();
    pending.queue('And then?');
    pending.holdQueued();
    pending.holdQueued();
    assert.deepEqual(
      views.map(({ queued }) => queued?.isWaiting),
      [true, false],
    );
  });

  it('marks a file with a secret when it is attached and after a reload, until it is removed', async () => {
    const scanSecrets: ScanSecrets = (text) => {
      const found = text === 'hello' ? [finding({ rule: 'word', kind: 'password' }, 0, 5)] : [];
      return Promise.resolve(found);
    };
    const first = open(undefined, scanSecrets);
    first.pending.addFile(aFile());
    await first.pending.flush();
    const second = open(first.store, scanSecrets);
    await second.pending.restore();
    await Promise.resolve();
    for (const { pending, views } of [first, second]) {
      assert.equal(views.at(-1)?.files?.[0]?.secrets?.state, 'found');
      await pending.chooseAboutSecrets('f1', 'remove');
      assert.deepEqual(views.at(-1), { items: [] });
    }
  });

  it('is written one state at a time, and not each of many', async () => {
    const { pending, store } = open();
    for (let count = 0; count < 100; count++) {
      pending.addContextItems([aContextItem({ id: `c${count}`, value: `${count}` })]);
    }
    await pending.flush();
    assert.ok(store.writeCount <= 3, `${store.writeCount} writes`);
    assert.equal((await store.read())?.contextItems.length, 100);
    pending.removeContextItem('c7');
    await pending.flush();
    assert.equal((await store.read())?.contextItems.length, 99);
  });

  it('goes on in memory when the store fails, with a line in the log', async () => {
    const { pending, store, log } = open();
    store.failure = new Error('disk full');
    await pending.restore();
    pending.addFile(aFile());
    await pending.flush();
    assert.equal(pending.draft.files.length, 1);
    assert.match(log.text('error'), /could not be read[^]*could not be stored/);
    store.failure = undefined;
    pending.setPage('/guides/start');
    await pending.flush();
    assert.equal((await store.read())?.files.length, 1);
  });
});

describe('parseStoredDraft', () => {
  const stored = (change: object = {}): unknown =>
    JSON.parse(JSON.stringify({ ...(storedDraft(draft) as object), ...change })) as unknown;

  it('reads what was stored, without what it does not know', () => {
    assert.deepEqual(parseStoredDraft(stored()), draft);
    assert.deepEqual(parseStoredDraft(stored({ novelty: 1 })), draft);
  });

  for (const [what, record] of [
    ['nothing', undefined],
    ['a list', []],
    ['another version', stored({ schemaVersion: 2 })],
    ['too many files', stored({ files: Array.from({ length: MAX_FILES + 1 }, () => aFile()) })],
    ['a file of no size', stored({ files: [aFile({ sizeBytes: -1 })] })],
    ['a page that is too long', stored({ page: 'p'.repeat(201) })],
    ['an item without its value', stored({ contextItems: [{}] })],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.equal(parseStoredDraft(record), undefined);
    });
  }
});
