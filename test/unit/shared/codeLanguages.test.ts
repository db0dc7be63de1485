import assert from 'node:assert/strict';
import { languageOf } from '../../../src/shared/codeLanguages';

describe('the language of a code block', () => {
  it('is found by each of its names, however they are written', () => {
    for (const [written, name, grammar] of [
      ['ts', 'TypeScript', 'typescript'],
      ['TypeScript', 'TypeScript', 'typescript'],
      ['JSX', 'JSX', 'tsx'],
      ['c#', 'C#', 'csharp'],
      ['yml', 'YAML', 'yaml'],
      ['sh', 'Shell', 'shellscript'],
      ['console', 'Shell', 'shellsession'],
      ['json5', 'JSON', 'jsonc'],
    ] as const) {
      assert.equal(languageOf(written)?.name, name, written);
      assert.equal(languageOf(written)?.grammar, grammar, written);
    }
  });

  it('is not known by other names, those of objects among them', () => {
    for (const written of ['', 'klingon', 'constructor', '__proto__', 'toString', 'ts js']) {
      assert.equal(languageOf(written), undefined, written);
    }
  });

  it('is one for a terminal only where its code is commands', () => {
    const shells = ['bash', 'sh', 'zsh', 'console', 'powershell', 'bat', 'fish', 'curl'];
    shells.push('ksh', 'shell-session', 'sh-session', 'shellsession', 'terminal', 'pwsh', 'cmd');
    for (const written of shells) assert.ok(languageOf(written)?.shell, written);
    for (const written of ['ts', 'python', 'json', 'html']) {
      assert.equal(languageOf(written)?.shell, undefined, written);
    }
  });
});
