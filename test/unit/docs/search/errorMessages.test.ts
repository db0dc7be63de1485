import assert from 'node:assert/strict';
import { parsePage } from '../../../../src/docs/pages/page';
import { ErrorMessages, partQuestion } from '../../../../src/docs/search/errorMessages';
import { buildQuery, type QuestionContextItem } from '../../../../src/docs/search/query';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { processorMs } from '../../../builders/processorTime';
import { aQuestion, filler, indexOf } from '../../service/docs';

const attached = (value: string): QuestionContextItem => ({ type: 'textSelection', value });

/** Returns the messages that attached output has. */
const messagesIn = (output: string): readonly string[] =>
  partQuestion('Why?', [output]).messages.texts;

describe('the messages of errors', () => {
  for (const [line, message] of [
    ["TypeError: Cannot read 'a'", "TypeError: Cannot read 'a'"],
    ['Uncaught RangeError: too deep', 'Uncaught RangeError: too deep'],
    ['Error [ERR_NO_MODULE]: not found', 'Error [ERR_NO_MODULE]: not found'],
    ['Module not found: Error: no such file', 'Module not found: Error: no such file'],
    ['[vite] Internal server error: no such file', '[vite] Internal server error: no such file'],
    ['src/a.ts(3,5): error TS2322: Not a type.', 'error TS2322: Not a type.'],
    ['src/a.ts:3:5 - error TS2322: Not a type.', 'error TS2322: Not a type.'],
    ['a.c:1:2: warning: unused variable', 'warning: unused variable'],
    ['a.ts:1:2: error: No any. (eslint no-any)', 'error: No any. (eslint no-any)'],
    ['ERROR:  relation "a" does not exist', 'ERROR:  relation "a" does not exist'],
    ['error[E0382]: borrow of moved value', 'error[E0382]: borrow of moved value'],
    ['panic: runtime error: index out of range', 'panic: runtime error: index out of range'],
    ['fatal: not a git repository', 'fatal: not a git repository'],
    ['(node:7) [DEP0040] DeprecationWarning: old', 'DeprecationWarning: old'],
    ['E   AssertionError: not equal', 'E   AssertionError: not equal'],
    ['a.b.ImproperlyConfigured: set it', 'a.b.ImproperlyConfigured: set it'],
    ['✘ [ERROR] Could not resolve "a"', '✘ [ERROR] Could not resolve "a"'],
    ['npm error code ERESOLVE', 'npm error code ERESOLVE'],
    ['  3:5  error  no-undef', 'error  no-undef'],
    [' ERR_PNPM_OUTDATED  Cannot install', 'ERR_PNPM_OUTDATED  Cannot install'],
    ['FileNotFoundError: nicht gefunden', 'FileNotFoundError: nicht gefunden'],
  ] as const) {
    it(`are found without their place in “${line}”`, () => {
      assert.deepEqual(messagesIn(line), [message]);
    });
  }

  for (const line of [
    '    at Object.<anonymous> (/a/error.js:41:11)',
    'Traceback (most recent call last):',
    '    throw error;',
    'Node.js v20.19.2',
    '$ npm run start',
    'const errors: string[] = [];',
    'no-error: true',
    'Terror: a film',
  ]) {
    it(`are not found in “${line}”`, () => {
      assert.deepEqual(messagesIn(line), []);
    });
  }

  it('are the first three, each once and not too long', () => {
    const lines = ['Error: a b', 'Error: a b', `Error: ${'c'.repeat(900)}`, 'Error: d', 'Error: e'];
    const found = messagesIn(lines.join('\n'));
    assert.deepEqual(
      found.map((text) => text.slice(0, 8)),
      ['Error: a', 'Error: c', 'Error: d'],
    );
    assert.equal(found[1]?.length, 300);
  });

  it('are not looked for in attached code', () => {
    const code = { type: 'code', value: "throw new Error('Error: no such file')" } as const;
    const question = aQuestion('Why?', { contextItems: [code] });
    const { messages } = buildQuery(question, indexOf({ 'a.md': filler('orders') }));
    assert.deepEqual(messages.texts, []);
  });

  it('are found in a time that grows with the output', () => {
    const shapes = ['Error', 'Error: ', 'a.', 'A_', '[error]', 'AError ', '1:1 ', ' '];
    const timeOf = (length: number): number => {
      const start = processorMs();
      for (const shape of shapes) messagesIn(`${shape.repeat(length / shape.length)}\n`.repeat(4));
      return processorMs() - start;
    };
    timeOf(20_000);
    const [short, long] = [timeOf(20_000), timeOf(200_000)];
    assert.ok(long < 40 * Math.max(short, 2), `${short} ms, then ${long} ms`);
  });
});

const trace = `$ npm run start

> orders@1.4.0 start
> node build/main.js

/home/ana/orders/build/main.js:41
    throw error;
    ^

PoolError: no connection to "orders" within 7 s
    at Object.<anonymous> (/home/ana/orders/build/main.js:41:11)
    at Module._compile (node:internal/modules/cjs/loader:1364:14)

Node.js v20.19.2`;

