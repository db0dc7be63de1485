import assert from 'node:assert/strict';
import {
  AnswerChoices,
  answersWithOf,
  quotes,
  type AnswerChoice,
} from '../../../../src/service/sets/answerChoice';
import { chooseWriter } from '../../../../src/service/sets/chooseWriter';
import type { MachineModel } from '../../../../src/service/sets/machineModels';
import { parseEndpointAddress } from '../../../../src/docs/writers/endpointAddress';
import { plainTranslate } from '../../../../src/common/errors';
import type { Fetch } from '../../../../src/common/ports';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryKeyStore } from '../../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';
import { gpt, llama } from './offeredModels';

const key = 'sk-CANARY-0123456789';
const endpointRow = 'An OpenAI-Compatible Endpoint…';

/** Answers `GET /models` by the key that it gets. */
function choosing(
  respond: (authorization: string | null, url: string) => Response,
  models = [gpt],
  machineModels: readonly MachineModel[] = [],
) {
  const ui = new ScriptedUi();
  const keys = new MemoryKeyStore();
  const asked: string[] = [];
  const fetch: Fetch = (url, init) => {
    asked.push(url);
    return Promise.resolve(respond(new Headers(init.headers).get('authorization'), url));
  };
  const ports = {
    ui,
    keys,
    fetch,
    clock: new FakeClock(),
    editorModels: () => Promise.resolve(models),
    machineModels: () => Promise.resolve(machineModels),
  };
  return {
    ui,
    keys,
    asked,
    choose: (current: AnswerChoice, ...answers: (string | undefined)[]) => {
      ui.answer(...answers);
      return chooseWriter(ports, current);
    },
  };
}

const list = (...ids: readonly string[]): Response =>
  Response.json({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });
const base = 'http://localhost:11434/v1';

