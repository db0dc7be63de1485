import assert from 'node:assert/strict';
import path from 'node:path';
import { HostedProof, type ServedDocs } from '../../../src/docsTools/hostedProof';
import type { LocalService } from '../../../src/service/server/server';
import type { ProofPart, ReplyView } from '../../../src/shared/uiMessage';
import { FakeClock, settled } from '../../fakes/fakeClock';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import { RecordingLog } from '../../fakes/recordingLog';
import { openSession, type Session } from '../chat/conversationSession';
import { done, event, finish, start, streamFault, textEnd, textStart } from '../chat/replyStream';
import { startService } from '../service/localServiceAsking';
import { localTarget } from './toolsOver';

const host = 'docs.parcelwren.example';
const settings = `https://${host}/v2/en/configuration#settings`;
const limits = `https://${host}/v2/en/rate-limits`;

/** A reply of a hosted site that cites these pages. */
const citing = (text: string, ...urls: readonly string[]): string =>
  [
    start,
    ...urls.map((url, index) => event({ type: 'source-url', sourceId: `s${index}`, url })),
    textStart,
    event({ type: 'text-delta', id: 't', delta: text }),
    textEnd,
    finish,
    done,
  ].join('');

describe('Replies of a hosted site whose docs are kept on this machine', () => {
  const kept = { id: 'set-1', label: 'Parcelwren', fetchedAt: Date.parse('2024-12-29') };
  let service: LocalService;
  let proxy: FaultProxy;
  let session: Session;
  let hosted: HostedProof;
  let clock: FakeClock;
  let log: RecordingLog;
  let docs: typeof kept | undefined;
  let served: ServedDocs[];
  let closed: number;
  let hasEnded: boolean;
  let serve: () => Promise<ServedDocs>;

  before(async () => {
    service = await startService(path.resolve('src/service/sample/docs'));
    await service.whenIndexed();
  });
  after(() => service.stop());

  beforeEach(async () => {
    [docs, served, closed, hasEnded] = [kept, [], 0, false];
    clock = new FakeClock();
    log = new RecordingLog();
    serve = () => {
      const docsService: ServedDocs = {
        target: localTarget(service.url, service.key),
        hasEnded: () => hasEnded,
        close: () => closed++,
      };
      served.push(docsService);
      return Promise.resolve(docsService);
    };
    hosted = new HostedProof({
      clock,
      log,
      fetch: (url, init) => fetch(url, init),
      docsOf: () => docs && { kept: docs, host },
      serve: () => serve(),
    });
    proxy = await startFaultProxy();
    session = await openSession({
      url: proxy.url,
      proveReply: (reply, question) => hosted.prove(reply, question),
    });
  });
  afterEach(async () => {
    hosted.dispose();
    session.conversation.dispose();
    await proxy.stop();
    log.assertNoErrors();
  });

  const proofIn = ({ parts }: ReplyView): ProofPart | undefined =>
    parts.find((part) => part.type === 'proof');

  /** Asks, and returns the proof of the complete reply. */
  const proofOf = async (reply: string, question = 'How often?'): Promise<ProofPart> => {
    proxy.queue(streamFault(reply));
    const ended = await session.ask(question);
    assert.equal(ended.status, 'complete');
    await session.until(() => proofIn(session.reply) !== undefined);
    return proofIn(session.reply) ?? assert.fail();
  };

  /** Asks, and returns whether the reply was left as it came, once the comparison has ended. */
  const isLeftAlone = async (reply: string): Promise<boolean> => {
    const proved: unknown[] = [];
    const prove = hosted.prove.bind(hosted);
    hosted.prove = async (...given) => {
      const proof = await prove(...given);
      proved.push(proof);
      return proof;
    };
    proxy.queue(streamFault(reply));
    await session.ask('How often?');
    while (proved.length === 0) await settled();
    await settled();
    return proved[0] === undefined && proofIn(session.reply) === undefined;
  };

  it('have a wrong default marked, with the page that says otherwise', async () => {
    const proof = await proofOf(
      citing('`max_retries` is 5 by default. Limits are counted per API key.', limits, settings),
    );
    assert.deepEqual(proof, {
      type: 'proof',
      statements: 2,
      found: 1,
      unproven: [
        { quote: 'max_retries is 5 by default.', reason: 'number', missing: [], sourceId: 's1' },
      ],
      docs: kept,
    });
  });

  it('have a right default counted and not marked', async () => {
    const proof = await proofOf(citing('`max_retries` is 3 by default.', settings));
    assert.deepEqual([proof.statements, proof.found, proof.unproven], [1, 1, []]);
  });

  it('have names marked that code uses and the docs do not have, but not the reader’s own', async () => {
    const code = '```ts\nawait client.shipments.cancelAll({ status: "draft" });\n```';
    const reply = citing(`\`max_retries\` is 3 by default.\n\n${code}`, settings);
    const { unproven } = await proofOf(reply);
    assert.deepEqual(unproven, [
      { quote: 'cancelAll', reason: 'code-name', missing: ['cancelAll'] },
    ]);
    assert.deepEqual((await proofOf(reply, 'What does my cancelAll do?')).unproven, []);
  });

  // Shows faults.md W10.
  it('are left alone if they cite a page that the kept docs lack', async () => {
    const wrong = '`max_retries` is 5 by default.';
    assert.ok(await isLeftAlone(citing(wrong, settings, `https://${host}/v2/en/brand-new`)));
    assert.equal(served.length, 1, 'the docs were not asked');
  });

  it('are left alone if they cite another site, no page, or have no kept docs', async () => {
    const wrong = '`max_retries` is 5 by default.';
    const other = 'https://blog.example/v2/en/rate-limits';
    assert.ok(await isLeftAlone(citing(wrong, settings, other)), 'another site');
    assert.ok(await isLeftAlone(citing(wrong)), 'no page');
    docs = undefined;
    assert.ok(await isLeftAlone(citing(wrong, settings)), 'no kept docs');
    assert.equal(served.length, 0, 'a service was started for nothing');
  });

  it('are complete before their docs have been read', async () => {
    let read: (() => void) | undefined;
    const now = serve;
    serve = async () => {
      await new Promise<void>((resolve) => (read = resolve));
      return now();
    };
    proxy.queue(streamFault(citing('`max_retries` is 5 by default.', settings)));
    const reply = await session.ask('How often?');
    assert.equal(reply.status, 'complete');
    assert.equal(proofIn(reply), undefined);
    read?.();
    await session.until(() => proofIn(session.reply) !== undefined);
  });

  it('are left alone if the docs cannot be read, and the next one is compared', async () => {
    const works = serve;
    serve = () => Promise.reject(new Error('gone'));
    assert.ok(await isLeftAlone(citing('`max_retries` is 5 by default.', settings)));
    assert.match(log.text('warn'), /wasn’t compared with kept docs/);
    serve = works;
    await proofOf(citing('`max_retries` is 5 by default.', settings));
  });

  it('share one service, which ends ten minutes after the last of them', async () => {
    const right = citing('`max_retries` is 3 by default.', settings);
    await proofOf(right);
    await clock.advance(9 * 60_000);
    await proofOf(right);
    await clock.advance(9 * 60_000);
    assert.deepEqual([served.length, closed], [1, 0]);
    await clock.advance(60_000);
    await settled();
    assert.equal(closed, 1);
  });

  it('get a new service if theirs has ended or the docs were fetched again', async () => {
    const right = citing('`max_retries` is 3 by default.', settings);
    await proofOf(right);
    hasEnded = true;
    await proofOf(right);
    assert.equal(served.length, 2);
    hasEnded = false;
    docs = { ...kept, fetchedAt: kept.fetchedAt + 1 };
    assert.equal((await proofOf(right)).docs?.fetchedAt, kept.fetchedAt + 1);
    assert.deepEqual([served.length, closed], [3, 2]);
  });
});
