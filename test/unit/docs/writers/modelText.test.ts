import assert from 'node:assert/strict';
import { endpointFetch } from '../../../../src/docs/writers/endpointFetch';
import { EchoFilter } from '../../../../src/docs/writers/echoFilter';
import { limitedText, TAKEN_BACK, type TextLimits } from '../../../../src/docs/writers/limitedText';
import {
  ModelError,
  type Model,
  needsOneCall,
  noExperience,
} from '../../../../src/docs/writers/model';
import { REPLY_INSTRUCTIONS } from '../../../../src/docs/writers/prompt';
import { ThinkingFilter } from '../../../../src/docs/writers/thinkingFilter';
import { joinByRank } from '../../../../src/docs/writers/rankFusion';
import { parseQueries } from '../../../../src/docs/writers/searchQueries';
import { parsePage, type FoundSection } from '../../../../src/docs/pages/page';
import { FakeClock } from '../../../fakes/fakeClock';

describe('parseQueries', () => {
  const cases: readonly (readonly [reply: string, queries: readonly string[]])[] = [
    ['{"queries": ["rotate a key", "key expiry"]}', ['rotate a key', 'key expiry']],
    ['```json\n{"queries": ["rotate a key"]}\n```', ['rotate a key']],
    ['Here you are: ["rotate a key"]', ['rotate a key']],
    ['{"queries": ["a key", "A KEY", "  b \\n c ", "d1", "e1"]}', ['A KEY', 'b c', 'd1']],
    ['{"queries": [1, null, {"q": "x"}, "", "x", "a key"]}', ['a key']],
    [`{"queries": ["${'long '.repeat(100)}"]}`, []],
    ['{"query": "a key"}', []],
    ['{"queries": "a key"}', []],
    ['rotate a key', []],
    ['{"queries": ["a key"', []],
    ['', []],
  ];
  for (const [reply, queries] of cases) {
    it(`reads ${queries.length} queries in ${JSON.stringify(reply).slice(0, 60)}`, () =>
      assert.deepEqual(parseQueries(reply), queries));
  }
});

describe('joinByRank', () => {
  const found = (name: string): FoundSection => {
    const page = parsePage(`${name}.md`, `# ${name}\n\nText.\n`);
    return { page, section: page.sections[0]! };
  };
  const [a, b, c] = [found('a'), found('b'), found('c')] as const;
  const names = (sections: readonly FoundSection[]): string[] =>
    sections.map(({ page }) => page.title);

  it('puts first what several searches found', () => {
    const joined = joinByRank(
      [
        { sections: [a, b], weight: 1 },
        { sections: [c, b], weight: 1 },
      ],
      5,
    );
    assert.deepEqual(names(joined), ['b', 'a', 'c']);
    assert.equal(joined[0]?.strength, 1);
    assert.ok(joined[1]!.strength < 1);
  });

  it('counts a list as often as its weight says, and returns no more than asked for', () => {
    const joined = joinByRank(
      [
        { sections: [a, b], weight: 1 },
        { sections: [b, a], weight: 3 },
      ],
      1,
    );
    assert.deepEqual(names(joined), ['b']);
  });

  it('finds nothing in nothing', () => assert.deepEqual(joinByRank([], 5), []));
});

