import assert from 'node:assert/strict';
import { type Answer, composeAnswer, withNote } from '../../../../src/docs/answers/answer';
import type { DocsIndex } from '../../../../src/docs/search/docsIndex';
import { sentences } from '../../../../src/docs/answers/sentences';
import type { SearchQuestion } from '../../../../src/docs/search/query';
import { addressesAt } from '../../../../src/docs/pages/links';
import { deltasOf } from '../../../../src/service/server/replyStream';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { aQuestion, filler, indexOf } from '../../service/docs';

const origin = 'http://127.0.0.1:4100';
const addresses = addressesAt(() => origin);
const rest = { 'x.md': filler('invoices'), 'y.md': filler('maps'), 'z.md': filler('trains') };

function answer(
  index: DocsIndex,
  text: string,
  question: Partial<SearchQuestion> = {},
  isIndexed = true,
): Answer {
  const retrieval = retrieve(index, aQuestion(text, question), undefined, 5);
  return composeAnswer({
    question: text,
    retrieval,
    index,
    filter: undefined,
    addresses,
    isIndexed,
  });
}

const manyRows = Array.from({ length: 30 }, (_, row) => `| code${row} | meaning ${row} |`).join(
  '\n',
);
const index = indexOf({
  ...rest,
  'guides/keys.md': `---
title: Keys [beta]
---

## Rotate a key

Rotate a key every 90 days, see [the policy](../policy.md#keys) or [all][ref]. It takes a minute. Write \`[x](y.md)\` so.

![How a key is rotated](./images/key.svg)

\`\`\`ts
rotate('[not](a-link)');
\`\`\`

\`\`\`python
rotate_key()
\`\`\`

## Revoke a key

Revoke a key at once when it leaks.

[ref]: https://example.com/all
`,
  'policy.md': '# Policy\n\nThe rules.\n',
  'codes.md': `# Codes\n\n| Code | Meaning |\n|---|---|\n${manyRows}\n`,
  'de/limits.md':
    '---\ntitle: Grenzen\nlanguage: de\n---\n\n## Anfragen\n\nErlaubt sind 60 Anfragen pro Minute.\n',
});