describe('a question with the output of a program', () => {
  it('has the words of the person, the message, and the rest as attached text', () => {
    const { own, messages, output } = partQuestion(
      `I get this when I start it:\n\n${trace}\n\nIt worked before I updated the package.\nwhat now?`,
      [],
    );
    assert.equal(own, 'It worked before I updated the package.\nwhat now?');
    assert.deepEqual(messages.texts, ['PoolError: no connection to "orders" within 7 s']);
    assert.match(output, /I get this[^]*Module\._compile[^]*Node\.js/);
    assert.doesNotMatch(output, /It worked/);
  });

  it('stays whole where it has two lines, or no message', () => {
    for (const text of ['Error: a b\nwhy?', 'What is this?\n\n  at a.js:1\n  at b.js:2']) {
      const { own, output } = partQuestion(text, []);
      assert.equal(own, text);
      assert.equal(output, '');
    }
  });

  it('is in the language of the person, not of the message', () => {
    const index = indexOf({ 'a.md': filler('orders') });
    const german = aQuestion(`Wie behebe ich das, und was ist der Grund?\n${trace}`);
    assert.equal(buildQuery(german, index).readerLanguage, 'de');
    const attachedOnly = aQuestion('Wie behebe ich das, und was ist der Grund?', {
      contextItems: [attached(trace)],
    });
    assert.equal(buildQuery(attachedOnly, index).readerLanguage, 'de');
  });
});

/** Returns whether a section with a text has the message. */
function isIn(message: string, markdown: string): boolean {
  const page = parsePage('page.md', `# Errors\n\n${markdown}\n`);
  const [section] = page.sections;
  assert.ok(section);
  return new ErrorMessages([message]).isIn({ page, section });
}

describe('a section with a message of an error', () => {
  const message = 'PoolError: no connection to "orders" within 7 s';

  for (const markdown of [
    '```\nPoolError: no connection to "mydb" within 30 s\n```',
    '`PoolError: no connection to "%s" within %d s` means that the pool is empty.',
    'With **poolerror, no connection** to orders.',
  ]) {
    it(`has it in ${JSON.stringify(markdown)}`, () => {
      assert.ok(isIn(message, markdown));
    });
  }

  for (const markdown of [
    'Within 7 s, a connection of the pool goes to orders, or no error.',
    'There is no connection. Go to the next page.',
  ]) {
    it(`does not have it in ${JSON.stringify(markdown)}`, () => {
      assert.equal(isIn(message, markdown), false);
    });
  }

  it('is not every section where the message has two words', () => {
    assert.equal(isIn('Error: failed', 'The error failed.'), false);
  });
});

describe('a search for a message of an error', () => {
  const index = indexOf({
    'errors.md': `# Errors\n\n${'Each answer tells with a code what went wrong. '.repeat(9)}\nFix it, then ask again.\n`,
    'module.md':
      '# Modules\n\nNode.js compiles each module of the loader: main.js, start, throw.\n',
    'names.md': `# Words\n\nA connection to a pool is for orders. PoolError tells of it.\n\n${'It is shown on the status page with its time. '.repeat(6)}\n`,
    'pool.md':
      '# Limits\n\nA long text about limits.\n\n```\nPoolError: no connection to "mydb" within 30 s\n```\n\nRaise the limit.\n',
    'a.md': filler('limits'),
    'b.md': filler('starts'),
  });
  const first = (text: string, contextItems: readonly QuestionContextItem[] = []): string => {
    const { sections } = retrieve(index, aQuestion(text, { contextItems }), undefined, 5);
    return sections[0]?.page.path ?? '';
  };
  const problem = 'src/a.ts:3:5: error: no connection to "orders" within 7 s (db)';

  it('finds what has that of an attached problem', () => {
    assert.equal(first('How do I fix this error?', [attached(problem)]), 'pool.md');
  });

  it('finds what has that of an attached output', () => {
    assert.equal(first('How do I fix this error?', [attached(trace)]), 'pool.md');
  });

  it('finds what has that of a pasted output', () => {
    assert.equal(first(`${trace}\n\nwhat does this mean?`), 'pool.md');
    assert.equal(first(trace), 'pool.md');
  });

  it('finds what has that of an earlier question', () => {
    const earlier = [{ question: `${trace}\n\nwhat does this mean?`, citedRoutes: ['pool'] }];
    const { sections } = retrieve(index, aQuestion('How do I fix it?', { earlier }), undefined, 5);
    assert.equal(sections[0]?.page.path, 'pool.md');
  });

  it('finds what has it with other values', () => {
    assert.equal(first('PoolError: no connection to "orders" within 7 s'), 'pool.md');
  });

  it('finds what has it in a row before what has its words', () => {
    const words = indexOf({
      'words.md': '# Pools\n\nOrders of a pool need a connection within time. PoolError is one.\n',
      'pool.md': `# Limits\n\n\`PoolError: no connection to "mydb" within 30 s\`\n\n${'Raise the limit. '.repeat(3)}\n`,
      'a.md': filler('limits'),
    });
    const question = aQuestion('PoolError: no connection to "orders" within 7 s');
    const { sections } = retrieve(words, question, undefined, 5);
    assert.equal(sections[0]?.page.path, 'pool.md');
  });

  it('finds what has the words of a question without one', () => {
    assert.equal(first('Where do I see the code of errors?'), 'errors.md');
  });
});