describe('Answer With…', () => {
  it('offers quotes, each model of VS Code and an endpoint', async () => {
    const { ui, choose } = choosing(() => list());
    assert.equal(await choose(quotes, undefined), undefined);
    assert.deepEqual(ui.shown[0]?.options, [
      'Quotes',
      'Models of VS Code',
      'GPT-5 mini',
      'Your own endpoint',
      endpointRow,
    ]);
  });

  it('lists the models that run on this machine, and takes one without asking for anything else', async () => {
    const { ui, asked, choose } = choosing(() => list(), [], [llama]);
    assert.deepEqual(await choose(quotes, 'llama3.2'), llama);
    assert.deepEqual(ui.shown[0]?.options, [
      'Quotes',
      'Models of VS Code',
      'Models on this machine',
      'llama3.2',
      'Your own endpoint',
      endpointRow,
    ]);
    assert.deepEqual(asked, []);
  });

  it('lists a model of this machine once, and keeps the embedding model that was chosen with it', async () => {
    const { ui, choose } = choosing(() => list(), [], [llama]);
    const current = {
      ...llama,
      baseUrl: 'http://localhost:11434/v1',
      embeddingModel: 'nomic-embed-text',
    };
    assert.deepEqual(await choose(current, 'llama3.2'), current);
    const rows = ui.lists[0]?.filter(({ label }) => label.includes('llama3.2')) ?? [];
    assert.deepEqual(
      rows.map((row) => ('description' in row ? row.description : '')),
      ['current'],
    );
  });

  it('lists the endpoint that writes the replies now, and keeps it without a question', async () => {
    const { ui, asked, choose } = choosing(() => list(), [], [llama]);
    const current = { kind: 'endpoint', baseUrl: 'https://models.example/v1', model: 'm' } as const;
    assert.deepEqual(await choose(current, 'm · models.example'), current);
    assert.deepEqual(ui.shown[0]?.options.slice(-3), [
      'Your own endpoint',
      'm · models.example',
      endpointRow,
    ]);
    assert.deepEqual(asked, []);
  });

  it('remembers a model of VS Code by its ID', async () => {
    const { choose } = choosing(() => list());
    assert.deepEqual(await choose(quotes, 'GPT-5 mini'), {
      kind: 'vscode',
      id: 'gpt-5-mini',
      label: 'GPT-5 mini',
      maxInputTokens: 64_000,
    });
  });

  it('lists the models of an endpoint that needs no key', async () => {
    const { choose, asked } = choosing(() => list('llama3.2', 'nomic-embed-text'));
    assert.deepEqual(await choose(quotes, endpointRow, 'localhost:11434', 'llama3.2', 'None'), {
      kind: 'endpoint',
      baseUrl: base,
      model: 'llama3.2',
    });
    assert.deepEqual(asked, [`${base}/models`]);
  });

  it('uses an embedding model and the context window that the endpoint reports', async () => {
    const { choose, ui } = choosing(() =>
      Response.json({
        data: [{ id: 'big', max_model_len: 32_768 }, { id: 'nomic-embed-text' }, { id: '' }, 7],
      }),
    );
    assert.deepEqual(await choose(quotes, endpointRow, base, 'big', 'nomic-embed-text'), {
      kind: 'endpoint',
      baseUrl: base,
      model: 'big',
      embeddingModel: 'nomic-embed-text',
      maxInputTokens: 24_576,
    });
    assert.deepEqual(ui.shown.at(-1)?.options, ['None', 'nomic-embed-text', 'big']);
  });

  it('keeps quotes with a model that only finds sections by meaning', async () => {
    const { choose, ui } = choosing(() => list('llama3.2', 'nomic-embed-text'));
    const chosen = await choose(quotes, endpointRow, base, 'Quotes', 'nomic-embed-text');
    assert.deepEqual(chosen, {
      kind: 'endpoint',
      baseUrl: base,
      embeddingModel: 'nomic-embed-text',
    });
    assert.deepEqual(ui.shown.at(-2)?.options, ['llama3.2', 'nomic-embed-text', 'Quotes']);
    assert.deepEqual(answersWithOf(chosen, plainTranslate), {
      kind: 'quotes',
      label: 'Quotes · localhost:11434',
    });
    assert.deepEqual(await choose(quotes, endpointRow, base, 'Quotes', 'None'), quotes);
    const memento = new MemoryMemento();
    const choices = new AnswerChoices({
      memento,
      keys: new MemoryKeyStore(),
      log: new RecordingLog(),
    });
    await choices.set(chosen);
    assert.deepEqual(await choices.writer(), JSON.parse(JSON.stringify(chosen)));
  });

  it('asks for a key if the endpoint wants one, and binds it to the origin', async () => {
    const { choose, keys, ui } = choosing((authorization) =>
      authorization === `Bearer ${key}` ? list('m') : new Response('{}', { status: 401 }),
    );
    const chosen = await choose(
      quotes,
      endpointRow,
      'https://models.example/api/v1/chat/completions',
      ` ${key} `,
      'm',
      'None',
    );
    assert.deepEqual(chosen, {
      kind: 'endpoint',
      baseUrl: 'https://models.example/api/v1',
      model: 'm',
    });
    assert.equal(await keys.read('model', 'https://models.example'), key);
    assert.equal(ui.prompts[1]?.isSecret, true);
    assert.ok(!JSON.stringify([chosen, ui.shown]).includes('CANARY'));
  });

  it('asks for another key if the saved one is rejected', async () => {
    const { choose, keys, ui } = choosing(() => new Response('{}', { status: 401 }));
    await keys.save('model', 'https://models.example', 'old-key-0000');
    await choose(quotes, endpointRow, 'https://models.example/v1', undefined);
    assert.match(ui.prompts.at(-1)?.prompt ?? '', /rejected the key/);
    assert.equal(await keys.read('model', 'https://models.example'), 'old-key-0000');
  });

  it('lets the reader type the model if the endpoint tells none', async () => {
    for (const respond of [
      () => new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }),
      () => new Response('no', { status: 500 }),
      () => Response.json({ models: [] }),
    ]) {
      const { choose, asked } = choosing(respond);
      assert.deepEqual(await choose(quotes, endpointRow, base, '', ' llama3.2 ', ' '), {
        kind: 'endpoint',
        baseUrl: base,
        model: 'llama3.2',
      });
      assert.ok(asked.every((url) => url === `${base}/models`));
    }
  });

  it('stops at an endpoint that redirects', async () => {
    const { choose, ui, asked } = choosing(
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
    );
    assert.equal(await choose(quotes, endpointRow, base), undefined);
    assert.match(ui.shown.at(-1)?.text ?? '', /redirects to another address/);
    assert.deepEqual(asked, [`${base}/models`]);
  });

  it('says that the endpoint does not answer, and lets the reader name the model', async () => {
    const { choose, ui } = choosing(() => {
      throw new TypeError('fetch failed');
    });
    const chosen = await choose(quotes, endpointRow, base, 'llama3.2', '');
    assert.deepEqual(chosen, { kind: 'endpoint', baseUrl: base, model: 'llama3.2' });
    assert.ok(ui.shown.some(({ text }) => text.startsWith('Can’t reach localhost:11434')));
  });

  it('asks for a key at another machine even if it lists its models to everybody', async () => {
    const { choose, keys } = choosing(() => list('m'));
    await choose(quotes, endpointRow, 'https://models.example/v1', key, 'm', 'None');
    assert.equal(await keys.read('model', 'https://models.example'), key);
  });

  it('changes and removes a saved key', async () => {
    const { choose, keys, ui } = choosing(() => list('m'));
    await keys.save('model', 'https://models.example', 'old-key-0000');
    const url = 'https://models.example/v1';
    await choose(quotes, endpointRow, url, 'Change the Key…', key, 'm', 'None');
    assert.equal(await keys.read('model', 'https://models.example'), key);
    await choose(quotes, endpointRow, url, 'Change the Key…', '', 'm', 'None');
    assert.equal(await keys.read('model', 'https://models.example'), undefined);
    assert.ok(!ui.shown.at(-2)?.options.includes('Change the Key…'));
  });

  it('sends questions over http:// to another machine only after a confirmation, and never a key', async () => {
    const { choose, ui, keys } = choosing(() => list('m'));
    await keys.save('model', 'http://10.0.0.5:8000', key);
    assert.equal(await choose(quotes, endpointRow, 'http://10.0.0.5:8000', undefined), undefined);
    assert.match(ui.shown.at(-1)?.text ?? '', /Send questions to 10\.0\.0\.5:8000 unencrypted\?/);
    const chosen = await choose(
      quotes,
      endpointRow,
      'http://10.0.0.5:8000',
      'Send Unencrypted',
      'm',
      'None',
    );
    assert.equal(chosen?.kind, 'endpoint');
    const choices = new AnswerChoices({
      memento: new MemoryMemento(),
      keys,
      log: new RecordingLog(),
    });
    await choices.set(chosen);
    assert.equal('key' in (await choices.writer()), false);
  });

  it('is cancelled at any step without a choice', async () => {
    for (const answers of [
      [endpointRow, undefined],
      [endpointRow, base, undefined],
      [endpointRow, base, 'm', undefined],
    ]) {
      const { choose } = choosing(() => list('m'));
      assert.equal(await choose(quotes, ...answers), undefined);
    }
  });
});

