import { withoutUndefined } from '../../common/withoutUndefined';
/** A package that a source file uses. */
export interface ImportedPackage {
  /** Name under which people look it up: `@acme/sdk`, `requests`, `github.com/acme/client-go`. */
  readonly name: string;
  /** The first name that is imported from the package. Absent if the import names none. */
  readonly symbol?: string;
}

interface Import {
  readonly module: string;
  readonly symbols?: string | undefined;
}

interface Language {
  readonly imports: (text: string) => readonly Import[];
  /**
   * Returns the package of a module, or undefined for a module of the language or the project. What
   * can't be the name of a package, such as `..` and `_native`, is left out afterwards.
   */
  readonly packageOf: (module: string) => string | undefined;
}

/** Most imports of a file that are read. */
const MAX_IMPORTS = 200;

/**
 * Returns the packages that a source file imports, in order, each once. Modules of the language and
 * files of the project are left out. Returns an empty list for an unknown language.
 */
export function importedPackages(languageId: string, text: string): ImportedPackage[] {
  const found = new Map<string, ImportedPackage>();
  for (const { name, symbols } of packageImports(languageId, text)) {
    if (found.has(name)) continue;
    const symbol = firstSymbol(symbols);
    found.set(name, withoutUndefined({ name, symbol }));
  }
  return [...found.values()];
}

/**
 * Returns the names that a source file imports from each package, by the name of the package:
 * `Client` for `import { ApiClient as Client } from '@acme/sdk'`. The package's own name isn't
 * among them.
 */
export function importedNames(
  languageId: string,
  text: string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, module, symbols } of packageImports(languageId, text)) {
    // In languages whose imports name no symbols, a module can end with the name of a class.
    const [className] = /[A-Z][\w$]*$/.exec(module) ?? [];
    const names = [...localNames(symbols), ...(className === undefined ? [] : [className])];
    found.set(name, [...new Set([...(found.get(name) ?? []), ...names])]);
  }
  return found;
}

function packageImports(
  languageId: string,
  text: string,
): readonly (Import & { readonly name: string })[] {
  const language = Object.hasOwn(languages, languageId) ? languages[languageId] : undefined;
  if (!language) return [];
  return language
    .imports(text)
    .slice(0, MAX_IMPORTS)
    .flatMap((found) => {
      const name = language.packageOf(found.module);
      return name === undefined || !isPlainName(name) ? [] : [{ ...found, name }];
    });
}

/** Returns the last name of each imported symbol: `B` for `A as B` and for `default: B`. */
function localNames(symbols = ''): string[] {
  return symbols.split(/[,{}()]/).flatMap((symbol) => {
    const [name] = /[\p{L}_$][\p{L}\p{N}_$]{0,60}$/u.exec(symbol.trim()) ?? [];
    return name === undefined || name === 'type' ? [] : [name];
  });
}

const isPlainName = (name: string): boolean =>
  name.length <= 80 && /^[@\p{L}\p{N}][\p{L}\p{N}@/._:\\-]*$/u.test(name);

/**
 * Returns the first imported symbol: `A` for `{ type A as B, C }` and for the default import `A`,
 * and undefined for `* as all`.
 */
function firstSymbol(symbols: string | undefined): string | undefined {
  const first = symbols?.replace(/^\s*(?:type\b)?[\s({]*/, '').split(',')[0] ?? '';
  const [, name] = /^(?:type\s+)?([\p{L}_$][\p{L}\p{N}_$]{0,60})(?=\s|\)|\}|$)/u.exec(first) ?? [];
  return name;
}

/**
 * Returns a function that finds all matches, each with the groups `module` and, if present,
 * `symbols`.
 */
const matches =
  (...patterns: readonly RegExp[]) =>
  (text: string): Import[] =>
    patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .sort((a, b) => a.index - b.index)
      .map(({ groups = {} }) => ({ module: groups['module'] ?? '', symbols: groups['symbols'] }));

const javaScript: Language = {
  imports: matches(
    /^[ \t]*(?:import|export)\b(?<symbols>[^'"`;=()]{0,2000}?)\bfrom[ \t]*['"](?<module>[^'"\n]+)['"]/gm,
    /^[ \t]*import[ \t]*['"](?<module>[^'"\n]+)['"]/gm,
    /^[ \t]*(?:const|let|var)[ \t]+(?:(?<symbols>\{[^}=]{0,500}\})|[\w$]+)[ \t]*=[ \t]*(?:await[ \t]+import|require)\([ \t]*['"](?<module>[^'"\n]+)['"]/gm,
  ),
  packageOf: (module) => {
    // These are aliases of the project, URLs and Node's modules.
    if (/^@\/|^[a-z][a-z+.-]*:/i.test(module)) return undefined;
    const parts = module.split('/');
    const name = module.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
    if (name.startsWith('@') && parts.length < 2) return undefined;
    return nodeModules.has(name) ? undefined : name;
  },
};

const jvm: Language = {
  imports: matches(/^[ \t]*import[ \t]+(?:static[ \t]+)?(?<module>[\w.]+)/gm),
  packageOf: (module) => {
    if (/^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|android|androidx|groovy)\./.test(module)) {
      return undefined;
    }
    const parts = module.split('.');
    const upper = parts.findIndex((part) => /^[A-Z]/.test(part));
    const packages = upper < 0 ? parts : parts.slice(0, upper);
    // A package name with a single part is hardly ever that of a library.
    return packages.length < 2 ? undefined : packages.slice(0, 3).join('.');
  },
};

