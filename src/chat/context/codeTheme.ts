/**
 * Reads the colors for code from VS Code's color themes and the reader's settings. Anyone can write
 * a theme, so unusable parts are left out and nothing here throws.
 */
import { withoutByteOrderMark } from '../../shared/characters';
import { parse } from 'jsonc-parser';
import * as v from 'valibot';
import type { CodeThemeView } from '../../shared/protocol';
import { withoutUndefined } from '../../common/withoutUndefined';

/**
 * Most rules of one theme, with those of its includes and the reader's own. Further rules are left
 * out.
 */
const MAX_RULES = 5_000;
const MAX_SCOPES_PER_RULE = 200;
const MAX_SCOPE_LENGTH = 300;

type Rule = CodeThemeView['rules'][number];

/** Content of one theme file. */
export interface ThemeFile {
  /** Path of the theme that this one extends, relative to its own file. */
  readonly include?: string;
  /** Path of the file with the rules, if they are in another file, relative to this one. */
  readonly rulesPath?: string;
  /** `editor.foreground`. */
  readonly foreground?: string;
  readonly rules: readonly Rule[];
}

const text = v.pipe(v.string(), v.maxLength(1_000));
const fileSchema = v.object({
  include: v.optional(v.fallback(v.optional(text), undefined)),
  colors: v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {}),
  tokenColors: v.optional(v.fallback(v.union([text, v.array(v.unknown())]), []), []),
});

const scopeList = v.union([
  v.pipe(
    v.string(),
    v.transform((scopes) => scopes.split(',')),
  ),
  v.pipe(
    v.array(v.string()),
    v.transform((scopes) => scopes.flatMap((scope) => scope.split(','))),
  ),
]);

const ruleSchema = v.object({
  scope: v.optional(v.fallback(v.optional(scopeList), undefined)),
  settings: v.object({
    foreground: v.optional(v.unknown()),
    fontStyle: v.optional(v.unknown()),
  }),
});

/** @returns undefined if the text isn't a theme. */
export function parseThemeFile(source: string): ThemeFile | undefined {
  const file = v.safeParse(fileSchema, parseJsonc(source));
  if (!file.success) return undefined;
  const { include, colors, tokenColors } = file.output;
  const foreground = readColor(colors['editor.foreground']);
  return withoutUndefined({
    include,
    rulesPath: typeof tokenColors === 'string' ? tokenColors : undefined,
    foreground,
    rules: typeof tokenColors === 'string' ? [] : readRules(tokenColors),
  });
}

/** Returns the rules of a rules file: an array, or an object with `tokenColors` or `settings`. */
export function parseRulesFile(source: string): readonly Rule[] {
  const content = parseJsonc(source);
  if (Array.isArray(content)) return readRules(content);
  const held = v.safeParse(
    v.object({ tokenColors: v.optional(v.unknown()), settings: v.optional(v.unknown()) }),
    content,
  );
  if (!held.success) return [];
  return readRules(held.output.tokenColors ?? held.output.settings);
}

/** Scopes of the simple settings in `editor.tokenColorCustomizations`, as VS Code has them. */
const simpleScopes: Readonly<Record<string, readonly string[]>> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
};

/**
 * Returns the rules of `editor.tokenColorCustomizations` for a theme. Rules for all themes come
 * first.
 * @param themeName value of `workbench.colorTheme`.
 */
export function customRules(setting: unknown, themeName: string): readonly Rule[] {
  const values = recordOf(setting);
  if (!values) return [];
  const forTheme = Object.entries(values).filter(
    ([key]) => key.startsWith('[') && namesTheme(key, themeName),
  );
  return [values, ...forTheme.map(([, section]) => recordOf(section) ?? {})].flatMap(sectionRules);
}

/** @param files the files that the theme includes, then the theme's own file. */
export function mergeTheme(
  kind: CodeThemeView['kind'],
  files: readonly ThemeFile[],
  custom: readonly Rule[],
): CodeThemeView {
  const rules = [...files.flatMap((file) => file.rules), ...custom];
  const own = files.findLast(({ foreground }) => foreground !== undefined)?.foreground;
  const general = rules.findLast(({ scope, foreground }) => scope.length === 0 && foreground);
  const isLight = kind === 'light' || kind === 'hc-light';
  return {
    kind,
    foreground: own ?? general?.foreground ?? (isLight ? '#000000' : '#ffffff'),
    // Later rules win, so the limit drops the included rules first, not those of the theme or the
    // reader.
    rules: rules.filter(({ scope }) => scope.length > 0).slice(-MAX_RULES),
  };
}

function sectionRules(section: Record<string, unknown>): readonly Rule[] {
  const simple = Object.entries(simpleScopes).flatMap(([name, scope]): Rule[] => {
    const value = Object.hasOwn(section, name) ? section[name] : undefined;
    const style = styleOf(typeof value === 'string' ? { foreground: value } : recordOf(value));
    return style ? [{ scope, ...style }] : [];
  });
  return [...simple, ...readRules(section['textMateRules'])];
}

/** Returns whether a key such as `[Theme]`, `[One][Two]` or `[*Light*]` names the theme. */
function namesTheme(key: string, themeName: string): boolean {
  const names = [...key.slice(0, 1_000).matchAll(/\[([^\]]+)\]/g)].map(([, name = '']) => name);
  return names.some((name) => matchesWildcard(name, themeName));
}

function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  const last = rest.pop() ?? '';
  for (const piece of rest) {
    const at = name.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

function readRules(given: unknown): readonly Rule[] {
  if (!Array.isArray(given)) return [];
  return given.slice(0, MAX_RULES).flatMap((entry: unknown): Rule[] => {
    const parsed = v.safeParse(ruleSchema, entry);
    if (!parsed.success) return [];
    const style = styleOf(parsed.output.settings);
    if (!style) return [];
    const named = parsed.output.scope;
    const scope = (named ?? [])
      .map((name) => name.trim())
      .filter((name) => name !== '' && name.length <= MAX_SCOPE_LENGTH)
      .slice(0, MAX_SCOPES_PER_RULE);
    // A rule without scopes applies to everything. A rule whose scopes are all unusable must not
    // become one.
    return named !== undefined && scope.length === 0 ? [] : [{ scope, ...style }];
  });
}

function styleOf(
  settings: { readonly foreground?: unknown; readonly fontStyle?: unknown } | undefined,
): Omit<Rule, 'scope'> | undefined {
  const foreground = readColor(settings?.foreground);
  const fontStyle = readFontStyle(settings?.fontStyle);
  if (foreground === undefined && fontStyle === undefined) return undefined;
  return withoutUndefined({ foreground, fontStyle });
}

function readColor(value: unknown): string | undefined {
  return typeof value === 'string' && /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value)
    ? value.toLowerCase()
    : undefined;
}

/** @returns an empty text for "no style", which overrides the style of a broader rule. */
function readFontStyle(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const known = new Set(['italic', 'bold', 'underline', 'strikethrough']);
  return [...new Set(value.slice(0, 200).split(/\s+/))].filter((word) => known.has(word)).join(' ');
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  const parsed = v.safeParse(v.record(v.string(), v.unknown()), value);
  return parsed.success && !Array.isArray(value) ? parsed.output : undefined;
}

function parseJsonc(source: string): unknown {
  try {
    return parse(withoutByteOrderMark(source), [], { allowTrailingComma: true });
  } catch {
    // The text is nested so deeply that the parser overflowed the stack.
    return undefined;
  }
}