describe('the choice of who writes the replies', () => {
  const choicesOf = () => {
    const memento = new MemoryMemento();
    const keys = new MemoryKeyStore();
    const log = new RecordingLog();
    return { memento, keys, log, choices: new AnswerChoices({ memento, keys, log }) };
  };

  it('is quotes by default, and for stored values that can’t be read', async () => {
    const { choices, memento } = choicesOf();
    assert.deepEqual(choices.current, quotes);
    for (const value of [
      7,
      {},
      { kind: 'gpt' },
      { kind: 'endpoint' },
      { kind: 'vscode', id: '' },
    ]) {
      await memento.update('answerWith', value);
      assert.deepEqual(choices.current, quotes);
    }
  });

  it('includes the key of its origin, and is stored without it', async () => {
    const { choices, keys, memento } = choicesOf();
    await keys.save('model', 'https://models.example', key);
    await keys.save('assistant', 'https://models.example', 'other-key-0000');
    await choices.set({ kind: 'endpoint', baseUrl: 'https://models.example/v1', model: 'm' });
    const writer = await choices.writer();
    assert.equal(writer.kind === 'endpoint' && writer.key, key);
    assert.ok(!JSON.stringify(memento.get('answerWith')).includes('CANARY'));
  });

  it('works without a key if secret storage fails', async () => {
    const { choices, keys, log } = choicesOf();
    await choices.set({ kind: 'endpoint', baseUrl: base, model: 'm' });
    keys.failure = new Error('no keyring');
    assert.deepEqual(await choices.writer(), { kind: 'endpoint', baseUrl: base, model: 'm' });
    assert.equal(log.errors.length, 1);
  });

  it('has a name for the header', () => {
    const label = (choice: AnswerChoice): string => answersWithOf(choice, plainTranslate).label;
    assert.equal(label(quotes), 'Quotes');
    assert.equal(
      label({ kind: 'vscode', id: 'x', label: 'GPT-5 mini', maxInputTokens: 1 }),
      'GPT-5 mini',
    );
    assert.equal(
      label({ kind: 'endpoint', baseUrl: base, model: 'llama3.2' }),
      'llama3.2 · localhost:11434',
    );
  });
});

describe('parseEndpointAddress', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['http://localhost:11434', base],
    [' http://localhost:11434/v1/ ', base],
    ['localhost:11434', base],
    ['http://localhost:11434/v1/chat/completions', base],
    ['https://gateway.example/openai/v1', 'https://gateway.example/openai/v1'],
    ['http://[::1]:1234', 'http://[::1]:1234/v1'],
  ];
  for (const [text, baseUrl] of accepted) {
    it(`reads ${text}`, () => {
      const address = parseEndpointAddress(text);
      assert.equal(address.ok && address.baseUrl, baseUrl);
    });
  }
  for (const text of [
    '',
    'ftp://x',
    'javascript:alert(1)',
    'https://u:p@x.example',
    'https://x.example/v1?a=b',
    'https://x.example/#a',
    'not a url',
    'http://',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseEndpointAddress(text).ok, false));
  }
});
