import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addSelection, ask, openAndSelect, startAfresh, until } from '../../asking';
import { cannedReply, docsService } from '../../docsService';
import { choose } from '../../exporting';
import { chat, takeScreenshot } from '../../pageDriver';

const draftButton = 'article.reply .draft-docs-issue';

/** The untitled Markdown document that was opened, if there is one. */
const draft = (): vscode.TextDocument | undefined => {
  const document = vscode.window.activeTextEditor?.document;
  return document?.isUntitled === true && document.languageId === 'markdown' ? document : undefined;
};

async function whenDrafted(): Promise<string> {
  await until(() => draft() !== undefined);
  return draft()?.getText() ?? assert.fail('the draft was closed');
}

/** Asks about a function; the reply has no source. */
async function askInVain(): Promise<void> {
  await openAndSelect('src/createShipment.ts', 'async function createShipment', '\n}');
  await addSelection();
  await chat.waitFor('.composer .chip', { hasText: 'createShipment.ts' });
  await docsService.queue(cannedReply('I found **nothing** about that.'));
  await ask('How do I rotate the moon?');
  await chat.waitFor('article.reply', { hasText: 'No source cited' });
}

describe('a draft of a docs issue', () => {
  beforeEach(startAfresh);
  afterEach(async () => {
    // An untitled document would ask whether to save it.
    if (draft())
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('names the selection and leaves its code out, unless the person includes it', async () => {
    await askInVain();
    await chat.click(draftButton);
    await choose('Leave It Out');
    const without = await whenDrafted();
    assert.match(without, /^# Docs don’t answer: How do I rotate the moon\?$/m);
    assert.match(without, /I found \*\*nothing\*\* about that\./);
    assert.match(without, /^- `src\/createShipment\.ts`, lines \d+–\d+$/m);
    assert.doesNotMatch(without, /client\.shipments\.create/);
    await takeScreenshot('docs-issue');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => draft() === undefined);
    await chat.click(draftButton);
    await choose('Include the Selection');
    assert.match(await whenDrafted(), /client\.shipments\.create/);
  });

  it('opens at once for a question without a selection', async () => {
    await docsService.queue(cannedReply('I found nothing about that.'));
    await ask('Which moons are there?');
    await chat.click(draftButton);
    assert.match(await whenDrafted(), /^## Question\n\nWhich moons are there\?$/m);
  });
});
