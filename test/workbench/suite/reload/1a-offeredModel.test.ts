import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import { ask, startAfresh } from '../../asking';
import { modelOffer, scriptedModel, serveSampleDocs } from '../../models';
import { chat } from '../../pageDriver';

describe('a model that was taken before the reload', () => {
  before(async () => {
    await startAfresh();
    await serveSampleDocs();
  });
  after(() => vscode.commands.executeCommand(commands.stopLocalService));

  it('writes the replies after it, and is not offered again', async () => {
    const model = await scriptedModel();
    model.replies = [
      ['You answer questions about', 'The header holds a time and a signature [1].'],
    ];
    await chat.waitFor('.site-answers', { hasText: 'Scripted One' });
    const reply = await ask('How do I verify the signature of a webhook?');
    assert.match(reply, /The header holds a time and a signature/);
    assert.equal(await chat.count(modelOffer), 0);
  });
});
