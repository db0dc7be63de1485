import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DocsLibrary } from '../../../../src/docs/docsLibrary';
import { keyOfPage, KeptPages, type KeptPlace } from '../../../../src/docs/kept/keptPages';
import { type DocsPage, parsePage } from '../../../../src/docs/pages/page';
import { SetIndex } from '../../../../src/docs/search/setIndex';
import { readWords } from '../../../../src/docs/search/pageWords';
import { buildQuery } from '../../../../src/docs/search/query';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { FolderSource } from '../../../../src/docs/sources/pageSource';
import { askAll, readQuestions } from '../../../bench/retrievalEval';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemorySource } from '../../../fakes/memorySource';
import { RecordingLog } from '../../../fakes/recordingLog';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const pages = {
  'guide/start.md':
    '# Start\n\nInstall the parcel client with `npm`.\n\n## Retry\n\nIt retries thrice.',
  'guide/limits.md': '# Limits\n\nA parcel has at most three labels.\n\n```js\nclient.label()\n```',
  'about.md':
    '# Über Pakete\n\nDas Paket ist nicht für die Straße und wird mit der Bahn geschickt.',
};
const questions = [
  'How many labels has a parcel?',
  'Does it retry?',
  'install client',
  'Paket Bahn',
  'lable',
];

