import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  CHECK_REPORT_SCHEME,
  commands,
  COMPARED_PAGE_SCHEME,
  COMPARISON_SCHEME,
  contextKeys,
  exportCommands,
  exportSettings,
  settings,
  workspaceSettings,
} from '../../../src/common/contributions';

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Setting {
  readonly scope?: string;
}

const { activationEvents, contributes, capabilities, extensionKind } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as {
  activationEvents: string[];
  contributes: {
    menus: Record<'commandPalette' | 'view/title', MenuItem[]>;
    configuration: { properties: Record<string, Setting> }[];
  };
  capabilities: {
    untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] };
    virtualWorkspaces: { supported: string };
  };
  extensionKind: string[];
};

describe('the activation events of package.json', () => {
  it('provide the documents that VS Code restores when the window is loaded again', () => {
    for (const scheme of [COMPARED_PAGE_SCHEME, COMPARISON_SCHEME, CHECK_REPORT_SCHEME]) {
      assert.ok(activationEvents.includes(`onFileSystem:${scheme}`), scheme);
    }
  });
});

describe('the capabilities of package.json', () => {
  // Shows faults.md E10.
  it('let the chat work without trust and in virtual workspaces, beside the files', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = capabilities;
    assert.deepEqual(
      [untrustedWorkspaces.supported, virtualWorkspaces.supported, extensionKind],
      ['limited', 'limited', ['workspace']],
    );
  });
});

describe('the settings of package.json', () => {
  const userSettings = [settings.baseUrl, settings.fp, exportSettings.apiUrl];
  const scopes = new Map(
    contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties).map(([name, { scope }]) => [name, scope] as const),
    ),
  );

  // Shows faults.md O11.
  it('let no workspace choose where a key or an identifier goes, and reach remote windows', () => {
    assert.deepEqual(
      [...scopes].flatMap(([name, scope]) => (scope === 'application' ? [name] : [])).sort(),
      [...userSettings].sort(),
    );
  });

  it('are per machine only where the machine matters', () => {
    const ofMachine = [...scopes].filter(([, scope]) => scope?.startsWith('machine') === true);
    assert.deepEqual(ofMachine, [[settings.historySizeLimit, 'machine']]);
  });

  it('name no model and no endpoint of one, so that no workspace chooses who gets the questions', () => {
    assert.deepEqual(
      [...scopes.keys()].filter((name) => /model|endpoint|answerWith/i.test(name)),
      [],
    );
  });

  it('that name a site are ignored in a workspace that is not trusted', () => {
    const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const setting of [
      ...userSettings,
      settings.domain,
      exportSettings.exportDomain,
      workspaceSettings.recommendedSites,
    ]) {
      assert.ok(restricted.includes(setting), setting);
    }
  });
});

describe('the menus of package.json', () => {
  for (const [command, key] of [
    [commands.stopReply, contextKeys.isReplyRunning],
    [commands.retryReply, contextKeys.canRetry],
    [commands.answerWith, contextKeys.canAnswerWith],
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

describe('the walkthrough of package.json', () => {
  for (const file of readdirSync('.').filter((name) => /^package\.nls.*\.json$/.test(name))) {
    it(`has every picture that ${file} names`, () => {
      const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      const pictures = Object.entries(texts).flatMap(([key, text]) =>
        key.startsWith('walkthrough.') && key.includes('.image.') ? [text] : [],
      );
      assert.equal(pictures.length, 8);
      for (const picture of pictures) assert.ok(existsSync(picture), picture);
    });
  }
});
