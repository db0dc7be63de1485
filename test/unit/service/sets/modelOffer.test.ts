import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import type { AnswerChoice } from '../../../../src/service/sets/answerChoice';
import type { EditorModel } from '../../../../src/service/sets/chooseWriter';
import type { MachineModel } from '../../../../src/service/sets/machineModels';
import { ModelOffer } from '../../../../src/service/sets/modelOffer';
import type { ModelOfferView } from '../../../../src/shared/protocol';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { RecordingLog } from '../../../fakes/recordingLog';
import { gpt, llama } from './offeredModels';

/** Opens a window with these models, in which nobody has chosen yet. */
function aWindow(given: {
  editors?: readonly EditorModel[] | Error | 'late';
  machines?: readonly MachineModel[];
  isMade?: boolean;
}) {
  const log = new RecordingLog();
  const choices = { isMade: given.isMade ?? false };
  const shown: (ModelOfferView | undefined)[] = [];
  let looks = 0;
  const { editors = [], machines = [] } = given;
  const clock = new FakeClock();
  const offer = new ModelOffer({
    choices,
    clock,
    editorModels: () => {
      if (editors === 'late') return new Promise(() => undefined);
      return editors instanceof Error ? Promise.reject(editors) : Promise.resolve(editors);
    },
    machineModels: () => {
      looks++;
      return Promise.resolve(machines);
    },
    translate: plainTranslate,
    log,
  });
  let isSent = false;
  const stopping = new AbortController();
  return {
    offer,
    choices,
    shown,
    stopping,
    log,
    clock,
    looks: () => looks,
    isSent: () => isSent,
    /** Asks a question, and waits until it is sent or an offer is shown. */
    begin: async () => {
      isSent = false;
      const sent = offer
        .beforeQuestion((view) => shown.push(view), stopping.signal)
        .then(() => (isSent = true));
      sent.catch(() => undefined);
      await settled();
      return { sent };
    },
  };
}

describe('the offer of models before the first question', () => {
  it('names the model of VS Code and who gets the question, and holds the question back', async () => {
    const { begin, shown, isSent } = aWindow({ editors: [gpt] });
    await begin();
    assert.equal(isSent(), false);
    assert.deepEqual(shown, [
      {
        text: 'GPT-5 mini can write the replies: Your questions, your attachments and the sections found then go to copilot.',
        choices: [
          { writer: 'vscode', label: 'Answer with GPT-5 mini' },
          { writer: 'quotes', label: 'Quotes only' },
        ],
      },
    ]);
  });

  it('names a model of this machine beside it, and leads to the others', async () => {
    const other = { ...llama, model: 'qwen3' };
    const { begin, shown } = aWindow({ editors: [gpt], machines: [llama, other] });
    await begin();
    assert.match(
      shown[0]?.text ?? '',
      /^GPT-5 mini or llama3\.2 can .* go to copilot or 127\.0\.0\.1:11434 on this machine\.$/,
    );
    assert.deepEqual(shown[0]?.choices, [
      { writer: 'vscode', label: 'Answer with GPT-5 mini' },
      { writer: 'endpoint', label: 'Answer with llama3.2' },
      { writer: 'other', label: 'Other Models…' },
      { writer: 'quotes', label: 'Quotes only' },
    ]);
  });

  const taken: readonly [string, 'vscode' | 'endpoint' | 'quotes', AnswerChoice][] = [
    [
      'the model of VS Code',
      'vscode',
      { kind: 'vscode', id: 'gpt-5-mini', label: 'GPT-5 mini', maxInputTokens: 64_000 },
    ],
    ['the model of this machine', 'endpoint', llama],
    ['quotes', 'quotes', { kind: 'quotes' }],
  ];
  for (const [what, writer, choice] of taken) {
    it(`sends the question on once ${what} is chosen`, async () => {
      const { offer, begin, shown, isSent } = aWindow({ editors: [gpt], machines: [llama] });
      const { sent } = await begin();
      assert.deepEqual(offer.choiceOf(writer), choice);
      assert.equal(isSent(), false, 'the choice is not in use yet');
      offer.settle();
      await sent;
      assert.equal(shown.length, 2);
      assert.equal(shown.at(-1), undefined);
      assert.equal(offer.choiceOf(writer), undefined, 'the offer is over');
    });
  }

  it('is not made once the reader has chosen, and looks for no model then', async () => {
    const { begin, shown, isSent, looks } = aWindow({ editors: [gpt], isMade: true });
    await begin();
    assert.equal(isSent(), true);
    assert.deepEqual([shown, looks()], [[], 0]);
  });

  it('is not made if the reader chooses while models are looked for', async () => {
    const { choices, begin, shown, isSent } = aWindow({ editors: [gpt] });
    const begun = begin();
    choices.isMade = true;
    await begun;
    assert.deepEqual([shown, isSent()], [[], true]);
  });

  it('is made again for the next question if the first is stopped, and then looks only for models of VS Code', async () => {
    const { begin, shown, stopping, looks, offer } = aWindow({ editors: [gpt], machines: [llama] });
    const { sent } = await begin();
    stopping.abort(new Error('stopped'));
    await assert.rejects(sent, /stopped/);
    assert.equal(shown.at(-1), undefined);
    const again = offer.beforeQuestion((view) => shown.push(view), new AbortController().signal);
    await settled();
    assert.ok(shown.at(-1));
    assert.equal(looks(), 1);
    offer.settle();
    await again;
  });

  it('lets the question go where there is no model, and where models can’t be listed', async () => {
    const none = aWindow({});
    await none.begin();
    assert.deepEqual([none.shown, none.isSent()], [[], true]);
    const broken = aWindow({ editors: new Error('no models') });
    await broken.begin();
    assert.deepEqual([broken.shown, broken.isSent()], [[], true]);
    assert.equal(broken.log.errors.length, 1);
  });

  it('waits a few seconds for a list of models that never comes, and then names the others', async () => {
    const { begin, shown, clock, log } = aWindow({ editors: 'late', machines: [llama] });
    await begin();
    await clock.advance(3000);
    assert.equal(shown.length, 0);
    await clock.advance(2000);
    assert.equal(shown[0]?.choices[0]?.label, 'Answer with llama3.2');
    assert.equal(log.errors.length, 1);
  });

  it('names a model with room for sections before one with a small window', async () => {
    const tiny = { ...gpt, id: 'tiny', name: 'Tiny', maxInputTokens: 1000 };
    const { begin, shown } = aWindow({ editors: [tiny, gpt] });
    await begin();
    assert.equal(shown[0]?.choices[0]?.label, 'Answer with GPT-5 mini');
  });
});
