import assert from 'node:assert/strict';
import { creditsOf, runQuestions } from '../../../src/questions/runQuestions';
import type { QuestionResult } from '../../../src/questions/questionRun';
import { assertNoTrace } from '../../builders/canary';
import { json as jsonAnswer } from '../../builders/ask';
import { events } from '../../builders/stream';
import { settled } from '../../fakes/fakeClock';
import { OpenStream, streamOf } from '../../fakes/fakeFetch';
import { hosted, local } from '../docsTools/asking';
import { questionsOf, replyWith, ScriptedService } from './asking';

const five = questionsOf(
  ['one?', 'two?', 'three?', 'four?', 'five?'].map((q) => `- ${q}`).join('\n'),
);
const json = (...answer: Parameters<typeof jsonAnswer>): Response =>
  jsonAnswer(...answer)({} as never) as Response;
const tooMany = (headers: Record<string, string> = {}): Response =>
  json(429, { error: 'Slow down' }, headers);

const told = (results: readonly { readonly result: QuestionResult }[]): readonly string[] =>
  results.map(({ result }) => `${result.question} ${result.status} ${result.reasons.join(' ')}`);

describe('runQuestions', () => {
  it('asks every question once, and reports its result with reply and sources', async () => {
    const service = new ScriptedService((question) =>
      replyWith(`About ${question}`, question === 'two?' ? '/two' : '/other'),
    );
    const questions = questionsOf(
      '- question: one?\n  id: first\n  name: The first\n  pages: one\n- question: two?\n  pages: two\n',
    );
    const results = (await service.run(questions, hosted)).map(({ result }) => result);
    assert.deepEqual(service.asked.toSorted(), ['one?', 'two?']);
    assert.deepEqual(
      results.find(({ id }) => id === 'first'),
      {
        id: 'first',
        name: 'The first',
        question: 'one?',
        file: 'docs-questions.yaml',
        line: 1,
        endLine: 4,
        first: 5,
        status: 'fail',
        durationMs: 0,
        reasons: ['“one” is not among the sources.', 'The first sources are: /other.'],
        reply: 'About one?',
        sources: [{ title: '/other', url: '/other' }],
      },
    );
    assert.equal(results.find(({ id }) => id === 'two?')?.status, 'pass');
  });

  it('asks as many questions at once as allowed, and the next one when one ends', async () => {
    const streams = new Map<string, OpenStream>();
    const service = new ScriptedService((question) => {
      const stream = new OpenStream({ 'content-type': 'text/event-stream' });
      streams.set(question, stream);
      return stream.response;
    });
    const started: string[] = [];
    const run = service.run(five, hosted, {
      atOnce: 2,
      onStart: ({ question }) => started.push(question.question),
    });
    const end = (question: string): void => {
      streams
        .get(question)
        ?.write(
          events(
            { type: 'text-start', id: '0' },
            { type: 'text-delta', id: '0', delta: 'x' },
            { type: 'finish' },
            '[DONE]',
          ),
        );
      streams.get(question)?.end();
    };
    await settled();
    assert.deepEqual(service.asked, ['one?', 'two?']);
    end('two?');
    await settled();
    assert.deepEqual(service.asked, ['one?', 'two?', 'three?']);
    assert.deepEqual(started, service.asked);
    for (const question of ['one?', 'three?', 'four?', 'five?']) {
      await settled();
      end(question);
    }
    assert.equal((await run).length, 5);
  });

  it('sends the filters of the question in place of those of the site', async () => {
    const service = new ScriptedService(() => replyWith('x', '/a'));
    const target = {
      ...hosted,
      settings: { ...hosted.settings, filter: { version: 'v1', language: 'en' } },
    };
    await service.run(
      questionsOf('- question: one?\n  filters: { version: v2, groups: [a] }\n'),
      target,
    );
    const { filter } = JSON.parse(service.bodies[0] ?? '') as { filter: unknown };
    assert.deepEqual(filter, { version: 'v2', language: 'en', groups: ['a'] });
  });

  // Shows faults.md L21.
  it('waits as long as the service asks, sends one question first, and then the others', async () => {
    const service = new ScriptedService((_question, count) =>
      count === 1 ? tooMany({ 'retry-after': '60' }) : replyWith('x', '/a'),
    );
    const waits: number[] = [];
    const run = service.run(five, hosted, { atOnce: 3, onWait: (until) => waits.push(until) });
    await settled();
    assert.deepEqual(service.asked, ['one?', 'two?', 'three?']);
    assert.equal(waits[0], service.clock.now() + 60_000);
    await service.clock.advance(59_999);
    assert.equal(service.asked.length, 3);
    await service.clock.advance(1);
    await settled();
    // Questions four and five are refused once too.
    await service.clock.advance(60_000);
    await settled();
    await service.clock.advance(60_000);
    const results = await run;
    assert.deepEqual(
      results.map(({ result }) => result.status),
      Array(5).fill('pass'),
    );
    assert.equal(service.asked.length, 10);
  });

  it('sends a single question after a wait until one was answered', async () => {
    let isOpen = false;
    const service = new ScriptedService(() =>
      isOpen ? replyWith('x', '/a') : tooMany({ 'retry-after': '10' }),
    );
    const run = service.run(five, hosted, { atOnce: 4 });
    await settled();
    assert.equal(service.asked.length, 4);
    await service.clock.advance(10_000);
    assert.equal(service.asked.length, 5);
    await service.clock.advance(10_000);
    assert.equal(service.asked.length, 6);
    isOpen = true;
    await service.clock.advance(10_000);
    const results = await run;
    assert.equal(results.filter(({ result }) => result.status === 'pass').length, 5);
    // Each question was answered once, whatever was refused before.
    assert.equal(service.asked.length, 6 + 5);
  });

  it('gives up on a service that asks to wait an hour, and skips what is left', async () => {
    const service = new ScriptedService((question) =>
      question === 'one?' ? replyWith('x', '/a') : tooMany({ 'retry-after': '3600' }),
    );
    const results = await service.run(five, hosted, { atOnce: 1 });
    assert.deepEqual(told(results), [
      'one? pass ',
      'two? error Too many requests. Your organization may have reached its limit of 10,000 requests per hour. (Slow down) Try again in 1 h.',
      ...['three?', 'four?', 'five?'].map(
        (question) =>
          `${question} skipped Not asked. Too many requests. Your organization may have reached its limit of 10,000 requests per hour. (Slow down) Try again in 1 h.`,
      ),
    ]);
    assert.deepEqual(service.asked, ['one?', 'two?']);
    assert.equal(results[2]?.result.errorCode, 'rate-limited');
  });

  it('gives up after ten minutes if the service never says how long', async () => {
    const service = new ScriptedService(() => tooMany());
    const run = service.run(five, hosted);
    for (let minute = 0; minute < 11; minute++) await service.clock.advance(60_000);
    const results = await run;
    assert.equal(results.filter(({ result }) => result.status === 'error').length, 1);
    assert.equal(results.filter(({ result }) => result.status === 'skipped').length, 4);
    assert.ok(service.asked.length < 15, `${service.asked.length} requests`);
  });

  it('asks nothing more with a key that was rejected', async () => {
    const service = new ScriptedService(() => json(401, { error: 'No' }));
    const results = await service.run(five, hosted, { atOnce: 1 });
    assert.deepEqual(service.asked, ['one?']);
    assert.deepEqual(
      results.map(({ result }) => [result.status, result.errorCode]),
      [['error', 'key-rejected'], ...Array<string[]>(4).fill(['skipped', 'key-rejected'])],
    );
  });

  // Shows faults.md L22.
  it('stops after five failures one after the other, and not after five in all', async () => {
    const many = questionsOf(Array.from({ length: 20 }, (_, index) => `- q${index}?`).join('\n'));
    const broken = new ScriptedService(() => json(503, {}));
    const results = await broken.run(many, hosted, { atOnce: 1 });
    assert.equal(broken.asked.length, 5);
    assert.match(results[4]?.result.reasons[0] ?? '', /temporarily unavailable \(HTTP 503\)/);
    assert.match(
      results[5]?.result.reasons[0] ?? '',
      /^Not asked\. 5 questions failed one after the other\. .* unavailable/,
    );
    const shaky = new ScriptedService((question) =>
      /[05]\?$/.test(question) ? replyWith('x', '/a') : json(503, {}),
    );
    await shaky.run(many, hosted, { atOnce: 1 });
    assert.equal(shaky.asked.length, 20);
  });

  it('goes on after any number of questions that the service refuses', async () => {
    const many = questionsOf(Array.from({ length: 20 }, (_, index) => `- q${index}?`).join('\n'));
    const strict = new ScriptedService(() => json(413, {}));
    await strict.run(many, hosted, { atOnce: 1 });
    assert.equal(strict.asked.length, 20);
  });

  it('doesn’t check a reply of more than 200,000 characters', async () => {
    const service = new ScriptedService(() => replyWith('x'.repeat(200_001), '/a'));
    const [first] = await service.run(five.slice(0, 1), hosted);
    assert.deepEqual(first?.result.reasons, ['The reply is too long to check.']);
  });

  it('doesn’t ask again after the service has begun to answer', async () => {
    const service = new ScriptedService(() => {
      const stream = new OpenStream({ 'content-type': 'text/event-stream' });
      stream.write(
        events({ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'Like' }),
      );
      stream.end();
      return stream.response;
    });
    const [first] = await service.run(five.slice(0, 1), hosted);
    assert.equal(service.asked.length, 1);
    assert.deepEqual(
      [first?.result.status, first?.result.errorCode, first?.result.reply],
      ['error', 'incomplete', 'Like'],
    );
    assert.deepEqual(first?.result.reasons, ['The reply is incomplete, so it wasn’t checked.']);
  });

  it('ends a reply that never ends', async () => {
    const stream = new OpenStream({ 'content-type': 'text/event-stream' });
    const service = new ScriptedService(() => stream.response);
    const run = service.run(five.slice(0, 1), hosted);
    for (let half = 0; half < 10; half++) {
      await settled();
      stream.write(
        events({ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'x' }),
      );
      await service.clock.advance(30_000);
    }
    const [first] = await run;
    assert.deepEqual(first?.result.reasons, ['The reply took more than 5 min and was stopped.']);
    assert.equal(first.result.errorCode, 'too-slow');
  });

  // Shows faults.md V5.
  it('throws the reason when it is canceled, closes the requests, and keeps the reported results', async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const service = new ScriptedService((question, _count, signal) => {
      if (question === 'one?') return replyWith('x', '/a');
      signals.push(signal);
      return new OpenStream({ 'content-type': 'text/event-stream' }).response;
    });
    const run = runQuestions(five, hosted, service.ports, { signal: controller.signal, atOnce: 2 });
    const first = await run.next();
    assert.equal(first.done, false);
    await settled();
    controller.abort(new Error('Canceled by the test'));
    await assert.rejects(async () => run.next(), /Canceled by the test/);
    assert.ok(signals.length > 0 && signals.every(({ aborted }) => aborted));
    assert.equal(service.clock.pendingCount, 0);
  });

  it('closes the requests when the loop is left', async () => {
    const signals: AbortSignal[] = [];
    const service = new ScriptedService((question, _count, signal) => {
      if (question === 'one?') return replyWith('x', '/a');
      signals.push(signal);
      return new OpenStream({ 'content-type': 'text/event-stream' }).response;
    });
    for await (const _each of runQuestions(five, hosted, service.ports, {
      signal: new AbortController().signal,
    })) {
      break;
    }
    assert.ok(signals.length > 0 && signals.every(({ aborted }) => aborted));
    assert.equal(service.clock.pendingCount, 0);
  });

  // Shows faults.md L24.
  it('sends and reports no secrets', async () => {
    const secret = ['ghp', 'Zx81nQ4tVb7Lk2Wm9Rc5Ty3Hd6Jf0PsAeUoX'].join('_');
    const admin = 'qed_AdminCanary7Qx2mVb9Kt4';
    const service = new ScriptedService(() => replyWith('x', '/a'));
    const questions = questionsOf(
      `- question: Is ${secret} or ${admin} a key?\n  contains: ${secret}\n`,
    );
    const results = await service.run(questions, hosted, {}, { knownSecrets: () => [admin] });
    const text = JSON.stringify(results.map(({ result }) => result));
    for (const trace of [secret, admin]) {
      assertNoTrace(trace, text);
      assertNoTrace(trace, service.bodies.join());
      assertNoTrace(trace, JSON.stringify(service.log));
    }
    assert.match(results[0]?.result.redacted?.join() ?? '', /GitHub/);
    assert.equal(results[0]?.result.status, 'fail');
  });

  it('names pages of docs on this machine by their files, also in the reply', async () => {
    const page = 'http://127.0.0.1:4100/docs/birds#eat';
    const service = new ScriptedService(() => replyWith(`See [1](${page}).`, page));
    const [first] = await service.run(
      questionsOf('- question: one?\n  pages: fish\n'),
      local,
      {},
      {
        fileOf: (name) => `docs/${name.replace('#', '.md#')}`,
      },
    );
    assert.equal(first?.result.reply, 'See [1](docs/birds.md#eat).');
    assert.deepEqual(first.result.sources, [{ title: page, url: 'docs/birds.md#eat' }]);
    assert.equal(first.result.reasons.at(-1), 'The first sources are: docs/birds.md#eat.');
  });

  it('sanitizes replies for terminals and reports', async () => {
    const service = new ScriptedService(() =>
      replyWith('Red \u001b[31malert\u0007', '/a\u001b]0;x'),
    );
    const [first] = await service.run(five.slice(0, 1), hosted);
    assert.equal(first?.result.reply, 'Red [31malert');
    assert.ok(!JSON.stringify(first.result).includes('\\u001b'));
  });

  it('asks no more questions than one IP address may ask in a day', async () => {
    const many = questionsOf('- q?\n');
    const [question] = many;
    assert.ok(question);
    const service = new ScriptedService(() => json(401, {}));
    const results = await service.run(Array(10_002).fill(question), hosted, { atOnce: 1 });
    assert.equal(results.length, 10_002);
    assert.equal(creditsOf(Array(10_002).fill(question), hosted), 10_000);
    assert.equal(creditsOf(many, local), 0);
  });

  it('completes a run without questions', async () => {
    const service = new ScriptedService(() => streamOf([]));
    assert.deepEqual(await service.run([], hosted), []);
  });
});