describe('composeAnswer', () => {
  const rotated = answer(index, 'How do I rotate a key?');

  it('quotes a long paragraph whole', () => {
    const whole = [
      'Herons fish in the shallows, where the water hardly moves and the reeds hide them. ',
      'They stand for an hour or more, and nobody who passes by takes them for a bird. ',
      'What the reeds don’t hide, the dusk does: most of them come when the day is over. ',
      'A heron swallows its fish whole, head first, and then drinks a little. ',
      'On a good evening, one of them takes nine fish, which is all that it needs for two days. ',
      'When the water freezes, they leave for the coast, and come back as soon as it is open again. ',
      'Young ones stand too close to the bank for a year or two, until hunger teaches them better.',
    ].join('');
    const birds = indexOf({ ...rest, 'birds.md': `# Birds\n\n## Herons\n\n${whole}\n` });
    assert.ok(answer(birds, 'How do herons fish?').text.includes(whole));
  });

  it('names each source by page and heading and links to the heading', () => {
    const { quote: _quote, ...first } = rotated.sources[0] ?? {};
    assert.deepEqual(first, {
      sourceId: 'source-1',
      url: `${origin}/docs/guides/keys#rotate-a-key`,
      title: 'Keys [beta] › Rotate a key',
    });
  });

  for (const [heading, shown] of [
    [
      'Why does a copy of the tide table look older than the page that I have printed from?',
      'Why does a copy of the tide table look older than the page that I have printed …',
    ],
    [`tide.table(${'moon=None, '.repeat(9)}sun=None)`, 'tide.table(…)'],
    [`tide_table = {${'MOON: None, '.repeat(9)}}`, 'tide_table = …'],
    ['tide.table(moon=None, sun=None)', 'tide.table(moon=None, sun=None)'],
  ] as const) {
    it(`names the section “${shown}”`, () => {
      const tides = indexOf({
        ...rest,
        'tides.md': `# Sea\n\n## ${heading}\n\nThe tide has a table.\n`,
      });
      assert.equal(answer(tides, 'tide table').sources[0]?.title, `Sea › ${shown}`);
    });
  }

  it('gives each source the start of its section', () => {
    assert.match(
      rotated.sources[0]?.quote ?? '',
      /^Rotate a key every 90 days, see \[the policy\].*\n\n!\[How .*\n\n```ts\nrotate\(/,
    );
    const long = indexOf({
      ...rest,
      'long.md': `# Keys

${'A key opens a door. '.repeat(60)}`,
    });
    const [door] = answer(long, 'Which key opens a door?').sources;
    assert.match(door?.quote ?? '', /^A key opens .{900,990} …$/);
    const unspaced = indexOf({ ...rest, 'long.md': `# Keys\n\nDoor ${'鍵👋'.repeat(500)}` });
    const [hand] = answer(unspaced, 'Which door?').sources;
    assert.match(hand?.quote ?? '', /^Door (?:鍵👋){300,400}鍵? …$/u);
  });

  it('cites every source by its number and URL', () => {
    rotated.sources.forEach(({ url }, position) => {
      assert.ok(rotated.text.includes(`[${position + 1}](${url})`), `source ${position + 1}`);
    });
    assert.ok(rotated.sources.length >= 2);
  });

  it('quotes what the section says', () => {
    assert.match(rotated.text, /^Rotate a key every 90 days/m);
  });

  it('makes links absolute, images links, and leaves code alone', () => {
    assert.ok(rotated.text.includes(`[the policy](${origin}/docs/policy#keys)`), rotated.text);
    assert.ok(rotated.text.includes('[all](https://example.com/all)'));
    assert.ok(
      rotated.text.includes(`[How a key is rotated](${origin}/docs/guides/images/key.svg)`),
    );
    assert.doesNotMatch(rotated.text, /!\[/);
    assert.ok(rotated.text.includes("rotate('[not](a-link)');"));
    assert.ok(rotated.text.includes('`[x](y.md)`'));
  });

  it('shows a title as it is written, not as Markdown', () => {
    assert.ok(rotated.text.includes('- Keys \\[beta\\] › Revoke a key'));
  });

  it('shows only one of several examples: the first one, or the one in the requested language', () => {
    assert.match(rotated.text, /```ts/);
    assert.doesNotMatch(rotated.text, /```python/);
    const inPython = answer(index, 'How do I rotate a key in Python?').text;
    assert.match(inPython, /```python/);
    assert.doesNotMatch(inPython, /```ts/);
  });

  it('shows the example in the language of the attached code', () => {
    const contextItems = [{ type: 'code' as const, value: 'rotate(key)', path: 'app/keys.py' }];
    assert.match(answer(index, 'How do I rotate a key?', { contextItems }).text, /```python/);
  });

  it('begins with no example in a language that nobody asked for where the section above says how', () => {
    const hooks = indexOf({
      ...rest,
      'hooks.md':
        '# Hooks\n\n## Signatures\n\nCompare the header `Sign` with your own hash before you trust a hook, and verify its age.\n\n' +
        '### Verify in Go\n\nVerify the signature of a hook:\n\n```go\nhooks.Verify(body)\n```\n\n' +
        '### Verify in Python\n\nVerify the signature of a hook:\n\n```python\nverify(body)\n```\n',
    });
    assert.match(answer(hooks, 'How do I verify the signature of a hook?').text, /^Compare/);
    const inPython = answer(hooks, 'How do I verify the signature of a hook in Python?');
    assert.match(inPython.text, /^Verify[^]*```python/);
  });

  it('says nothing about an example that the docs do not have', () => {
    const { text, tone } = answer(index, 'How do I rotate a key in Rust?');
    assert.equal(tone, 'likely');
    assert.match(text, /^This may help:\n\n/);
    assert.doesNotMatch(text, /Rust/);
    assert.match(text, /Rotate a key every 90 days/);
  });

  it('picks the rows of a long table that match', () => {
    const { text } = answer(index, 'What does code17 mean?');
    assert.match(text, /\| code17 \| meaning 17 \|/);
    assert.doesNotMatch(text, /code18/);
    assert.match(text, /\| Code \| Meaning \|\n\|---\|---\|/);
  });

  it('writes German sentences around quotes from German pages', () => {
    const german = answer(index, 'Wie viele Anfragen sind erlaubt?');
    assert.match(german.text, /^Erlaubt sind 60 Anfragen pro Minute\. \[1\]\(/);
    assert.match(german.reasoning, /durchsucht nach: Anfragen, erlaubt\./);
  });

  it('begins with the whole passage that answers, and cites its section', () => {
    assert.equal(rotated.tone, 'answer');
    assert.match(
      rotated.text,
      /^Rotate a key every 90 days, see [^\n]* It takes a minute\. [^\n]* \[1\]\([^)]*#rotate-a-key\)\n\n/,
    );
  });

  it('has more of the sections for readers who ask for it, and repeats nothing', () => {
    const long = indexOf({
      ...rest,
      'birds.md': `# Birds\n\n## Pelicans\n\nPelicans eat fish. ${'They fly. '.repeat(60)}\n\nPelicans nest in colonies.\n`,
    });
    const { text, more } = answer(long, 'What do pelicans eat?');
    assert.match(text, /^Pelicans eat fish\./);
    assert.match(more, /^\*\*Birds › Pelicans\*\* \[1\][^]*Pelicans nest in colonies\.$/);
  });

  it('has further sections of the same page there, the best of all pages first', () => {
    const zoo = indexOf({
      ...rest,
      'birds.md':
        '# Birds\n\n## Pelicans\n\nPelicans eat fish.\n\n## Pelicans in winter\n\nIn winter they eat bread.\n',
      'fish.md': '# Fish\n\nFish eat flies.\n',
    });
    const { more } = answer(zoo, 'What do pelicans eat in winter?');
    const places = [...more.matchAll(/^\*\*\[?([^\]*]+?)\]?(?:\*\*|\()/gm)].map(
      ([, title]) => title,
    );
    assert.deepEqual(places.slice(-2), ['Birds › Pelicans', 'Fish'], more);
    assert.match(more, /Pelicans eat fish\./);
  });

  describe('when another section of a found page answers', () => {
    const zoo = indexOf({
      ...rest,
      'pelicans.md': `# Pelicans

## Pelicans in winter

They fly.

## Food

In winter, a pelican eats bread. The keepers of the park come at noon with a bag of loaves from the bakeries of the town.
`,
      'fish.md': '# Fish\n\nFish eat flies in winter.\n',
    });
    const question = 'What do pelicans eat in winter?';
    const retrieval = retrieve(zoo, aQuestion(question), undefined, 2);
    const input = { question, retrieval, index: zoo, filter: undefined, addresses };

    it('begins with it, and cites it in the place of the section that was found first', () => {
      assert.equal(retrieval.sections[0]?.section.heading, 'Pelicans in winter');
      const { text, sources } = composeAnswer({ ...input, isIndexed: true });
      assert.match(text, /^In winter, a pelican eats bread\..* \[1\]\([^)]*#food\)$/m);
      assert.deepEqual(
        sources.map(({ title }) => title),
        ['Pelicans › Food', 'Fish'],
      );
    });

    it('keeps the sources as they were found for a model, which cites them by number', () => {
      const { sources } = composeAnswer({ ...input, isIndexed: true, keepsOrder: true });
      assert.deepEqual(
        sources.map(({ title }) => title),
        ['Pelicans › Pelicans in winter', 'Fish'],
      );
    });
  });

  it('picks the items of a long list that match, also of an inner list', () => {
    const options = Array.from(
      { length: 12 },
      (_, item) => `    - \`option${item}\`: Feeds ${item} of the birds at noon.`,
    );
    const cage = indexOf({
      ...rest,
      'cage.md': `# Cage\n\n## Parameters\n\n- \`cage\`: Has these options:\n${options.join('\n')}\n`,
    });
    const { text } = answer(cage, 'What does option7 of a cage do?');
    assert.match(text, /^ {4}- `option7`: Feeds 7 of the birds at noon\.$/m);
    assert.doesNotMatch(text, /option8/);
  });

  it('begins at the top of a section if only a line is above the passage', () => {
    const settings = indexOf({
      ...rest,
      'settings.md':
        '# Settings\n\n## pelicanTimeout\n\n- Default: `72`\n\nDefines the time-out that keeps pelicans alive.\n',
    });
    assert.match(
      answer(settings, 'How long is the time-out that keeps pelicans alive?').text,
      /- Default: `72`\n\nDefines the time-out/,
    );
  });

  it('names the section of a passage that begins with “this”', () => {
    const errors = indexOf({
      ...rest,
      'errors.md': '# Errors\n\n## PelicanError\n\nThis error occurs when no pelican is home.\n',
    });
    assert.match(
      answer(errors, 'PelicanError').text,
      /^\*\*Errors › PelicanError\*\* \[1\]\([^)]+\)\n\nThis error occurs when no pelican is home\./,
    );
  });

  it('names the section of a passage that begins with a list, or within a sentence', () => {
    const pages = indexOf({
      ...rest,
      'server.md':
        '# Server\n\n## pelicanLimit\n\n- Default: `72`\n\nPelicans that one pond takes.\n\n## Storks\n\nStorks fly with a licence.\n\nor with a pass for storks of the marsh.\n',
    });
    assert.match(
      answer(pages, 'How many pelicans does one pond take?').text,
      /^\*\*Server › pelicanLimit\*\* \[1\]\([^)]+\)\n\n- Default: `72`\n\nPelicans that one pond takes\./,
    );
    assert.match(
      answer(pages, 'Is there a pass for storks of the marsh?').text,
      /Storks fly with a licence\./,
    );
  });

  describe('asked about a name of code', () => {
    const options = Array.from(
      { length: 12 },
      (_, row) => `| \`label${row}\` | label of line ${row} |`,
    );
    const pages = indexOf({
      ...rest,
      'logs.md': `# Logs\n\n## Controller\n\nIts options are:\n\n| Option | Says |\n| --- | --- |\n| \`noLogs\` | writes no line for a request |\n${options.join('\n')}\n\nThe check of \`noLogs\` is yours where you override it.\n`,
      'ponds.md':
        '# Ponds\n\n## pondSize\n\nHow many herons may stand in a pond of deep water at a time, in the mornings and in the evenings of each day of the week, and on the feast days of the marsh, which last from the first frost to the last.\n\nWith `pondSize` and without deep water, `pondSize` doubles, and the second `pondSize` counts for herons that only pass by.\n',
    });

    it('begins with the row of a table that defines it', () => {
      assert.match(
        answer(pages, 'What does noLogs do?').text,
        /^\*\*Logs › Controller\*\*.*\n\nIts options are:\n\n.*\n.*\n\| `noLogs` \|/,
      );
    });

    it('begins with the row that defines it however long the table is', () => {
      const rows = Array.from(
        { length: 150 },
        (_, row) => `| \`sizeOfReed${row}\` | how high the reed at bank ${row} of the pond is |`,
      );
      const reeds = indexOf({
        ...rest,
        'reeds.md': `# Reeds\n\n## Sizes\n\nA size of reed is given by \`size\`, of the reed.\n\n## List\n\n\`sizeOfReed\` numbers are these, one for each size of reed.\n\n| Name | Says |\n| --- | --- |\n${rows.join('\n')}\n`,
      });
      assert.match(
        answer(reeds, 'What does sizeOfReed77 do?').text,
        /\n\| `sizeOfReed77` \| how high the reed at bank 77/,
      );
    });

    it('leaves the other items of a list and the other rows of a table out', () => {
      const marsh = indexOf({
        ...rest,
        'marsh.md':
          '# Marsh\n\n## Settings\n\n- `reed`: how high it stands\n- `mud`: how deep it is\n  - `mudColor`: brown by default\n- `sand`: where it is\n\n| Name | Says |\n| --- | --- |\n| `frogs` | how loud they are |\n| `newts` | how many there are |\n',
      });
      const { text } = answer(marsh, 'What does mudColor do?');
      assert.match(text, /- `mudColor`: brown by default/);
      assert.doesNotMatch(text, /reed|how deep/);
      assert.match(
        answer(marsh, '`mud`').text,
        /^[^-]*- `mud`: how deep it is\n {2}- `mudColor`: brown by default\n\n/,
      );
      const row = answer(marsh, '`newts`').text;
      assert.match(row, /\| `newts` \| how many/);
      assert.doesNotMatch(row, /how loud/);
      assert.match(
        answer(marsh, 'Is mudColor deep, and how high is it?').text,
        /how high it stands/,
      );
    });

    it('begins with the beginning of its section', () => {
      assert.match(answer(pages, 'pondSize').text, /^How many herons may stand/);
    });

    it('begins with what answers where the question has more words', () => {
      assert.match(
        answer(pages, 'Is pondSize doubled without deep water?').text,
        /^With `pondSize` and without/,
      );
    });
  });

  it('cuts a long log, and keeps short code whole', () => {
    const log = Array.from({ length: 300 }, (_, line) => `pelican ${line} landed`).join('\n');
    const pages = indexOf({
      ...rest,
      'logs.md': `# Logs\n\n## Landings\n\nThe log of the pelicans that landed:\n\n\`\`\`\n${log}\n\`\`\`\n`,
    });
    const { text } = answer(pages, 'Where is the log of the pelicans that landed?');
    assert.match(text, /pelican 29 landed\n…\n```/);
    assert.doesNotMatch(text, /pelican 30 landed/);
  });

  it('does not quote a paragraph that its first sentence already says in full', () => {
    const { text } = answer(index, 'When do I revoke a key that leaks?');
    assert.match(text, /^Revoke a key at once when it leaks\. \[\d\]/);
    assert.equal(text.split('Revoke a key at once').length, 2, text);
  });

  it('names the section of code without text, and leaves out a line that introduces nothing', () => {
    const table = indexOf({
      ...rest,
      'birds.md': '# Birds\n\n## Pelicans\n\n```ts\nfeed(pelicans);\n```\n\nSee also:\n',
    });
    const { text } = answer(table, 'How do I feed pelicans?');
    assert.match(
      text,
      /^\*\*Birds › Pelicans\*\* \[1\]\([^)]*\)\n\n```ts\nfeed\(pelicans\);\n```$/,
    );
  });

  it('names the section of a passage that begins with a label', () => {
    const page = '# Accounts\n\n## Basic sign-in\n\n**Example**\n\n```js\nsignIn();\n```\n';
    const { text } = answer(indexOf({ ...rest, 'a.md': page }), 'basic sign-in example');
    assert.match(
      text,
      /^\*\*Accounts › Basic sign-in\*\* \[1\]\(\S+\)\n\n\*\*Example\*\*\n\n```js/,
    );
  });

  it('does not begin with a section of links, however many of the words they have', () => {
    const linked = indexOf({
      ...rest,
      'lock.md': `# lock

## Description

Install exits with an error where the lock file and the manifest disagree.

## See also

* [lock file](lock-file.md)
* [why the lock file and the manifest disagree][why]

[why]: why.md
`,
    });
    const { text } = answer(linked, 'Why do the lock file and the manifest disagree?');
    assert.match(text, /^Install exits with an error/m);
  });

  it('reports its search and what it found', () => {
    assert.match(
      rotated.reasoning,
      /^Searched 7 pages \(\d+ sections\) for: rotate, key\.\n\nFound \d sections on 1 page\.$/,
    );
  });

  it('ends with links, first to what the page says elsewhere, each with what it says about the question', () => {
    const birds = indexOf({
      ...rest,
      'heron.md': `# Heron

## Food

A heron eats fish, frogs and mice. A heron eats fish in the morning, and fish in the evening.

## Young

A young heron swallows the fish that its parents bring. It flies early.`,
      ...Object.fromEntries(
        ['gull', 'stork', 'tern', 'crow'].map((bird) => [
          `${bird}.md`,
          `# ${bird}\n\nThis page is about the ${bird}. It eats fish as a heron does.`,
        ]),
      ),
    });
    const { text } = answer(birds, 'Which fish does a heron eat?');
    const [, links = ''] = text.split('**Read more**\n\n');
    assert.deepEqual(
      links.split('\n').map((line) => line.replace(/\]\([^)]*\)/, ']')),
      [
        '- [Heron › Young]: A young heron swallows the fish that its parents bring.',
        '- gull [2]: It eats fish as a heron does.',
        '- stork [3]: It eats fish as a heron does.',
        '- tern [4]: It eats fish as a heron does.',
      ],
    );
  });

  it('has only the title of a section that says nothing about the question', () => {
    const birds = indexOf({
      ...rest,
      'heron.md': '# Heron\n\nA heron eats fish.',
      'traps.md': '# Traps for the fish of a heron\n\nThis page is empty so far.',
    });
    const { text } = answer(birds, 'Which fish does a heron eat?');
    assert.match(text, /\n- Traps for the fish of a heron \[2\]\(\S+\)$/);
  });

  it('says that it found nothing, cites nothing, and names topics to ask about', () => {
    const nothing = answer(index, 'What is the weather in Paris?');
    assert.deepEqual(nothing.sources, []);
    assert.match(nothing.text, /^I found nothing about that/);
    assert.match(nothing.text, /\*Policy\*/);
    assert.doesNotMatch(nothing.text, /\]\(/);
  });

  it('names topics of the newest version in the language of the question, those nearest to the root first', () => {
    const many = indexOf({
      'deep/down/tides.md': '# Tides\n\nWater comes.\n',
      'moorings.md': '# Moorings\n\nWater stays.\n',
      'anchors.md': '# Anchors\n\nWater goes.\n',
      'old.md': '---\ntitle: Old Ropes\nversion: v1\n---\n\nRopes.\n',
      'new.md': '---\ntitle: Ropes\nversion: v2\n---\n\nRopes.\n',
      'de/seile.md': '---\ntitle: Seile\nlanguage: de\n---\n\nSeile.\n',
    });
    const topicsOf = (question: string): string[] =>
      [...answer(many, question).text.matchAll(/\*(.+?)\*/g)].map(([, title = '']) => title);
    assert.deepEqual(topicsOf('What is the weather in Paris?'), [
      'Anchors',
      'Moorings',
      'Ropes',
      'Tides',
    ]);
  });

  // Shows faults.md W1.
  describe('says in its first sentence that it found nothing', () => {
    const weather = 'What is the weather in Paris?';
    const wetter = 'Wie wird das Wetter in Paris?';
    const filter = { version: 'v9' };
    for (const [what, question, input, expected] of [
      ['in English', weather, {}, /^I found nothing about that in these docs\./],
      ['in German', wetter, {}, /^Dazu habe ich in dieser Dokumentation nichts gefunden\./],
      ['with a filter', weather, { filter }, /^I found nothing about that on pages with: v9\./],
      ['with a filter in German', wetter, { filter }, /^Dazu habe ich auf den Seiten zu v9 nichts/],
      [
        'while indexing',
        weather,
        { isIndexed: false, filter },
        /^I found nothing about that in the 7 pages indexed so far\.[^]*\n\nLimited to pages with: v9\./,
      ],
      [
        'while indexing in German',
        wetter,
        { isIndexed: false },
        /^Dazu habe ich in den bisher erfassten Seiten \(7\) nichts gefunden\./,
      ],
    ] as const) {
      it(what, () => {
        const retrieval = retrieve(index, aQuestion(question), undefined, 5);
        const isIndexed = true;
        const { text } = composeAnswer({
          question,
          retrieval,
          index,
          filter: undefined,
          addresses,
          isIndexed,
          ...input,
        });
        assert.match(text, expected);
      });
    }
  });

  it('says that there may be more while pages are being indexed', () => {
    const early = answer(index, 'What is the weather in Paris?', {}, false);
    assert.match(early.text, /7 pages indexed so far/);
    assert.match(early.reasoning, /More pages are still being indexed/);
  });

  it('shortens long sections to the sentences that matter', () => {
    const noise = Array.from(
      { length: 40 },
      (_, count) => `Filler sentence number ${count} is here.`,
    );
    const long = indexOf({
      ...rest,
      'long.md': `## Pelicans\n\n${noise.join(' ')} Pelicans eat 4 kg of fish a day. ${noise.join(' ')}\n\n${'More words. '.repeat(200)}\n`,
    });
    const { text } = answer(long, 'How much fish do pelicans eat?');
    assert.match(text, /Pelicans eat 4 kg of fish a day\./);
    assert.ok(text.length < 1500, `${text.length} characters`);
  });

  it('cites the section behind the first paragraph of its passage, and nowhere else', () => {
    const boats = indexOf({
      ...rest,
      'boats.md': '# Boats\n\nBoats float on water.\n\nBoats have sails of cloth.\n',
    });
    const { text } = answer(boats, 'What do boats float on?');
    assert.equal(
      text,
      `Boats float on water. [1](${origin}/docs/boats#boats)\n\nBoats have sails of cloth.`,
    );
  });

  it('shows more of cited sections under their numbers, and of others under a link, without what was said', () => {
    const boats = indexOf({
      ...rest,
      'boats.md':
        '# Boats\n\nBoats float on water.\n\n## Sails\n\nSails of boats are of cloth.\n\n## Keels\n\nKeels of boats are of lead.\n',
      ...Object.fromEntries(
        ['Harbor', 'Lake', 'River', 'Sea'].map((place, index) => [
          `${place}.md`,
          `# ${place}\n\nIn the ${place}, boats float ${'and drift '.repeat(index + 1)}.\n`,
        ]),
      ),
    });
    const { text, more } = answer(boats, 'What do boats float on?');
    assert.match(text, /^Boats float on water\./);
    assert.ok(
      text.includes(`- Harbor [2](${origin}/docs/Harbor#harbor): In the Harbor, boats float`),
    );
    const headings = [...more.matchAll(/^\*\*.*$/gm)].map(([line]) => line);
    assert.deepEqual(headings.toSorted(), [
      `**Harbor** [2](${origin}/docs/Harbor#harbor)`,
      `**Lake** [3](${origin}/docs/Lake#lake)`,
      `**River** [4](${origin}/docs/River#river)`,
      `**Sea** [5](${origin}/docs/Sea#sea)`,
      `**[Boats › Keels](${origin}/docs/boats#keels)**`,
      `**[Boats › Sails](${origin}/docs/boats#sails)**`,
    ]);
    assert.doesNotMatch(more, /Boats float on water/);
  });

  it('quotes the relevant paragraph of a long section', () => {
    const noise = Array.from(
      { length: 30 },
      (_, count) => `Paragraph ${count}. ${'Words. '.repeat(20)}`,
    );
    noise[20] = `Pelicans eat 4 kg of fish a day. ${'Words. '.repeat(20)}`;
    const long = indexOf({ ...rest, 'long.md': `## Birds\n\n${noise.join('\n\n')}\n` });
    const { text } = answer(long, 'How much fish do pelicans eat?');
    assert.match(text, /^Pelicans eat 4 kg of fish a day\./m);
    assert.ok(text.length < 3000, `${text.length} characters`);
  });

  it('closes every fence that it opens', () => {
    for (const question of ['rotate key', 'rotate key in Python', 'revoke key', 'code17']) {
      const fences = answer(index, question).text.match(/^```/gm) ?? [];
      assert.equal(fences.length % 2, 0, question);
    }
  });
});

describe('sentences', () => {
  it('does not end a sentence inside code, links or abbreviations', () => {
    assert.deepEqual(
      sentences('Use `a. B` or [x. Y](https://x.y/z. A). See e.g. Foo.\nThen go.').map((text) =>
        text.trim(),
      ),
      ['Use `a. B` or [x. Y](https://x.y/z. A).', 'See e.g. Foo.', 'Then go.'],
    );
  });
});

describe('withNote', () => {
  it('puts a note after the answer, but before a line that introduces a quotation', () => {
    assert.equal(
      withNote('Nothing.\n\nAsk again.', 'Note.\n\n'),
      'Nothing.\n\nNote.\n\nAsk again.',
    );
    assert.equal(withNote('Here:\n\n> A', 'Note.'), 'Note.\n\nHere:\n\n> A');
    assert.equal(withNote('Nothing.', ''), 'Nothing.');
  });
});

describe('deltasOf', () => {
  for (const text of [
    '',
    ' ',
    'one',
    '  leading and trailing  ',
    'a b c d e f g\n\n```\n  code\n```\n',
  ]) {
    it(`loses nothing of ${JSON.stringify(text)}`, () => {
      assert.equal(deltasOf(text).join(''), text);
    });
  }

  it('sends a few words at a time', () => {
    assert.deepEqual(deltasOf('one two three four five'), ['one two three ', 'four five']);
  });
});
