import assert from 'node:assert/strict';
import {
  shellCommands,
  isUnderstoodBy,
  shellKindOf,
} from '../../../../src/chat/context/shellCommands';
import { languageOf, type ShellKind } from '../../../../src/shared/codeLanguages';

const commandsOf = (code: string, language = 'bash', kind: ShellKind = 'posix') => {
  const known = languageOf(language)?.shell;
  assert.ok(known);
  return shellCommands(code, known, kind);
};
const lineOf = (code: string, language?: string, kind?: ShellKind) =>
  commandsOf(code, language, kind)?.line;

describe('shell languages', () => {
  it('are those that a terminal takes, however they are written', () => {
    for (const name of ['sh', 'Bash', ' zsh', 'console', 'shell-session', 'PowerShell', 'bat']) {
      assert.ok(languageOf(name)?.shell, name);
    }
    for (const name of ['', 'ts', 'python', 'constructor', 'shellcheck']) {
      assert.equal(languageOf(name)?.shell, undefined, name);
    }
  });

  for (const [shell, kind] of [
    ['/bin/bash', 'posix'],
    ['gitbash', 'posix'],
    ['/usr/local/bin/fish', 'fish'],
    ['C:\\Windows\\System32\\cmd.exe', 'cmd'],
    ['C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'powershell'],
    ['', 'posix'],
  ] as const) {
    it(`take “${shell}” for ${kind}`, () => assert.equal(shellKindOf(shell), kind));
  }

  it('are understood by shells of their family', () => {
    const bash = languageOf('bash')?.shell;
    const session = languageOf('console')?.shell;
    assert.ok(bash && session);
    assert.ok(isUnderstoodBy(bash, 'fish') && isUnderstoodBy(session, 'cmd'));
    assert.ok(!isUnderstoodBy(bash, 'powershell'));
  });
});

describe('the commands of a code block', () => {
  for (const [name, code, line] of [
    ['one command', 'npm install\n', 'npm install'],
    ['several, each if the one before went well', 'cd app\n\nnpm i\n', 'cd app && npm i'],
    ['a continued line', 'docker run \\\n  -p 80:80 \\\n  nginx', 'docker run -p 80:80 nginx'],
    ['a pipe over two lines', 'cat x |\n  sort', 'cat x | sort'],
    ['comments', '# first\nnpm i # all\necho "#1" \'# 2\' a#b', 'npm i && echo "#1" \'# 2\' a#b'],
    [
      'a loop on one line',
      'for f in *; do echo $f; done\nls',
      'for f in *; do echo $f; done && ls',
    ],
    ['a semicolon at the end', 'cd app;\nls', 'cd app && ls'],
    ['a here-string', 'grep x <<< "$y"\nls', 'grep x <<< "$y" && ls'],
    ['an escaped quote', 'echo \\"x\nls', 'echo \\"x && ls'],
    ['prompts', '$ cd app\n$ npm i', 'cd app && npm i'],
    ['a prompt and what was printed', '$ npm -v\n11.0.0\n$ ls\na  b\n', 'npm -v && ls'],
    ['a prompt with user, host and folder', 'me@box:~/app$ ls\nx\nroot@box:/# id', 'ls && id'],
    [
      'a continued line below a prompt',
      '$ curl \\\n>   -X POST \\\n>   x.y\nok',
      'curl -X POST x.y',
    ],
    ['carriage returns', 'cd app\r\nls\r\n', 'cd app && ls'],
  ] as const) {
    it(`are read from ${name}`, () => assert.equal(lineOf(code), line));
  }

  it('are read from sessions by other prompts too', () => {
    assert.equal(lineOf('% ls\na b\n', 'console'), 'ls');
    assert.equal(lineOf('> npm i\n\nadded 1 package', 'console'), 'npm i');
    assert.equal(lineOf('PS C:\\app> dir\nout', 'console', 'powershell'), 'dir');
    assert.equal(lineOf('C:\\app>dir\nout', 'console', 'cmd'), 'dir');
    assert.equal(lineOf('npm i\nnpm t', 'console'), 'npm i && npm t');
  });

  for (const [name, code] of [
    ['a loop', 'for f in *\ndo\n  echo $f\ndone'],
    ['a condition', 'if true; then\n  ls\nfi'],
    ['a function', 'f() {\n  ls\n}\nf'],
    ['a here-document', 'cat > x <<EOF\n# text\nEOF'],
    ['a quote over lines', 'echo "a\nb"'],
    ['a command in the background', 'cd app\nserver &\ncurl x'],
    ['an end in the midst', 'ls |'],
  ] as const) {
    it(`stay lines where they belong together: ${name}`, () => {
      assert.deepEqual(commandsOf(`${code}\n`), { text: code, line: undefined });
    });
  }

  it('end with a block in a session, whose output is not a command', () => {
    const loop = '$ for f in *\n> do\n>   echo $f\n> done\na\nb\n$ ls\nc';
    assert.equal(commandsOf(loop)?.text, 'for f in *\ndo\n  echo $f\ndone\nls');
    assert.equal(commandsOf('$ cat <<EOF\na\nEOF\n$ ls\nb')?.text, 'cat <<EOF\na\nEOF\nls');
  });

  it('are joined as the shell that gets them takes them', () => {
    assert.equal(lineOf('cd app\nls', 'bash', 'powershell'), 'cd app; ls');
    assert.equal(lineOf('cd app\nls', 'bash', 'fish'), 'cd app && ls');
    assert.equal(lineOf('Get-Item `\n  x\nls # y', 'pwsh', 'powershell'), 'Get-Item x; ls');
    assert.equal(lineOf('rem first\ndir ^\n  /b\ncls', 'bat', 'cmd'), 'dir /b && cls');
    assert.equal(lineOf('ls | % {\n  $_\n}', 'pwsh', 'powershell'), undefined);
    assert.equal(lineOf('$x = @"\na\n"@', 'pwsh', 'powershell'), undefined);
  });

  it('hold nothing that cannot be seen', () => {
    const hidden = 'ls\u0003 -l\u202e x\u200b \u001b[31m\u0000\u007f';
    assert.equal(lineOf(hidden), 'ls -l x [31m');
    assert.equal(lineOf('ls\u00a0-l'), 'ls -l');
    assert.equal(lineOf('ls\u{e0020}\u{e002d}\u3164\ufe0f -l'), 'ls -l');
  });

  it('hold no tab, which a shell would take for a wish to complete', () => {
    assert.equal(lineOf('cat\ta.txt'), 'cat    a.txt');
    assert.equal(commandsOf('if true; then\n\tls\nfi')?.text, 'if true; then\n    ls\nfi');
    assert.equal(commandsOf('cat <<-EOF\n\ta\tb\n\tEOF')?.text, 'cat <<-EOF\na    b\nEOF');
  });

  it('are read from any text in linear time', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const code of [
      `a@${'a'.repeat(50_000)}`,
      `echo 'a${'\n'.repeat(100_000)}b`,
      '$ ls\nout\n'.repeat(20_000),
    ]) {
      commandsOf(code);
    }
  });

  it('are undefined if there is nothing to run', () => {
    for (const code of ['', '\n \n', '# only a comment', '$ \n']) {
      assert.equal(commandsOf(code), undefined, code);
    }
  });

  it('show what runs, one command a line', () => {
    assert.equal(commandsOf('$ cd app\nout\n$ npm \\\n> i')?.text, 'cd app\nnpm i');
  });
});