describe('kept pages', () => {
  let root: string;
  let clock: FakeClock;
  let log: RecordingLog;

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'kept-pages-'));
    clock = new FakeClock(Date.now());
    log = new RecordingLog();
  });
  afterEach(async () => {
    log.assertNoErrors();
    await rm(root, { recursive: true, force: true });
  });

  const place = (more: Partial<KeptPlace> = {}): KeptPlace => ({
    folder: path.join(root, 'index'),
    docs: 'folder /docs',
    reader: 'reader 1',
    ...more,
  });

  async function readAll(source: MemorySource, kept = place()): Promise<DocsLibrary> {
    return started(new DocsLibrary({ source, clock, log, kept }));
  }

  /** Reads pages without keeping them. */
  async function readAnew(source: MemorySource): Promise<DocsLibrary> {
    return started(new DocsLibrary({ source, clock, log }));
  }

  async function started(library: DocsLibrary): Promise<DocsLibrary> {
    library.start();
    await library.whenIndexed();
    return library;
  }

  async function readAndStop(source: MemorySource, kept = place()): Promise<void> {
    const library = await readAll(source, kept);
    await library.stop();
  }

  function titlesOf({ index }: DocsLibrary): string[] {
    return Array.from(index.pages(), ({ title }) => title).toSorted();
  }

  /** Returns everything that a question finds, with its scores. */
  function foundBy({ index }: DocsLibrary, text: string): unknown {
    const question = { text, earlier: [], contextItems: [] };
    const { concepts } = buildQuery(question, index);
    const hits = index.search(concepts, () => true, 100);
    const { sections, relevance } = retrieve(index, question, null, 10);
    // A file has no fields that are undefined.
    const written = (value: object): unknown => JSON.parse(JSON.stringify(value));
    return {
      hits: hits.map(({ page, section, score, matched }) => ({
        page: written(page),
        section: written(section),
        score,
        matched,
      })),
      sections: sections.map(({ page, section, strength }) => [page.path, section.slug, strength]),
      relevance,
      language: index.mainLanguage,
    };
  }

  async function files(ending = ''): Promise<string[]> {
    const names = await readdir(path.join(root, 'index'), { recursive: true }).catch(() => []);
    return names
      .filter((name) => path.basename(name).includes('.') && name.endsWith(ending))
      .map((name) => path.join(root, 'index', name));
  }

  /** Keeps another title than the page has, by which a test sees that the page was not read. */
  async function keepForged(source: MemorySource, kept = place()): Promise<void> {
    const { vocabulary } = new SetIndex();
    const ports = { place: kept, vocabulary, clock, log, pause: () => Promise.resolve() };
    const forged = new KeptPages(ports);
    for (const [name, text] of source.pages) {
      const included = await source.readIncludes(name, text);
      const page = { ...parsePage(name, text, included), title: `Kept ${name}` };
      await forged.put(keyOfPage(name, text, undefined, included), readWords(page, vocabulary), 1);
    }
    await forged.settle();
  }

  it('are not read again by the next process', async () => {
    const source = new MemorySource(pages);
    await keepForged(source);
    const library = await readAll(source);
    assert.deepEqual(titlesOf(library), [
      'Kept about.md',
      'Kept guide/limits.md',
      'Kept guide/start.md',
    ]);
    await library.stop();
    assert.equal((await files()).length, 1);
  });

  describe('whose files have not changed', () => {
    const unchanged = (more: Readonly<Record<string, string>> = pages): MemorySource => {
      const source = new MemorySource(more);
      source.changedAt = clock.now() - HOUR_MS;
      return source;
    };
    /** Returns the paths of the pages whose files the next process reads. */
    const readNext = async (source: MemorySource): Promise<string[]> => {
      source.reads.length = 0;
      await readAndStop(source);
      return source.reads.toSorted();
    };

    it('are found without reading the files, and answer the same', async () => {
      const source = unchanged();
      await readAndStop(source);
      source.reads.length = 0;
      const [ours, theirs] = [await readAll(source), await readAnew(new MemorySource(pages))];
      assert.deepEqual(source.reads, []);
      for (const question of questions)
        assert.deepEqual(foundBy(ours, question), foundBy(theirs, question), question);
      assert.equal(ours.sizeBytes, theirs.sizeBytes);
      await ours.stop();
      await theirs.stop();
    });

    it('cost the reading of one file if one has changed, by this process or another', async () => {
      const source = unchanged();
      await readAndStop(source);
      source.pages.set('about.md', '# About\n\nChanged.');
      assert.deepEqual(await readNext(source), ['about.md']);
      const library = await readAll(source);
      source.reads.length = 0;
      source.change('guide/start.md', '# Start\n\nChanged, too.');
      await library.whenUpToDate();
      assert.deepEqual(source.reads, ['guide/start.md']);
      assert.ok(titlesOf(library).includes('About'));
      await library.stop();
      assert.deepEqual(await readNext(source), []);
    });

    it('belong to the set that finds them, if several sets have the same pages', async () => {
      const source = unchanged();
      await readAndStop(source);
      source.reads.length = 0;
      const set = { id: 'parcel@2', label: 'parcel@2.0.0' };
      const library = new DocsLibrary({ set, source, clock, log, kept: place() });
      await started(library);
      assert.deepEqual(source.reads, []);
      for (const page of library.index.pages()) assert.deepEqual(page.set, set);
      await library.stop();
    });

    it('are read if their last change is so recent that another may have followed it', async () => {
      const source = unchanged();
      source.changedAt = clock.now() - 1000;
      await readAndStop(source);
      assert.equal((await readNext(source)).length, 3);
      clock.sleep(HOUR_MS);
      assert.equal((await readNext(source)).length, 3);
      assert.deepEqual(await readNext(source), []);
    });

    it('are read if they include other files, which can change alone', async () => {
      const source = unchanged({ 'a.md': '# A\n\n<<< @/code.js', 'b.md': '# B\n\nText.' });
      await readAndStop(source);
      assert.deepEqual(await readNext(source), ['a.md']);
      source.parts.set('code.js', 'two()');
      assert.deepEqual(await readNext(source), ['a.md']);
    });

    it('are read if the stamps or the kept pages are damaged or gone (K17)', async () => {
      const source = unchanged();
      await readAndStop(source);
      const [kept = ''] = await files('.pages');
      const stamps = path.join(path.dirname(kept), 'stamps');
      const whole = await readFile(stamps);
      for (const damaged of [whole.subarray(0, 70), Buffer.from(whole).fill(32, 80, 90), '']) {
        await writeFile(stamps, damaged);
        assert.equal((await readNext(source)).length, 3);
        assert.deepEqual(await readNext(source), []);
      }
      await rm(kept);
      assert.equal((await readNext(source)).length, 3);
      assert.deepEqual(await readNext(source), []);
    });

    it('give other work a turn while they are found', async () => {
      const many = Array.from({ length: 400 }, (_, page): [string, string] => [
        `p${page}.md`,
        `# Page ${page}\n\nText.`,
      ]);
      const source = unchanged(Object.fromEntries(many));
      await readAndStop(source);
      source.reads.length = 0;
      // Each look at the clock takes a millisecond, so the slices don't depend on the machine.
      let time = clock.now();
      const library = new DocsLibrary({
        source,
        clock: { now: () => time++, delay: () => Promise.resolve() },
        log,
        kept: place(),
      });
      let turns = 0;
      let isFound = false;
      const count = (): void => {
        turns++;
        if (!isFound) setImmediate(count);
      };
      setImmediate(count);
      await started(library);
      isFound = true;
      assert.deepEqual(source.reads, []);
      assert.ok(turns > 400 / 20, `${turns} turns`);
      await library.stop();
    });

    it('are read again if a file of the same size and date replaces one', async () => {
      const folder = path.join(root, 'docs');
      const file = path.join(folder, 'a.md');
      await mkdir(folder);
      const past = new Date(clock.now() - DAY_MS);
      const write = async (text: string): Promise<void> => {
        await writeFile(file, text);
        await utimes(file, past, past);
      };
      await write('# One');
      const before = await new FolderSource({ root: folder, clock, log }).stamp('a.md');
      await write('# Two');
      const after = await new FolderSource({ root: folder, clock, log }).stamp('a.md');
      assert.notEqual(before, after);
    });
  });

  it('are written by the process that reads them first', async () => {
    await readAndStop(new MemorySource(pages));
    const [file = ''] = await files('.pages');
    assert.match(await readFile(file, 'utf8'), /"title":"Start"/);
  });

  it('answer like pages that were just read, also after edits, removals and additions', async () => {
    await readAndStop(new MemorySource(pages));
    const steps: ((source: MemorySource) => void)[] = [
      () => undefined,
      (source) => source.change('guide/start.md', '# Start\n\nInstall it with care.'),
      (source) => source.change('about.md', undefined),
      (source) => source.change('new.md', '# New\n\nA label is new and retries.'),
    ];
    const [kept, fresh] = [new MemorySource(pages), new MemorySource(pages)];
    const ours = await readAll(kept);
    const theirs = await readAnew(fresh);
    for (const step of steps) {
      for (const [source, library] of [
        [kept, ours],
        [fresh, theirs],
      ] as const) {
        step(source);
        await library.whenUpToDate();
      }
      for (const question of questions)
        assert.deepEqual(foundBy(ours, question), foundBy(theirs, question), question);
    }
    await ours.stop();
    await theirs.stop();
    // Words have other numbers in each file.
    assert.ok((await files('.pages')).length > 1);
    const again = await readAll(kept);
    const anew = await readAnew(new MemorySource(Object.fromEntries(kept.pages)));
    for (const question of questions)
      assert.deepEqual(foundBy(again, question), foundBy(anew, question), question);
    await again.stop();
    await anew.stop();
  });

  it('answer all questions about the sample docs like pages that were just read', async () => {
    const folder = path.resolve('src/service/sample/docs');
    const asked = await readQuestions(path.resolve('test/fixtures/questions-sample.json'));
    const source = (): FolderSource => new FolderSource({ root: folder, clock, log });
    const outcomes: unknown[] = [];
    for (const kept of [undefined, place(), place()]) {
      const library = await started(new DocsLibrary({ source: source(), clock, log, kept }));
      outcomes.push(askAll(library.index, asked).map((outcome) => ({ ...outcome, ms: 0 })));
      await library.stop();
    }
    assert.deepEqual(outcomes[1], outcomes[0]);
    assert.deepEqual(outcomes[2], outcomes[0]);
  });

  describe('without files', () => {
    const texts = { 'api/client': 'The client sends parcels.', 'api/label': 'A label is printed.' };

    interface Times {
      readonly made: number;
      readonly hashed: number;
    }

    /** Reads docs with such pages. Returns how often they were made, and what they are made of was hashed. */
    async function readMade(
      stamp: string | undefined,
      content = stamp ?? '',
      made: Readonly<Record<string, string>> = texts,
    ): Promise<{ readonly library: DocsLibrary; readonly times: Times }> {
      const source = new MemorySource(pages);
      const times = { made: 0, hashed: 0 };
      source.made = {
        stamp,
        content: () => {
          times.hashed++;
          return Promise.resolve(content);
        },
        make: () => {
          times.made++;
          return Promise.resolve(
            Object.entries(made).map(([name, text]) => parsePage(`${name}.md`, `# A\n\n${text}`)),
          );
        },
      };
      const library = await readAll(source);
      assert.equal(library.index.pageCount, Object.keys({ ...pages, ...made }).length);
      return { library, times };
    }

    async function timesOf(stamp: string | undefined, content?: string): Promise<Times> {
      const { library, times } = await readMade(stamp, content);
      assert.ok(library.index.pageAtPath('api/client.md'));
      assert.match(JSON.stringify(foundBy(library, 'Who sends parcels?')), /client sends/);
      await library.stop();
      return times;
    }

    async function madeBy(stamp: string | undefined): Promise<number> {
      return (await timesOf(stamp)).made;
    }

    it('are made once, and again of other content', async () => {
      assert.deepEqual([await madeBy('1'), await madeBy('1')], [1, 0]);
      assert.deepEqual([await madeBy('2'), await madeBy('2')], [1, 0]);
    });

    it('are not made again of another copy of the same, which is only read at its first time', async () => {
      assert.deepEqual(await timesOf('1', 'same'), { made: 1, hashed: 1 });
      assert.deepEqual(await timesOf('2', 'same'), { made: 0, hashed: 1 });
      assert.deepEqual(await timesOf('2', 'same'), { made: 0, hashed: 0 });
    });

    it('are not made to the end when the docs are closed meanwhile', async () => {
      const source = new MemorySource(pages);
      const steps = 1000;
      let done = 0;
      let whenBegun = (): void => undefined;
      const begun = new Promise<void>((resolve) => (whenBegun = resolve));
      source.made = {
        stamp: '1',
        content: () => Promise.resolve('1'),
        make: async (pause) => {
          for (; done < steps; done++) {
            whenBegun();
            await new Promise((resolve) => setImmediate(resolve));
            await pause();
          }
          return [];
        },
      };
      const library = new DocsLibrary({ source, clock, log, kept: place() });
      library.start();
      await begun;
      await library.stop();
      assert.ok(done < steps);
      assert.deepEqual(log.messages('warn'), []);
    });

    it('are not looked for again if there are none', async () => {
      for (const made of [1, 0]) {
        const { library, times } = await readMade('1', 'nothing', {});
        await library.stop();
        assert.equal(times.made, made);
      }
    });

    it('are made each time if nobody can tell whether they changed', async () => {
      assert.deepEqual([await madeBy(undefined), await madeBy(undefined)], [1, 1]);
    });

    it('are made again if the files that keep them are gone', async () => {
      assert.equal(await madeBy('1'), 1);
      for (const file of await files('.pages')) await rm(file);
      assert.equal(await madeBy('1'), 1);
    });

    it('cost only themselves, with a line in the log, if they can’t be made', async () => {
      const source = new MemorySource(pages);
      source.made = {
        stamp: '1',
        content: () => Promise.resolve('1'),
        make: () => Promise.reject(new TypeError('broken')),
      };
      const library = await readAll(source);
      assert.equal(library.index.pageCount, Object.keys(pages).length);
      assert.deepEqual(log.messages(), ["Can't make the pages without files: TypeError"]);
      await library.stop();
    });
  });

  it('cost one page if one page changed', async () => {
    const source = new MemorySource(pages);
    await keepForged(source);
    source.pages.set('about.md', '# About\n\nChanged.');
    const library = await readAll(source);
    assert.deepEqual(titlesOf(library), ['About', 'Kept guide/limits.md', 'Kept guide/start.md']);
    await library.stop();
    assert.equal((await files()).length, 2);
  });

  it('are read again if a file that they include changed', async () => {
    const source = new MemorySource({ 'a.md': '# A\n\n<<< @/code.js' });
    source.parts.set('code.js', 'one()');
    await keepForged(source);
    source.parts.set('code.js', 'two()');
    const library = await readAll(source);
    assert.deepEqual(titlesOf(library), ['A']);
    await library.stop();
  });

  it('are not joined by a code file that a page no longer includes', async () => {
    const source = new MemorySource({ 'a.md': '# A\n\n<<< @/code.js' });
    source.parts.set('code.js', 'one()');
    const library = await readAll(source);
    source.change('a.md', '# A\n\nText.');
    await library.whenUpToDate();
    assert.ok(!source.reads.includes('code.js'));
    await library.stop();
  });

  it('are read again by other code (K17)', async () => {
    const source = new MemorySource(pages);
    await keepForged(source, place({ reader: 'reader 0' }));
    const library = await readAll(source);
    assert.ok(titlesOf(library).includes('Limits'));
    await library.stop();
    const earlier = await readAll(source, place({ reader: 'reader 0' }));
    assert.ok(titlesOf(earlier).includes('Kept about.md'));
    await earlier.stop();
  });

  it('are left out of docs that do not accept them', async () => {
    await readAndStop(new MemorySource(pages));
    const source = new MemorySource(pages);
    const seen = (page: DocsPage): DocsPage | undefined =>
      page.path === 'guide/limits.md' ? undefined : page;
    const kept = place();
    const library = await started(new DocsLibrary({ source, clock, log, kept, seen }));
    assert.deepEqual(titlesOf(library), ['Start', 'Über Pakete']);
    assert.ok(!library.index.has('label'));
    await library.stop();
  });

  it('of other docs are not used', async () => {
    const source = new MemorySource(pages);
    await keepForged(source, place({ docs: 'folder /others' }));
    const library = await readAll(source);
    assert.ok(titlesOf(library).includes('Limits'));
    await library.stop();
  });

  it('are not kept by a build that can’t tell which code reads them', async () => {
    await readAndStop(new MemorySource(pages), place({ reader: '' }));
    assert.deepEqual(await files(), []);
  });

  it('are read again wherever a byte of their file is damaged, and kept again (K17)', async () => {
    const source = new MemorySource(pages);
    await readAndStop(source);
    const [first = ''] = await files('.pages');
    const whole = await readFile(first);
    const theirs = await readAnew(source);
    for (let at = 0; at < whole.length; at += at < 60 ? 1 : 97) {
      for (const file of await files()) await rm(file);
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      await writeFile(first, damaged);
      const library = await readAll(source);
      assert.deepEqual(foundBy(library, 'labels'), foundBy(theirs, 'labels'), `byte ${at}`);
      await library.stop();
      const left = await files();
      assert.equal(left.length, 1, `byte ${at}`);
      assert.notEqual(left[0], first, `byte ${at}`);
    }
    await theirs.stop();
  });

  it('are read again if their file ends too early, as after a power failure (K17)', async () => {
    const source = new MemorySource(pages);
    await readAndStop(source);
    const [first = ''] = await files('.pages');
    const whole = await readFile(first);
    for (const length of [0, 7, 40, 41, whole.length - 1]) {
      await writeFile(first, whole.subarray(0, length));
      const library = await readAll(source);
      assert.equal(library.index.pageCount, 3);
      await library.stop();
    }
  });

  it('are complete in each file that another process can see (K17)', async () => {
    const seen = new Map<string, number>();
    const look = async (): Promise<void> => {
      for (const file of await files('.pages')) {
        seen.set(file, seen.get(file) ?? (await stat(file)).size);
      }
    };
    const { vocabulary } = new SetIndex();
    const ports = { place: place(), vocabulary, clock, log, pause: look };
    const kept = new KeptPages(ports);
    for (const [name, text] of Object.entries(pages)) {
      await kept.put(name, readWords(parsePage(name, text), vocabulary), 1);
      await kept.flush();
    }
    assert.equal((await files('.pages')).length, 3);
    for (const [file, size] of seen) assert.equal(size, (await stat(file)).size);
  });

  it('are written by two processes at the same time without harm (K17)', async () => {
    const source = new MemorySource(pages);
    const [one, two] = await Promise.all([readAll(source), readAll(source)]);
    await Promise.all([one.stop(), two.stop()]);
    assert.deepEqual(await files('.part'), []);
    const library = await readAll(source);
    assert.equal(library.index.pageCount, 3);
    await library.stop();
    assert.deepEqual(log.messages('warn'), []);
  });

  it('survive another process that removes their files (K17)', async () => {
    const source = new MemorySource(pages);
    await readAndStop(source);
    const library = await readAll(source);
    await rm(path.join(root, 'index'), { recursive: true });
    source.change('about.md', '# About\n\nChanged.');
    await library.whenUpToDate();
    await library.stop();
    assert.deepEqual(log.messages('warn'), []);
    const again = await readAll(source);
    assert.equal(again.index.pageCount, 3);
    await again.stop();
  });

  it('cost no answer if they can’t be written (K17)', async () => {
    await writeFile(path.join(root, 'index'), 'a file where the folder should be');
    const source = new MemorySource(pages);
    const library = await readAll(source);
    source.change('about.md', '# About\n\nChanged.');
    await library.whenUpToDate();
    assert.equal(library.index.pageCount, 3);
    await library.stop();
    const warnings = log.messages('warn').filter((message) => message.includes('kept pages'));
    assert.ok(warnings.length > 0 && warnings.length <= 2, warnings.join('\n'));
  });

  it('can only be read by the user (K17)', async function () {
    // Windows has no such modes.
    if (process.platform === 'win32') this.skip();
    await readAndStop(new MemorySource(pages));
    const [file = ''] = await files('.pages');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
  });

  it('of many changes are joined into few files', async () => {
    const source = new MemorySource(pages);
    for (let change = 0; change < 20; change++) {
      source.pages.set('about.md', `# About\n\nChange ${change}.`);
      await readAndStop(source);
    }
    assert.ok((await files()).length <= 10, String((await files()).length));
    const library = await readAll(source);
    assert.equal(library.index.pageAtPath('about.md')?.sections[0]?.blocks[0]?.text, 'Change 19.');
    assert.equal(library.index.pageCount, 3);
    await library.stop();
  });

  it('are removed once most pages of a file have changed', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, page) => [`p${page}.md`, `# Earlier ${page}\n\nText.`]),
    );
    const source = new MemorySource(many);
    await readAndStop(source);
    for (let page = 0; page < 60; page++)
      source.pages.set(`p${page}.md`, `# Later ${page}\n\nText.`);
    await readAndStop(source);
    const texts = await Promise.all((await files()).map((file) => readFile(file, 'utf8')));
    assert.equal(texts.join('').match(/"title":"Earlier /g)?.length, 40);
    assert.equal(texts.join('').match(/"title":"Later /g)?.length, 60);
  });

  it('of docs that nobody asked for long are removed, also above the limit, and nothing else', async () => {
    const source = new MemorySource(pages);
    await readAndStop(source, place({ docs: 'old' }));
    const foreign = path.join(root, 'index', 'notes');
    await mkdir(foreign);
    await writeFile(path.join(foreign, 'mine.txt'), 'mine');
    clock.sleep(61 * DAY_MS);
    await readAndStop(source, place({ docs: 'recent' }));
    // Says that the docs were asked at the time of the test's clock.
    await readAndStop(source, place({ docs: 'recent' }));
    assert.equal((await files('.pages')).length, 1);
    clock.sleep(DAY_MS);
    const { size } = await stat((await files('.pages'))[0] ?? '');
    await readAndStop(source, place({ docs: 'newest', maxBytes: size * 1.5 }));
    const left = await files('.pages');
    assert.equal(left.length, 1);
    await readAndStop(source, place({ docs: 'newest' }));
    assert.deepEqual(await files('.pages'), left);
    await readAndStop(source, place({ docs: 'large', maxBytes: size / 2 }));
    const [large, ...more] = await files('.pages');
    assert.ok(large !== undefined && large !== left[0] && more.length === 0);
    assert.equal(await readFile(path.join(foreign, 'mine.txt'), 'utf8'), 'mine');
  });

  it('are looked through for old ones once an hour by all sets of an engine', async () => {
    const cleaning = { at: -Infinity };
    await readAndStop(new MemorySource(pages), place({ docs: 'old' }));
    const read = (docs: string): Promise<void> =>
      readAndStop(new MemorySource(pages), place({ docs, cleaning }));
    await read('first');
    clock.sleep(61 * DAY_MS);
    cleaning.at = clock.now();
    await read('second');
    assert.equal((await files('.pages')).length, 3);
    clock.sleep(HOUR_MS);
    await read('third');
    assert.equal((await files('.pages')).length, 1);
  });

  it('that a process did not complete are removed after an hour (K17)', async () => {
    const source = new MemorySource(pages);
    await readAndStop(source);
    const folder = path.dirname((await files('.pages'))[0] ?? '');
    const [old, recent] = ['old.part', 'recent.part'].map((name) => path.join(folder, name));
    for (const file of [old, recent]) await writeFile(file ?? '', 'half of');
    const past = new Date(clock.now() - 2 * HOUR_MS);
    await utimes(old ?? '', past, past);
    source.pages.set('about.md', '# About\n\nChanged.');
    await readAndStop(source);
    assert.deepEqual(await files('.part'), [recent]);
  });

  it('of a reading that was stopped in the middle are there for the next one', async () => {
    const source = new MemorySource(pages);
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    const read = source.read.bind(source);
    source.read = (name) =>
      name === 'guide/start.md' ? stopped.then(() => read(name)) : read(name);
    const library = new DocsLibrary({ source, clock, log, kept: place() });
    library.start();
    while (library.index.pageCount < 2) await new Promise(setImmediate);
    const stopping = library.stop();
    goOn();
    await stopping;
    const [file = ''] = await files('.pages');
    assert.match(await readFile(file, 'utf8'), /Über Pakete/);
  });
});
