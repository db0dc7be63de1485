import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../common/disposable';
import { Emitter } from '../../../common/event';
import type { Log } from '../../../common/ports';
import {
  customRules,
  mergeTheme,
  parseRulesFile,
  parseThemeFile,
  type ThemeFile,
} from '../../../chat/context/codeTheme';
import type { CodeThemeView } from '../../../shared/protocol';
import { textSetting } from '../../settings';

/**
 * Maximum number of files that are read of a theme. A theme can include another one, which can
 * include the next.
 */
const MAX_FILES = 10;
const MAX_FILE_BYTES = 4_000_000;

const contributedThemes = v.object({
  contributes: v.object({
    themes: v.array(
      v.object({
        id: v.optional(v.string()),
        label: v.optional(v.string()),
        uiTheme: v.optional(v.string()),
        path: v.string(),
      }),
    ),
  }),
});

interface ThemeSource {
  /** The value that selects it in `workbench.colorTheme`. */
  readonly name: string;
  readonly kind: CodeThemeView['kind'];
  readonly extension: vscode.Uri;
  readonly path: string;
}

/** Settings that select the theme or change its colors. */
const relevantSettings = [
  'workbench.colorTheme',
  'workbench.preferredDarkColorTheme',
  'workbench.preferredLightColorTheme',
  'workbench.preferredHighContrastColorTheme',
  'workbench.preferredHighContrastLightColorTheme',
  'window.autoDetectColorScheme',
  'window.autoDetectHighContrast',
  'editor.tokenColorCustomizations',
];

/**
 * The colors of the current color theme for code. They are read on demand and kept until they
 * change.
 */
export class CodeThemes implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #log: Log;
  #view: Promise<CodeThemeView | undefined> | undefined;

  /** Fires when {@link view} can return other colors. */
  readonly onDidChange = this.#changed.event;

  constructor(log: Log) {
    this.#log = log;
    const forget = (): void => {
      if (this.#view === undefined) return;
      this.#view = undefined;
      this.#changed.fire();
    };
    this.#store.add(vscode.window.onDidChangeActiveColorTheme(forget));
    this.#store.add(vscode.extensions.onDidChange(forget));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (relevantSettings.some((setting) => event.affectsConfiguration(setting))) forget();
      }),
    );
  }

  /**
   * Returns the theme's colors, or undefined if it can't be read. The view has its own colors for
   * that case.
   */
  view(): Promise<CodeThemeView | undefined> {
    this.#view ??= readTheme().catch((error: unknown) => {
      // The message is not logged, because it can contain a path of the user's machine.
      const name = error instanceof Error ? error.name : 'Unknown failure';
      this.#log.warn(`Could not read the color theme: ${name}`);
      return undefined;
    });
    return this.#view;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

async function readTheme(): Promise<CodeThemeView | undefined> {
  const theme = activeTheme();
  if (!theme) return undefined;
  const files = await readThemeFiles(theme);
  if (!files) return undefined;
  const setting = vscode.workspace.getConfiguration('editor').get('tokenColorCustomizations');
  return mergeTheme(theme.kind, files, customRules(setting, theme.name));
}

/**
 * Returns the theme on screen: the first theme in the settings whose kind VS Code reports as
 * active.
 */
function activeTheme(): ThemeSource | undefined {
  const { kind } = vscode.window.activeColorTheme;
  const workbench = vscode.workspace.getConfiguration('workbench');
  const name = (setting: string): string => textSetting(workbench, setting);
  const chosen = name('colorTheme');
  const preferred = {
    [vscode.ColorThemeKind.Dark]: { kind: 'dark', name: name('preferredDarkColorTheme') },
    [vscode.ColorThemeKind.Light]: { kind: 'light', name: name('preferredLightColorTheme') },
    [vscode.ColorThemeKind.HighContrast]: {
      kind: 'hc-dark',
      name: name('preferredHighContrastColorTheme'),
    },
    [vscode.ColorThemeKind.HighContrastLight]: {
      kind: 'hc-light',
      name: name('preferredHighContrastLightColorTheme'),
    },
  }[kind];
  const followsSystem = vscode.workspace
    .getConfiguration('window')
    .get<boolean>('autoDetectColorScheme', false);
  const names = followsSystem ? [preferred.name, chosen] : [chosen, preferred.name];
  const themes = allThemes();
  for (const wanted of names) {
    const found = themes.find((theme) => theme.name === wanted && theme.kind === preferred.kind);
    if (found) return found;
  }
  return undefined;
}

function allThemes(): readonly ThemeSource[] {
  return vscode.extensions.all.flatMap(({ packageJSON, extensionUri }): ThemeSource[] => {
    const parsed = v.safeParse(contributedThemes, packageJSON);
    if (!parsed.success) return [];
    return parsed.output.contributes.themes.map(({ id, label, uiTheme, path }) => ({
      name: id ?? label ?? '',
      kind: kindOf(uiTheme),
      extension: extensionUri,
      path,
    }));
  });
}

function kindOf(uiTheme: string | undefined): CodeThemeView['kind'] {
  switch (uiTheme) {
    case 'vs':
      return 'light';
    case 'hc-black':
      return 'hc-dark';
    case 'hc-light':
      return 'hc-light';
    default:
      return 'dark';
  }
}

/** Returns the theme's files, included files first, or undefined if its own file can't be read. */
async function readThemeFiles(theme: ThemeSource): Promise<readonly ThemeFile[] | undefined> {
  const files: ThemeFile[] = [];
  const read = new Set<string>();
  let next: vscode.Uri | undefined = vscode.Uri.joinPath(theme.extension, theme.path);
  while (next && read.size < MAX_FILES) {
    const address: vscode.Uri = next;
    if (read.has(address.toString()) || !isWithin(theme.extension, address)) break;
    read.add(address.toString());
    // A theme still has its own rules if an included file can't be read.
    const source = files.length === 0 ? await readText(address) : await readIfThere(address);
    const file = source === undefined ? undefined : parseThemeFile(source);
    if (!file) break;
    files.unshift(await withRules(file, address, theme));
    next =
      file.include === undefined ? undefined : vscode.Uri.joinPath(address, '..', file.include);
  }
  return files.length === 0 ? undefined : files;
}

async function withRules(
  file: ThemeFile,
  address: vscode.Uri,
  theme: ThemeSource,
): Promise<ThemeFile> {
  if (file.rulesPath === undefined) return file;
  const rulesAddress = vscode.Uri.joinPath(address, '..', file.rulesPath);
  const source = isWithin(theme.extension, rulesAddress)
    ? await readIfThere(rulesAddress)
    : undefined;
  return source === undefined ? file : { ...file, rules: parseRulesFile(source) };
}

/**
 * Returns whether a file is inside the folder. Only files of the theme's own extension are read.
 */
function isWithin(folder: vscode.Uri, file: vscode.Uri): boolean {
  const root = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return file.scheme === folder.scheme && file.path.startsWith(root);
}

async function readIfThere(address: vscode.Uri): Promise<string | undefined> {
  try {
    return await readText(address);
  } catch {
    return undefined;
  }
}

async function readText(address: vscode.Uri): Promise<string | undefined> {
  // Older themes are property lists, which are not supported.
  if (!/\.jsonc?$/i.test(address.path)) return undefined;
  const { size } = await vscode.workspace.fs.stat(address);
  if (size > MAX_FILE_BYTES) return undefined;
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(address));
}