const languages: Readonly<Record<string, Language>> = {
  javascript: javaScript,
  javascriptreact: javaScript,
  typescript: javaScript,
  typescriptreact: javaScript,
  vue: javaScript,
  svelte: javaScript,
  python: {
    imports: (text) =>
      matches(
        /^[ \t]*from[ \t]+(?<module>[\w.]+)[ \t]+import[ \t]+(?<symbols>\(?[^\n#;]{0,500})/gm,
        /^[ \t]*import[ \t]+(?<module>[\w.][^\n#;]{0,500})/gm,
      )(text).flatMap(({ module, symbols }) =>
        // One statement can import several modules: `import os, requests as r`.
        module.split(',').map((each) => ({ module: each.trim(), symbols })),
      ),
    packageOf: (module) => {
      const [name = ''] = /^\w*/.exec(module) ?? [];
      return pythonModules.has(name) ? undefined : name;
    },
  },
  go: {
    imports: (text) => {
      const blocks = [...text.matchAll(/^import[ \t]*\((?<block>[^)]{0,10000})\)/gm)];
      const single = matches(/^import[ \t]+(?:[\w.]+[ \t]+)?"(?<module>[^"\n]+)"/gm)(text);
      const grouped = blocks.flatMap(({ groups }) =>
        matches(/^[ \t]*(?:[\w.]+[ \t]+)?"(?<module>[^"\n]+)"/gm)(groups?.['block'] ?? ''),
      );
      return [...single, ...grouped];
    },
    // Packages of the standard library don't begin with a host.
    packageOf: (module) =>
      /^[^/]+\.[^/]+\//.test(module) ? module.split('/').slice(0, 3).join('/') : undefined,
  },
  java: jvm,
  kotlin: jvm,
  groovy: jvm,
  scala: jvm,
  rust: {
    imports: matches(
      /^[ \t]*(?:pub[ \t]+)?use[ \t]+(?:::)?(?<module>\w+)(?:::(?<symbols>\w+|\{[^}]{0,500}))?/gm,
      /^[ \t]*extern[ \t]+crate[ \t]+(?<module>\w+)/gm,
    ),
    packageOf: (module) =>
      /^(?:std|core|alloc|proc_macro|test|crate|self|super)$/.test(module) ? undefined : module,
  },
  csharp: {
    imports: matches(
      /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?<module>[A-Z][\w.]*)[ \t]*;/gm,
    ),
    packageOf: (module) =>
      /^(?:System|Microsoft|Windows)(?:\.|$)/.test(module)
        ? undefined
        : module.split('.').slice(0, 2).join('.'),
  },
  php: {
    imports: matches(
      /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?(?<module>[A-Z]\w*(?:\\\w+)+)/gm,
    ),
    packageOf: (module) =>
      /^(?:App|Tests|Database)\\/.test(module)
        ? undefined
        : module.split('\\').slice(0, 2).join('\\'),
  },
  ruby: {
    imports: matches(/^[ \t]*require[ \t(]+['"](?<module>[^'"\n]+)['"]/gm),
    packageOf: (module) => {
      const name = module.split('/')[0] ?? '';
      return rubyLibraries.has(name) ? undefined : name;
    },
  },
  swift: {
    imports: matches(
      /^[ \t]*(?:@testable[ \t]+)?import[ \t]+(?:class[ \t]+|struct[ \t]+)?(?<module>\w+)/gm,
    ),
    packageOf: (module) => (appleFrameworks.has(module) ? undefined : module),
  },
  dart: {
    imports: matches(/^[ \t]*import[ \t]+['"]package:(?<module>[^'"\n/]+)/gm),
    packageOf: (module) => module,
  },
};

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const nodeModules = words(`
  assert async_hooks buffer child_process cluster console constants crypto dgram dns domain events fs
  http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
  stream string_decoder sys timers tls tty url util v8 vm worker_threads zlib bun electron vscode
`);

const pythonModules = words(`
  abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar cmath cmd codecs
  collections concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime
  decimal difflib dis doctest email enum errno fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib
  importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox
  marshal math mimetypes mmap multiprocessing netrc numbers operator os pathlib pdb pickle pkgutil
  platform plistlib poplib posixpath pprint profile pty pwd queue quopri random re readline reprlib
  resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket
  socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig
  syslog tarfile tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace
  traceback tracemalloc tty turtle types typing typing_extensions unicodedata unittest urllib uuid venv
  warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);

const rubyLibraries = words(`
  English base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb erb etc
  fiddle fileutils find forwardable io ipaddr irb json logger matrix minitest monitor net objspace
  observer open-uri open3 openssl optparse ostruct pathname pp prime pstore psych rbconfig readline
  resolv ripper rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile
  test time timeout tmpdir tsort un uri weakref yaml zlib
`);

const appleFrameworks = words(`
  AVFoundation AVKit AppKit Cocoa Combine CoreData CoreFoundation CoreGraphics CoreImage
  CoreLocation CoreML CoreText Darwin Dispatch Foundation Glibc MapKit Metal Observation OSLog
  PackageDescription Photos PhotosUI QuartzCore SceneKit Security SpriteKit StoreKit Swift SwiftData
  SwiftUI Testing UIKit UserNotifications Vision WebKit XCTest os
`);
