import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { commands, contextKeys, exportCommands } from '../../../src/common/contributions';

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { menus: Record<'commandPalette' | 'view/title', MenuItem[]> };
};

describe('the menus of package.json', () => {
  for (const [command, key] of [
    [commands.stopReply, contextKeys.isReplyRunning],
    [commands.retryReply, contextKeys.canRetry],
    [commands.stopLocalService, contextKeys.isLocalServiceRunning],
    [exportCommands.removeAdminKey, contextKeys.hasAdminKey],
    [exportCommands.startAgain, contextKeys.canStartAgain],
    [exportCommands.watchExport, contextKeys.canWatchExport],
    [exportCommands.stopWatching, contextKeys.isWatchingExport],
    [exportCommands.removeExport, contextKeys.hasExports],
    [exportCommands.renewLink, contextKeys.hasCompletedExport],
    [exportCommands.openPreview, contextKeys.isPreviewRunning],
    [exportCommands.stopPreview, contextKeys.isPreviewRunning],
  ] as const) {
    it(`show ${command} in the palette only with ${key}`, () => {
      const items = contributes.menus.commandPalette.filter((item) => item.command === command);
      assert.deepEqual(items, [{ command, when: key }]);
    });
  }

  it('show no command twice in a view’s title', () => {
    const shown = contributes.menus['view/title'].map(({ command, when = '' }) => {
      const [view = ''] = /view == [\w.]+/.exec(when) ?? [];
      return `${view}: ${command}`;
    });
    assert.deepEqual(shown, [...new Set(shown)]);
  });

  it('show New Thread and Open Earlier Thread as buttons in the title of the chat', () => {
    const buttons = contributes.menus['view/title'].filter(
      ({ when, group }) =>
        when?.includes('chat') === true && group?.startsWith('navigation') === true,
    );
    assert.deepEqual(
      buttons.map(({ command }) => command),
      [commands.newThread, commands.openThread],
    );
  });
});
