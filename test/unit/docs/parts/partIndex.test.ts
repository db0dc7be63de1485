import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import type { PartIndex } from '../../../../src/docs/parts/partIndex';
import { PartStore } from '../../../../src/docs/parts/partStore';
import { PartWriter, type WrittenPart } from '../../../../src/docs/parts/partWriter';
import { openParts, readHead } from '../../../../src/docs/parts/siteParts';
import { parsePage } from '../../../../src/docs/pages/page';
import type { DocsIndex } from '../../../../src/docs/search/docsIndex';
import type { SearchQuestion } from '../../../../src/docs/search/query';
import { type Retrieval, retrieve } from '../../../../src/docs/search/retrieval';
import { SetIndex } from '../../../../src/docs/search/setIndex';

const topics = [
  'pelican',
  'heron',
  'cormorant',
  'kingfisher',
  'bittern',
  'sandpiper',
  'lapwing',
  'curlew',
];

/** Pages in two languages and versions, with code, and enough of them for several parts. */
const sources = [
  ...topics.flatMap((topic, place) =>
    ['v1', 'v2'].map((version) => ({
      path: `${version}/en/${topic}.md`,
      text: `# The ${topic}\n\nThe ${topic} eats ${place + 2} fish a day in ${version}.\n\n## Rate limits\n\nA ${topic} that is asked too often answers 429. Wait for \`Retry-After\` seconds.\n\n### In Python\n\n\`\`\`python\nfor each in client.${topic}s.list(): pass\n\`\`\`\n\n### In Go\n\n\`\`\`go\nclient.List("${topic}")\n\`\`\`\n\n## Nesting\n\n${`The nest of the ${topic} has twig${place} and reed. `.repeat(500)}\n`,
    })),
  ),
  {
    path: 'v2/en/options.md',
    text: '# Options\n\n## Of a pond\n\n- `pondSize`: its size in square feet\n- `noReed`: whether it has none\n',
  },
  {
    path: 'v2/en/ponds.md',
    text: '# Ponds\n\nSet `pondSize`, and `pondSize` again where `pondSize` is small.\n',
  },
  {
    path: 'v2/de/pelikan.md',
    text: '# Der Pelikan\n\nDer Pelikan frisst drei Fische und ist nicht satt. Das ist für ihn zu wenig, wenn er fliegen muss.\n\n## Ratenlimit\n\nNach 60 Anfragen in der Minute antwortet der Pelikan mit 429.\n',
  },
];

async function written(
  pages: readonly { readonly path: string; readonly text: string }[] = sources,
): Promise<{ parts: Map<string, string>; head: string; order: string[] }> {
  const parts = new Map<string, string>();
  const order: string[] = [];
  const writer = new PartWriter({
    write: ({ name, content }: WrittenPart) => {
      parts.set(name, content);
      order.push(name);
      return Promise.resolve();
    },
    pause: () => Promise.resolve(),
  });
  for (const { path, text } of pages) await writer.add(parsePage(path, text));
  return { parts, head: await writer.finish(), order };
}

const questions: readonly (Partial<SearchQuestion> & { readonly text: string })[] = [
  { text: 'How many fish does the heron eat?' },
  { text: 'What happens with too many requests to the pelican?' },
  { text: 'How do I list curlews in Python?' },
  { text: 'rate limit kingfisher v1' },
  { text: 'What does pondSize do?' },
  { text: 'for herons' },
  { text: 'cormarant nest' },
  { text: 'Was ist das Ratenlimit für den Pelikan?' },
  { text: 'zeppelin timetable' },
  { text: 'lapw', isOpen: true },
  { text: 'nest', currentPath: 'v1/en/bittern' },
];

