import assert from 'node:assert/strict';
import os from 'node:os';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import { ask, startAfresh } from '../../asking';
import { begin, clearNotifications, takeAction, whenNotified } from '../../exporting';
import { suiteEnvironment } from '../../suiteEnvironment';

describe('Report Issue…', () => {
  before(startAfresh);
  after(clearNotifications);

  it('gives the versions and the end of the log, without the key, where VS Code has no reporter', async () => {
    await ask('How do I authenticate?');
    await vscode.env.clipboard.writeText('');
    const done = begin(commands.reportIssue);
    const isOpen = await Promise.race([
      done.then(() => true),
      whenNotified('can’t open its issue reporter').then(() => false),
    ]);
    // Desktop VS Code opens its reporter, which no test can read.
    if (isOpen) return;
    await takeAction('can’t open its issue reporter', 'Copy Report');
    await done;
    const report = await vscode.env.clipboard.readText();
    assert.match(report, /^Docs Assistant \d+\.\d+\.\d+, .+ \d+\.\d+\.\d+, /);
    assert.match(report, /^\d{4}-\d\d-\d\dT[\d:.]+Z \[(?:info|debug|warn)\] /m);
    const { site } = suiteEnvironment();
    for (const secret of [site.key, site.adminKey, os.homedir()]) {
      assert.ok(!report.includes(secret), report);
    }
  });
});