describe('the filters of what a model writes', () => {
  const through = (
    filter: { push(piece: string): string; end(): string },
    text: string,
    size: number,
  ): string => {
    let out = '';
    for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size));
    return out + filter.end();
  };

  /** Returns what is left of a text that arrives in pieces of a size. */
  const thoughtless = (text: string, size: number, filter = new ThinkingFilter()): string => {
    let out = '';
    const add = (filtered: ReturnType<ThinkingFilter['end']>): void => {
      out = (filtered.takesBack ? '' : out) + filtered.text;
    };
    for (let at = 0; at < text.length; at += size) add(filter.push(text.slice(at, at + size)));
    add(filter.end());
    return out;
  };

  const harmony = '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant';
  const thoughts: readonly (readonly [text: string, left: string])[] = [
    ['\n<think>Hm <b>.</think>\n\nYes. <think>', '\n\n\nYes. <think>'],
    ['<th is no thought', '<th is no thought'],
    ['<think>never ends', ''],
    ['<thi', '<thi'],
    ['<Thinking>Hm.</Thinking>Yes.', 'Yes.'],
    ['[THINK]Hm [1].[/THINK]Yes [1].', 'Yes [1].'],
    ['<think></think>Yes.\n<think>And?</think>No.', 'Yes.\nNo.'],
    ['Yes.\n\n <thinking>And?</thinking>\nNo.', 'Yes.\n\n \nNo.'],
    ['Hm. Is it?</think>\n\nYes.', '\n\nYes.'],
    ['Hm.</think>Yes.\n</think>No.', 'Yes.\nNo.'],
    [`${harmony}<|channel|>final<|message|>Yes.<|return|>`, 'Yes.'],
    [`${harmony}<|channel|>commentary<|message|>Next.<|end|>`, ''],
    ['<|start|>assistant<|channel|>final<|message|>Yes.', 'Yes.'],
    ['The tags `<think>` and `</think>` mark it.', 'The tags `<think>` and `</think>` mark it.'],
    ['Write <think>x</think> there.', 'Write <think>x</think> there.'],
    ['```html\n<think>\n</think>\n```\nYes.', '```html\n<think>\n</think>\n```\nYes.'],
    ['a < b [1] and ◁', 'a < b [1] and ◁'],
  ];
  for (const [text, left] of thoughts) {
    it(`leave ${JSON.stringify(left)} of ${JSON.stringify(text)}, in pieces of any size`, () => {
      for (const size of [1, 2, 5, 100]) assert.equal(thoughtless(text, size), left);
    });
  }

  it('hold back a text that is known to begin within a thought', () => {
    const filter = new ThinkingFilter(true);
    assert.deepEqual(filter.push('Hm.\n```\n'), { text: '', takesBack: false });
    assert.deepEqual(filter.push('</think>Yes.'), { text: 'Yes.', takesBack: false });
    assert.deepEqual(filter.push(' And'), { text: ' And', takesBack: false });
    assert.equal(thoughtless('No mark at all.', 3, new ThinkingFilter(true)), 'No mark at all.');
    const marked = new ThinkingFilter(true);
    assert.equal(marked.push('<think>Hm.</think>Yes.').text, 'Yes.');
  });

  it('pass a reply on and stop one that repeats the instructions', () => {
    for (const size of [1, 7, 100]) {
      assert.equal(
        through(new EchoFilter(), 'You answer 600 requests.', size),
        'You answer 600 requests.',
      );
      assert.equal(through(new EchoFilter(), 'You answer', size), 'You answer');
      for (const echo of [
        REPLY_INSTRUCTIONS,
        `> **${REPLY_INSTRUCTIONS}**`,
        `Sure! ${REPLY_INSTRUCTIONS}`,
      ]) {
        assert.throws(() => through(new EchoFilter(), echo, size), {
          code: 'echo',
        });
      }
    }
  });
});

describe('needsOneCall', () => {
  const cases: readonly (readonly [
    tokens: number,
    firstTextMs: number | undefined,
    is: boolean,
  ])[] = [
    [3000, undefined, false],
    [3000, 5000, false],
    [3000, 5001, true],
    [1536, undefined, true],
    [1536, 100, true],
  ];
  for (const [maxInputTokens, firstTextMs, is] of cases) {
    it(`is ${is} for ${maxInputTokens} tokens and ${firstTextMs ?? 'no'} ms`, () => {
      const experience = { ...noExperience(), firstTextMs };
      assert.equal(needsOneCall({ maxInputTokens, experience }), is);
    });
  }
});