describe('an index in parts', () => {
  let parts: Map<string, string>;
  let index: PartIndex;
  let store: PartStore;
  let loaded: string[];
  const whole = new SetIndex();

  before(() => {
    for (const { path, text } of sources) whole.put(parsePage(path, text));
  });
  beforeEach(async () => {
    const made = await written();
    parts = made.parts;
    loaded = [];
    store = new PartStore((name) => {
      loaded.push(name);
      const content = parts.get(name);
      return content === undefined
        ? Promise.reject(new Error('gone'))
        : Promise.resolve(inflateRawSync(Buffer.from(content, 'base64')));
    });
    const head = await store.complete(() => readHead(store, made.head));
    assert.ok(head);
    index = openParts(head, store);
  });

  const ask = (docs: DocsIndex, question: Partial<SearchQuestion> & { text: string }): Retrieval =>
    retrieve(docs, { earlier: [], contextItems: [], ...question }, undefined, 5);
  const shown = ({ sections, further, relevance }: Retrieval): unknown => ({
    relevance,
    sections: [...sections, ...further].map(({ page, section, strength }) => ({
      path: page.path,
      title: page.title,
      version: page.version,
      language: page.language,
      section: { ...section, blocks: section.blocks.map((block) => ({ ...block })) },
      heading: section.heading,
      slug: section.slug,
      strength,
    })),
  });
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, entry: unknown) => (key === 'section' ? undefined : entry)),
    );

  for (const question of questions) {
    it(`finds what the whole index finds, with the same scores: ${question.text}`, async () => {
      const found = await store.complete(() => ask(index, question));
      assert.deepEqual(plain(shown(found)), plain(shown(ask(whole, question))));
    });
  }

  it('answers as the whole index does, without the pages in memory', async () => {
    const text = 'How many fish does the heron eat?';
    const addresses = {
      write: (href: string) => `https://site.test${href}`,
      read: () => undefined,
    };
    const answerOf = (docs: DocsIndex) =>
      composeAnswer({
        question: text,
        retrieval: ask(docs, { text }),
        index: docs,
        filter: undefined,
        addresses,
        isIndexed: true,
      });
    const answer = await store.complete(() => answerOf(index));
    assert.equal(answer.tone, 'answer');
    assert.match(answer.text, /The heron eats 3 fish a day/);
    assert.deepEqual(answer, answerOf(whole));
  });

  it('loads the words of a question and the texts of what it finds, and nothing else', async () => {
    await store.complete(() => ask(index, { text: 'heron fish' }));
    const texts = loaded.length;
    assert.ok(texts < parts.size / 2, `${texts} of ${parts.size} parts`);
    await store.complete(() => ask(index, { text: 'heron fish' }));
    assert.equal(loaded.length, texts);
  });

  it('finds words in thousands of sections, whose postings are written in pieces', async () => {
    const pages = Array.from({ length: 23 }, (_, page) => ({
      path: `page-${page}.md`,
      text: Array.from(
        { length: 100 },
        (_, section) => `## ${topics[section % 8]} ${section}\n\nA reed of page${page}.\n`,
      ).join('\n'),
    }));
    const whole = new SetIndex();
    for (const { path, text } of pages) whole.put(parsePage(path, text));
    const made = await written(pages);
    const own = new PartStore((name) =>
      Promise.resolve(inflateRawSync(Buffer.from(made.parts.get(name) ?? '', 'base64'))),
    );
    const head = await own.complete(() => readHead(own, made.head));
    assert.ok(head);
    const far = openParts(head, own);
    for (const text of ['curlew reed page22', 'heron page0', 'reed']) {
      const found = await own.complete(() => ask(far, { text }));
      assert.deepEqual(plain(shown(found)), plain(shown(ask(whole, { text }))));
    }
  });

  it('tells the versions and languages of the pages', () => {
    assert.deepEqual([...index.versions].toSorted(), ['v1', 'v2']);
    assert.deepEqual([...index.languages].toSorted(), ['de', 'en']);
    assert.equal(index.currentVersion, whole.currentVersion);
    assert.equal(index.mainLanguage, whole.mainLanguage);
    for (const page of index.pages())
      assert.equal(index.languageOf(page), whole.languageOf(page), page.path);
  });

  it('tries a part again that could not be loaded', async () => {
    const all = new Map(parts);
    parts.clear();
    await assert.rejects(
      store.complete(() => ask(index, { text: 'heron' })),
      /gone/,
    );
    for (const [name, content] of all) parts.set(name, content);
    const { sections } = await store.complete(() => ask(index, { text: 'heron' }));
    assert.equal(sections[0]?.page.title, 'The heron');
  });

  it('is the same for the same pages, byte by byte', async () => {
    const [one, other] = [await written(), await written()];
    assert.deepEqual(one, other);
    assert.ok([...one.parts.values()].every((content) => /^[\w+/=]+$/.test(content)));
  });

  it('refuses a head of another format', async () => {
    const other = new PartStore(() =>
      Promise.resolve(new TextEncoder().encode(JSON.stringify({ format: 0 }))),
    );
    await assert.rejects(
      other.complete(() => readHead(other, 'head')),
      /another format/,
    );
  });
});
