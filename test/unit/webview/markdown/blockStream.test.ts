import assert from 'node:assert/strict';
import { BlockStream } from '../../../../webview/markdown/blockStream';
import { parseBlocks, possibleLabels, References } from '../../../../webview/markdown/parser';
import type { RenderedBlock } from '../../../../webview/markdown/rendered';
import { everyCut, htmlOf, seededRandom, streamed, unfinished, whole } from './renderedHtml';

/** Pieces that change the meaning of what stands before or after them. */
const fragments = [
  ...[
    '# Heading\n',
    'Setext\n===\n',
    'two\n---\n',
    '---\n',
    '***\n',
    '- - -\n',
    '\n',
    '\n\n',
    '   \n',
  ],
  ...[
    '- a\n',
    '- b\n',
    '* c\n',
    '+ d\n',
    '1. one\n',
    '2. two\n',
    '7) seven\n',
    '  - nested\n',
    '-\n',
  ],
  ...[
    '    indented\n',
    '  lazy\n',
    '   three\n',
    '> quote\n',
    '>> deep\n',
    '> - in\n',
    '>\n',
    '> ```\n',
  ],
  ...['```\n', '```ts\n', '~~~\n', '````\n', 'code`with`ticks\n', '```', '`', '``` not info `\n'],
  ...['| a | b |\n', '|---|:-:|\n', '| 1 | 2 |\n', 'a | b\n', '-|-\n', '|-\n', 'x|y|z\n'],
  ...[
    '[foo]',
    '[foo][bar]',
    '![foo]',
    '[foo]: /url\n',
    '[bar]: <https://a.example> "t"\n',
    '[baz]:\n',
  ],
  ...[
    '"title"\n',
    "'long\n",
    "title'\n",
    '(x)\n',
    '[foo]: /other\n',
    '> [quoted]: /in-quote\n',
    '[quoted]\n',
  ],
  ...[
    '*em*',
    '**bold',
    '**',
    '_',
    '~~s~~',
    '<br>',
    '<b>',
    '&amp;',
    '\\',
    '\\\n',
    '  \n',
    'https://x.example/y',
  ],
  ...[
    'word ',
    'word\n',
    'é漢🙂',
    '\t',
    '\r\n',
    '\r',
    '\0',
    '- [ ] task\n',
    '    - four\n',
    '1',
    '.',
    ' ',
  ],
  ...['[^a]', '[^b] ', '[^a]: note\n', '[^b]: note\n\n    more\n', '    [^a]\n', '[^', '[^c]'],
  ...['$', '$$\n', '$$', '$x$ ', '\\[', '\\]\n', '\\(a_1\\) ', '= b\n'],
  ...['> [!NOTE]\n', '[!TIP]\n', '- [x] done\n', '- [ ]', '[ ] ', '~', 'www.a.b/c ', 'a@b.cc '],
  ...['1. one\n\n', '- a\n\n', '  para\n', '\n  para\n\n', '>\n> b\n', '> c\n>\n', '| 3 | 4 |\n'],
  ...['-    far\n', '   - near\n', '10) ten\n', '\t- tab\n', '> [foo]: /q\n', '  [bar]: /r\n'],
];

const documents: Record<string, string> = {
  'a list that takes in the next marker': '1. a\n\n2. b\n\n- c\n\n  d\n\n-e',
  'a table that begins with its second line': 'para\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nafter\n',
  'a table that is taken back': 'para\n| a | b |\n|---|- no |\ntext\n\nend\n',
  'a head without a table': 'para\n| a | b |\n|--- nothing |\ntext\n',
  'a definition after its use':
    'See [foo] and [bar][foo].\n\nMore.\n\nEnd.\n\n[foo]: https://a.example\n',
  'a definition with its title below': "[foo]: /url\n'the\nlong\ntitle'\n\n[foo]\n",
  'a definition whose title is none': "[foo]: /url\n'not closed\nstill not\n\n[foo]\n",
  'the first of two definitions': '[a]\n\n[a]: /one\n\ntext\n\n[a]: /two\n\n[a]\n\nend',
  'a definition in a quote': '[in]\n\nx\n\n> [in]: /url\n> text\n\ny\n\nz\n',
  'a fence in a fence': '````md\n```ts\nlet a;\n```\n````\n\nafter\n\nand more\n',
  'a fence that never closes': 'text\n\n```py\nprint(1)\n\nprint(2)\n``\n` ` `',
  'a closing fence with spaces': '~~~\na\n  ~~~  \n\nb\n\nc',
  'an indented fence': '  ```js\n  a\n b\n  ```\n\nc\n',
  'a fence in a list': '- a\n\n  ```js\n  x\n  ```\n\n- b\n\nend\n',
  'a lazy quote': '> a\nb\n> c\n\nd\ne\n===\n',
  'windows line ends': '# a\r\n\r\n- b\r\n- c\r\n\r\n```\r\nd\r\n```\r\n\r\ne',
  'a NUL and a lone CR': 'a\0b\rc\r\rd\n\ne',
  'only blank lines': '\n\n  \n\n',
  'a loose list made loose late': '- a\n- b\n- c\n\n- d\n\nend\n\nend\n',
  'a definition that becomes none': 'near [baz]\n\n# head\n[baz]:\na@b.cc >\n\nend\n',
  'a label with brackets': '[a\\]b] and [x [a\\]b] y]\n\nt\n\n[a\\]b]: /url\n',
};