describe('endpointFetch', () => {
  it('sends to the origin of the endpoint only', async () => {
    const asked: string[] = [];
    const get = endpointFetch((url) => {
      asked.push(url);
      return Promise.resolve(new Response('{}'));
    }, 'https://models.example/v1');
    await get('https://models.example/v1/models');
    for (const url of [
      'https://evil.example/v1',
      'http://models.example/v1',
      'https://models.example:444/v1',
    ]) {
      await assert.rejects(get(url), { code: 'redirected' });
    }
    assert.deepEqual(asked, ['https://models.example/v1/models']);
  });
});

// Shows faults.md J3.
describe('limitedText', () => {
  const limits: TextLimits = {
    firstTextMs: 60_000,
    idleMs: 20_000,
    totalMs: 200_000,
    maxCharacters: 100,
  };

  /** A model that writes these pieces, waiting before each; `undefined` never comes. */
  const modelOf = (
    clock: FakeClock,
    script: readonly (readonly [waitMs: number, piece: string])[],
    aborted: { value?: boolean } = {},
    experience = noExperience(),
  ): Model => ({
    label: 'm',
    maxInputTokens: 1000,
    experience,
    async *stream(_messages, signal) {
      signal.addEventListener('abort', () => (aborted.value = true));
      for (const [waitMs, piece] of script) {
        await clock.delay(waitMs, signal);
        yield piece;
      }
    },
  });

  const read = async (
    script: readonly (readonly [number, string])[],
    signal = new AbortController().signal,
  ) => {
    const clock = new FakeClock();
    const pieces: string[] = [];
    const aborted: { value?: boolean } = {};
    const experience = noExperience();
    const reading = (async () => {
      for await (const piece of limitedText(modelOf(clock, script, aborted, experience), [], {
        clock,
        signal,
        limits,
      }))
        if (piece !== TAKEN_BACK) pieces.push(piece);
    })();
    const done = reading.then(
      () => ({ error: undefined }),
      (error: unknown) => ({ error }),
    );
    let result: Awaited<typeof done> | undefined;
    while (!result) {
      await clock.advance(1000);
      const turn = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
      result = await Promise.race([done, turn]);
    }
    const { error } = result;
    return {
      pieces,
      code: error instanceof ModelError ? error.code : error,
      isAborted: aborted.value,
      experience,
    };
  };

  it('reports every four seconds that work goes on', async () => {
    const { pieces, code } = await read([[14_000, 'late']]);
    assert.deepEqual(pieces, ['', '', '', 'late', '']);
    assert.equal(code, undefined);
  });

  it('ends if no text arrives within a minute, and cancels the model', async () => {
    const { code, isAborted } = await read([[61_000, 'late']]);
    assert.equal(code, 'timed-out');
    assert.equal(isAborted, true);
  });

  it('ends after twenty seconds of silence', async () => {
    const { pieces, code } = await read([
      [100, 'a'],
      [21_000, 'b'],
    ]);
    assert.equal(code, 'timed-out');
    assert.equal(pieces[0], 'a');
  });

  it('ends a model that thinks forever', async () => {
    const { code } = await read(Array.from({ length: 50 }, () => [10_000, ''] as const));
    assert.equal(code, 'timed-out');
  });

  it('measures the time until the first text that is no thought', async () => {
    const { experience } = await read([
      [1000, ''],
      [1000, '<think>Hm.'],
      [5000, '</think>'],
      [1000, 'Yes.'],
      [9000, 'No.'],
    ]);
    assert.equal(experience.firstTextMs, 8000);
    const late = await read([[61_000, 'late']]);
    assert.equal(late.experience.firstTextMs, 60_000);
    assert.equal((await read([])).experience.firstTextMs, undefined);
  });

  it('ends at the limit of characters, and keeps what fits', async () => {
    const { pieces, code } = await read([
      [1, 'x'.repeat(90)],
      [1, 'y'.repeat(20)],
    ]);
    assert.equal(code, 'too-long');
    assert.equal(pieces.join(''), 'x'.repeat(90) + 'y'.repeat(10));
  });
});
