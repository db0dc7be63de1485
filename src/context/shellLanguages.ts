/** How shells take one command after another. */
export type ShellKind = 'posix' | 'fish' | 'powershell' | 'cmd';

/** A language of code fences that a terminal understands. */
export interface ShellLanguage {
  /** For people. */
  readonly name: string;
  /** Undefined where any shell may be meant. */
  readonly kind: ShellKind | undefined;
  /** What a terminal showed: commands behind their prompts, and what they printed. */
  readonly isSession: boolean;
}

const posix: ShellLanguage = { name: 'Shell', kind: 'posix', isSession: false };
const session: ShellLanguage = { name: 'Shell', kind: undefined, isSession: true };
const powershell: ShellLanguage = { name: 'PowerShell', kind: 'powershell', isSession: false };
const batch: ShellLanguage = { name: 'Batch', kind: 'cmd', isSession: false };

const shellLanguages: ReadonlyMap<string, ShellLanguage> = new Map([
  ['bash', posix],
  ['curl', { ...posix, kind: undefined }],
  ['ksh', posix],
  ['sh', posix],
  ['shell', posix],
  ['shellscript', posix],
  ['zsh', posix],
  ['fish', { name: 'Fish', kind: 'fish', isSession: false }],
  ['console', session],
  ['shell-session', session],
  ['shellsession', session],
  ['sh-session', session],
  ['terminal', session],
  ['powershell', powershell],
  ['ps1', powershell],
  ['pwsh', powershell],
  ['bat', batch],
  ['batch', batch],
  ['cmd', batch],
]);

/** @param language as it stands behind a fence. */
export function shellLanguage(language: string): ShellLanguage | undefined {
  return shellLanguages.get(language.trim().toLowerCase());
}

/** @param shell a path or a name, such as `/bin/zsh`, `pwsh.exe` or `gitbash`. */
export function shellKindOf(shell: string): ShellKind {
  const name = shell
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.exe$/i, '')
    .toLowerCase();
  if (name === 'fish' || name === 'cmd') return name;
  // Nushell too takes a semicolon, and no `&&`.
  return name === 'pwsh' || name === 'powershell' || name === 'nu' ? 'powershell' : 'posix';
}

/** True if commands of one kind mostly mean the same to a shell of the other. */
export function isUnderstoodBy(language: ShellLanguage, kind: ShellKind): boolean {
  const family = (of: ShellKind): string => (of === 'fish' ? 'posix' : of);
  return language.kind === undefined || family(language.kind) === family(kind);
}
