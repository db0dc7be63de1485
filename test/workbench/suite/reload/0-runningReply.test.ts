import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import {
  extensionApi,
  openAndSelect,
  replyText,
  send,
  startAfresh,
  whenOnDisk,
} from '../../asking';
import { docsService, holdMidReply } from '../../docsService';
import { chat } from '../../pageDriver';

describe('a reply that runs when the window is reloaded', () => {
  before(startAfresh);

  it('is in the midst of its text', async () => {
    await openAndSelect('src/createShipment.ts', 'const warehouse');
    await vscode.commands.executeCommand(commands.addSelection);
    await chat.waitFor('.composer .chip');
    await holdMidReply('reload');
    await send('How do I create a shipment?');
    await docsService.whenHeld('reload');
    await chat.waitFor(replyText);
    const shown = (await chat.text(replyText)).trim();
    assert.notEqual(shown, '');
    const { flush, snapshot } = await extensionApi();
    await flush();
    await whenOnDisk(snapshot().thread.id);
  });
});
