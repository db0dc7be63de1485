/**
 * Translates in processes that VS Code's own `l10n` doesn't reach: the local docs service and the
 * command line. Reads the bundles in `l10n/` with Node's own file system.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setNumberLanguage } from '../shared/units';
import { fill } from '../shared/fill';
import type { Translate } from './errors';

/** Variable that names the language of a process that the extension host starts. */
export const LANGUAGE_VARIABLE = 'DOCS_ASSISTANT_LANGUAGE';

/**
 * Returns the language that the environment asks for as a BCP 47 tag, such as `de-AT`. The extension
 * host's choice comes first, then the locale as POSIX reads it: the first of `LC_ALL`, `LC_MESSAGES`
 * and `LANG` that is set. English if none names a language.
 */
export function environmentLanguage(env: Readonly<Record<string, string | undefined>>): string {
  const names = [LANGUAGE_VARIABLE, 'LC_ALL', 'LC_MESSAGES', 'LANG'];
  const set = names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const tag = (set ?? '').replace(/[.@].*$/, '').replaceAll('_', '-');
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag) ? tag : 'en';
}

/** Folders that can hold the bundles: this file is in `dist` or in `dist/chunks`, beside `l10n`. */
const shippedFolders = ['../l10n/', '../../l10n/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/**
 * Sets the language of the process and returns the function that translates into it. A language
 * without a bundle, or with one that can't be read, is English.
 */
export function speak(language: string, folders: readonly string[] = shippedFolders): Translate {
  const tags = [language, language.split('-')[0] ?? ''].map((tag) => tag.toLowerCase());
  for (const tag of new Set(tags)) {
    for (const folder of folders) {
      const texts = readBundle(path.join(folder, `bundle.l10n.${tag}.json`));
      if (!texts) continue;
      setNumberLanguage(language);
      return (message, ...args) => {
        const text = texts[message];
        return fill(typeof text === 'string' ? text : message, ...args);
      };
    }
  }
  return fill;
}

function readBundle(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const texts: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof texts === 'object' && texts !== null ? { ...texts } : undefined;
  } catch {
    return undefined;
  }
}