describe('BlockStream', () => {
  for (const [name, text] of Object.entries(documents)) {
    it(`gives ${name} the same blocks letter by letter as in one piece`, () => {
      assert.deepEqual(streamed(text, everyCut(text)), whole(text));
      for (const cut of everyCut(text)) assert.deepEqual(streamed(text, [cut]), whole(text));
    });
  }

  it('gives random documents the same blocks in any pieces as in one', () => {
    for (let seed = 1; seed <= 1_500; seed++) {
      const random = seededRandom(seed);
      const text = Array.from(
        { length: 3 + random(14) },
        () => fragments[random(fragments.length)] ?? '',
      ).join('');
      const cuts = seed % 2 === 0 ? everyCut(text) : everyCut(text).filter(() => random(4) === 0);
      assert.deepEqual(streamed(text, cuts), whole(text), JSON.stringify(text));
    }
  });

  it('names the blocks and footnotes that change, and no view misses any', () => {
    const notes = 'One[^a].\n\nTwo.\n\n[^a]: The\nnote.\n\nThree.\n';
    for (const text of [notes, ...Object.values(documents)]) {
      const stream = new BlockStream();
      const blocks: RenderedBlock[] = [];
      const footnotes = new Map<number, string>();
      const draw = (): void => {
        const first = stream.takeFirstChanged();
        blocks.splice(first, Infinity, ...stream.blocks.slice(first));
        for (const { number, html } of stream.takeChangedFootnotes()) {
          if (html === undefined) footnotes.delete(number);
          else footnotes.set(number, html);
        }
        assert.deepEqual(blocks, stream.blocks);
      };
      for (const letter of text) {
        stream.append(letter);
        draw();
      }
      stream.finish();
      draw();
      assert.deepEqual(
        [...footnotes].map(([number, html]) => ({ number, html })),
        stream.footnotes,
      );
    }
  });

  it('gives random documents with long blocks the same blocks in any pieces as in one', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed);
      // One fragment many times: what grows is drawn in steps, and some of it is too long at last.
      const text = Array.from({ length: 3 + random(6) }, () => {
        const fragment = fragments[random(fragments.length)] ?? '';
        const length = random(60) === 0 ? 110_000 : random(3) * 400;
        return fragment.repeat(1 + Math.floor(length / fragment.length));
      }).join('');
      const pieceLength = 1 + random(Math.max(40, text.length / 10));
      const cuts = everyCut(text).filter((cut) => cut % pieceLength === 0);
      const name = `${seed}: ${JSON.stringify(text.slice(0, 300))}`;
      assert.deepEqual(streamed(text, cuts), whole(text), name);
      if (text.length < 10_000) assert.deepEqual(streamed(text, cuts, true), whole(text), name);
    }
  });

  const long: Record<string, string> = {
    'a list': '- [a] and[^n] *more*\n',
    'a list of paragraphs': '1. [a] and[^n]\n\n   *more*\n\n',
    'a quote': '> [a] and[^n] *more*\n>\n',
    'a table': '| [a] | [^n] |\n',
  };
  for (const [name, repeated] of Object.entries(long)) {
    it(`goes on with ${name} that has become too long as with a short one`, () => {
      const first = `start[^m]\n\n${name === 'a table' ? '| a | b |\n|---|---|\n' : ''}`;
      const end = '\n\nafter [a]\n\n[^m]: note\n\n[a]: https://a.example\n\n[^n]: other\n\nend\n';
      for (const length of [99_990, 110_000]) {
        const text = first + repeated.repeat(length / repeated.length) + end;
        const cuts = everyCut(text).filter((cut) => cut % 4_001 === 0);
        const stream = new BlockStream();
        let taken = 0;
        for (const cut of cuts) {
          stream.append(text.slice(taken, cut));
          taken = cut;
          assert.ok(stream.settledCount <= 1 || cut > text.length - 200);
        }
        stream.finish(text.slice(taken));
        const { blocks, footnotes } = stream;
        assert.deepEqual({ blocks, footnotes }, whole(text));
        assert.ok(stream.work < 20 * text.length, String(stream.work / text.length));
      }
    });
  }

  it('shows the end of a long block in steps, and all of it when no more comes', () => {
    const text = 'some words and then *more* of them '.repeat(100);
    const stream = new BlockStream();
    let shown = '';
    let steps = 0;
    for (let length = 1; length <= text.length; length++) {
      stream.append(text.charAt(length - 1));
      const now = htmlOf(stream);
      if (now !== shown) steps++;
      shown = now;
      const behind = length - shown.replace(/<[^>]*>/g, '').length;
      // Markers are no text.
      assert.ok(behind <= length / 25 + length / 15 + 10, `${behind} of ${length}`);
    }
    assert.ok(steps > 50 && steps < 800, String(steps));
    assert.ok(stream.isBehind);
    stream.catchUp();
    assert.ok(!stream.isBehind);
    assert.equal(htmlOf(stream), unfinished(text));
  });

  it('links what waits for a definition at the latest when no more comes', () => {
    const text = `${'[a] '.repeat(4_000)}\n\nx\n\n[a]: https://a.example\n\ny\n\nz\n\n`;
    const stream = new BlockStream();
    stream.append(text.slice(0, 16_100));
    stream.catchUp();
    stream.append(text.slice(16_100));
    stream.catchUp();
    assert.equal(htmlOf(stream), unfinished(text));
    assert.match(htmlOf(stream), /href/);
  });

  it('keeps the very objects of blocks that are settled', () => {
    const stream = new BlockStream();
    const text = 'One.\n\nTwo.\n\n- three\n\n';
    stream.append(text);
    const [one] = stream.blocks;
    stream.append('Four.\n\nFive.\n');
    assert.equal(stream.blocks[0], one);
    assert.equal(stream.blocks.length, 5);
  });

  it('parses a settled block again only for a definition that it refers to', () => {
    const stream = new BlockStream();
    const text = '[used]\n\n[other]\n\nthree\n\nfour\n\n';
    stream.append(text);
    const [used, other] = stream.blocks;
    stream.append('[used]: https://a.example\n\nfive\n\nsix\n\n');
    assert.notEqual(stream.blocks[0], used);
    assert.match(JSON.stringify(stream.blocks[0]), /href/);
    assert.equal(stream.blocks[1], other);
  });

  it('shows an open fence as code at once, without the start of its closing line', () => {
    const stream = new BlockStream();
    stream.append('```ts\nlet a = 1;\n``');
    assert.deepEqual(stream.blocks, [{ kind: 'code', language: 'ts', code: 'let a = 1;' }]);
    stream.append('x');
    assert.deepEqual(stream.blocks, [{ kind: 'code', language: 'ts', code: 'let a = 1;\n``x' }]);
  });

  it('starts over when the text is another one', () => {
    const stream = new BlockStream();
    stream.append('# First\n\ntext\n\n');
    stream.reset();
    stream.append('Second');
    assert.deepEqual(stream.blocks, whole('Second').blocks);
  });

  it('shows a block that is too long to be laid out as its source', () => {
    const row = '| cell | cell |\n';
    const table = `| a | b |\n|---|---|\n${row.repeat(8_000)}`;
    const stream = new BlockStream();
    let length = 0;
    for (let end = 50_000; end < table.length; end += 5_000) {
      stream.append(table.slice(length, end));
      length = end;
    }
    stream.finish(`${table.slice(length)}\nafter\n`);
    assert.equal(stream.blocks.length, 2);
    assert.deepEqual(stream.blocks, whole(`${table}\nafter\n`).blocks);
    assert.equal(stream.blocks[0]?.kind, 'code');
  });

  it('makes no cells of a table whose few characters stand for too many', () => {
    const table = `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'|\n'.repeat(200)}`;
    assert.deepEqual(whole(table).blocks, [
      { kind: 'code', language: 'markdown', code: table.trimEnd() },
    ]);
    assert.match(JSON.stringify(whole(`- x\n\n  ${table.replaceAll('\n', '\n  ')}`)), /<pre/);
  });

  describe('with text made to be slow', () => {
    const size = 20_000;
    const hostile: Record<string, (length: number) => string> = {
      brackets: (length) => '['.repeat(length),
      'image openers': (length) => '!['.repeat(length / 2),
      stars: (length) => '*a '.repeat(length / 3),
      'mixed stars': (length) => '*a **b '.repeat(length / 7),
      underscores: (length) => '_a'.repeat(length / 2),
      backticks: (length) =>
        Array.from({ length: Math.sqrt(2 * length) }, (_, n) => '`'.repeat(n) + ' ').join(''),
      tildes: (length) => '~~a '.repeat(length / 4),
      'link starts': (length) => '[a](b "c '.repeat(length / 9),
      'nested links': (length) => '[a]('.repeat(length / 4),
      entities: (length) => '&#x26'.repeat(length / 5),
      'angle brackets': (length) => '<https://'.repeat(length / 9),
      'nested quotes': (length) => '>'.repeat(length),
      'nested lists': (length) => '- '.repeat(length / 2),
      'list of lists': (length) =>
        Array.from({ length: Math.sqrt(length) }, (_, n) => `${' '.repeat(n * 2)}- a\n`).join(''),
      'reference starts': (length) => '[a]: <'.repeat(length / 6),
      'unclosed references': (length) => '[\n'.repeat(length / 2),
      'table heads': (length) => `${'|a'.repeat(length / 4)}\n${'|-'.repeat(length / 4)}\n`,
      'addresses in addresses': (length) => 'https://a.b/'.repeat(length / 12),
      'mail addresses': (length) => 'mailto:a@b.c'.repeat(length / 12),
    };

    const millisecondsFor = (text: string): number => {
      const start = process.cpuUsage().user;
      whole(text);
      return (process.cpuUsage().user - start) / 1000;
    };

    for (const [name, make] of Object.entries(hostile)) {
      it(`takes at most about four times as long for twice the ${name}`, () => {
        const texts = [make(size / 2), make(size), make(size * 4)];
        const best = texts.map(() => Infinity);
        // The least that each ever takes: what else the machine does goes away, an exponent stays.
        for (let round = 0; round < 8; round++) {
          for (const [index, text] of texts.entries()) {
            best[index] = Math.min(best[index] ?? Infinity, millisecondsFor(text));
          }
          const [half = 0, full = 0, fourfold = 0] = best;
          // A floor for what is too short to measure.
          const isTame = full <= 5 * Math.max(half, 10) && fourfold <= 20 * Math.max(full, 10);
          if (isTame && round > 0) return;
        }
        assert.fail(`${best.map((ms) => ms.toFixed()).join(' ms, then ')} ms`);
      });
    }

    it('finds what a text may refer to in one pass over it', () => {
      const [short, long] = [20_000, 80_000].map((length) => {
        const { blocks } = parseBlocks('\\['.repeat(length / 2), new References());
        const tokens = blocks.flatMap((block) => block.tokens);
        let best = Infinity;
        for (let round = 0; round < 5; round++) {
          const start = process.cpuUsage().user;
          assert.equal(possibleLabels(tokens).size, 0);
          best = Math.min(best, (process.cpuUsage().user - start) / 1000);
        }
        return best;
      });
      assert.ok(short !== undefined && long !== undefined);
      assert.ok(long <= 10 * Math.max(short, 10), `${short} ms, then ${long} ms`);
    });

    it('takes a paragraph of a megabyte as it is', () => {
      const stream = new BlockStream();
      const text = 'a *b* [c](d) '.repeat(80_000);
      stream.append(text.slice(0, 500_000));
      stream.finish(text.slice(500_000));
      assert.equal(stream.blocks.length, 1);
    });
  });
});
