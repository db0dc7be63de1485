import assert from 'node:assert/strict';
import path from 'node:path';
import * as v from 'valibot';
import { claimsResultSchema } from '../../../src/docsTools/toolDefinitions';
import type { DocsTools } from '../../../src/docsTools/docsTools';
import type { LocalService } from '../../../src/service/server/server';
import { RecordingLog } from '../../fakes/recordingLog';
import { startService } from '../service/localServiceAsking';
import { aCall, localTarget, toolsOf, toolsOver } from './toolsOver';

describe('check_claims', () => {
  let service: LocalService;
  let tools: DocsTools;
  const log = new RecordingLog();
  before(async () => {
    service = await startService(path.resolve('src/service/sample/docs'), { log });
    await service.whenIndexed();
    tools = toolsOf(service);
  });
  after(async () => {
    await service.stop();
    log.assertNoErrors();
  });

  it('tells supported statements from others, each with its section', async () => {
    const draft =
      'Sure, here it is. A webhook endpoint must answer with `2xx` within 10 seconds. ' +
      'A webhook endpoint must answer with `2xx` within 45 seconds.\n\n' +
      '- Set `max_retries` to 0 to turn retries off.\n- Set `retry_limit` to 0 to turn retries off.';
    const { text, data } = await tools.checkClaims(
      { text: draft, version: 'v2', language: 'en' },
      aCall(),
    );
    assert.deepEqual(
      data.claims.map(({ verdict }) => verdict),
      ['supported', 'unsupported', 'supported', 'unsupported'],
    );
    const [right, wrong, , renamed] = data.claims;
    assert.match(right?.source?.path ?? '', /^v2\/en\/webhooks#/);
    assert.equal(right?.reason, undefined);
    assert.match(wrong?.reason ?? '', /^Not in the docs: 45 seconds/);
    assert.match(renamed?.reason ?? '', /retry_limit/);
    assert.match(text, /^Sample Docs supports 2 of 4 statements\./);
    assert.match(text, /- \*\*unsupported\*\*: A webhook endpoint .* Not in the docs: 45 seconds/);
    assert.deepEqual(v.parse(claimsResultSchema, data), data);
  });

  it('names what code uses and the docs do not have', async () => {
    const code = '```ts\nawait client.shipments.cancelAll({ status: "draft" });\n```';
    const { data } = await tools.checkClaims({ text: code }, aCall());
    assert.deepEqual(
      data.claims.map(({ statement, verdict }) => [statement, verdict]),
      [['cancelAll', 'unsupported']],
    );
  });

  it('says when there is nothing to check', async () => {
    const { text, data } = await tools.checkClaims({ text: 'Shall we begin?' }, aCall());
    assert.deepEqual(data.claims, []);
    assert.match(text, /^The text has no statement to check\./);
  });

  it('leaves out what does not fit the space of the caller', async () => {
    const text = 'Set `max_retries` to 0 to turn retries off. '.repeat(60);
    const budget = { tokens: 400, count: (shown: string) => Promise.resolve(shown.length / 4) };
    const result = await tools.checkClaims({ text }, aCall({ budget }));
    assert.ok((await budget.count(result.text)) <= 400);
    assert.equal(result.data.claims.length + result.data.omittedClaims, 60);
    assert.ok(result.data.omittedClaims > 0);
  });

  it('refuses an empty text and a hosted site', async () => {
    await assert.rejects(tools.checkClaims({ text: ' ' }, aCall()), { code: 'bad-input' });
    const { local: _, ...hosted } = localTarget(service.url, service.key);
    await assert.rejects(toolsOver(hosted).checkClaims({ text: 'A b c.' }, aCall()), (error) => {
      assert.match(String(error), /hosted docs site/);
      return true;
    });
  });
});
