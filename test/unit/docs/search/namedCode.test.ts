import assert from 'node:assert/strict';
import { parsePage } from '../../../../src/docs/pages/page';
import { codeNamesIn, NamedCode } from '../../../../src/docs/search/namedCode';

describe('codeNamesIn', () => {
  for (const [question, names] of [
    ['How do I use QueryClient?', ['QueryClient']],
    ['z.object or `z.string()`', ['z.object', 'z.string']],
    ['call parse() twice, parse() again', ['parse']],
    ['is `Options` exported', ['Options']],
    ['what are $ZodType and _parseAsync', ['$ZodType', '_parseAsync']],
    ['fetch(), `AbortController`, new URL() and JSON.stringify', []],
    ['The next sentence. has no names e.g. like this', []],
    ['src/useThing.ts and a-QueryClient and @acme/useThing', []],
  ] as const) {
    it(`finds ${names.join(', ') || 'nothing'} in “${question}”`, () => {
      assert.deepEqual(
        codeNamesIn(question).map(({ name, member }) =>
          member === undefined ? name : `${name}.${member}`,
        ),
        names,
      );
    });
  }
});

/** Returns whether the last section of a page defines a name of the question. */
function isDefined(question: string, markdown: string, title = 'Settings'): boolean {
  const page = parsePage('page.md', `# ${title}\n\n${markdown}\n`);
  const section = page.sections.at(-1);
  assert.ok(section);
  return new NamedCode(question).isDefinedIn({ page, section });
}

describe('the section that defines a name of a question', () => {
  for (const [question, markdown] of [
    ['what is maxRetries for', '## maxRetries\n\nA number.'],
    ['what is maxRetries for', '## `maxRetries`\n\nA number.'],
    ['does `retry` wait', '## retry(times, options)\n\nTries again.'],
    ['does `retry` wait', '## retry(times): Promise\n\nTries again.'],
    ['what does `Link` draw', '## `<Link>`\n\nDraws a link.'],
    ['what is maxRetries for', 'Options:\n\n- `first`: a\n- `maxRetries`: a number'],
    ['what is maxRetries for', '* **maxRetries** `number` (optional)'],
    ['what is maxRetries for', '1. *maxRetries* is a number'],
    ['settings.maxRetries?', '- a\n  - `maxRetries`: a number'],
    ['client.maxRetries?', '- `client.maxRetries`: a number'],
    ['what is in settings.host', '## .host\n\nThe host.'],
    ['ERR_TOO_LARGE', '| ERR_TOO_LARGE | The body is too large. |\n| - | - |'],
    ['what is maxRetries for', '| Option | Type |\n| --- | --- |\n| `maxRetries` | number |'],
    ['what is maxRetries for', '- [`maxRetries`](#max): a number'],
    ['when do I need --frozen-lockfile', '## --frozen-lockfile\n\nFails.'],
    ['when do I need --save-dev', '## --save-dev, -D\n\nAdds to those of development.'],
    ['when do I need --save-dev', '- `-D, --save-dev` adds to those of development'],
    ['ERR_TOO_LARGE', '- `ERR_TOO_LARGE`: the body is too large'],
    ['what does a 422 mean', '| Status | Meaning |\n| --- | --- |\n| 422 | not valid |'],
    ['why do I get 404s?', '- 404: nothing has this address'],
    ['ERROR: 42P01 at line 3', '| 42P01 | undefined_table |\n| - | - |'],
    ['how do I mend a ts2322', '- **TS2322** another type was expected'],
    ['what does EACCES say', '- EACCES: no permission'],
    ['what does COPY do', '| Command | Meaning |\n| --- | --- |\n| `COPY` | copies rows |'],
    ['what is -D for', '## --save-dev, -D\n\nAdds to those of development.'],
    ['what is -D for', '- `-D, --save-dev` adds to those of development'],
    ['what is -D for', '- -D, --save-dev adds to those of development'],
    ['what is -D for', '| -D | adds to those of development |\n| - | - |'],
    ['default of node-linker', '- `node-linker`: how packages are linked'],
    ['default of server.port', '- `server.port`: 3000'],
    ['default of max_connections.', '- `max_connections`: 100'],
    ['what does order_by take', '## QuerySet.order_by(*fields)\n\nSorts.'],
    ['what does QuerySet.order_by take', '## models.query.QuerySet.order_by(*fields)\n\nSorts.'],
    ['does `parse` wait', '## async classmethod Reader.parse(text)\n\nReads.'],
    ['what does order_by take', '## method models.Query.order_by(*fields)\n\nSorts.'],
    ['what is LazyField for', '## class `LazyField`\n\nA field.'],
    ['what is maxRetries for', '- `client.maxRetries`: a number'],
  ] as const) {
    it(`is “${markdown.replaceAll('\n', ' ')}” for “${question}”`, () => {
      assert.ok(isDefined(question, markdown));
    });
  }

  for (const [question, markdown] of [
    ['what is maxRetries for', 'Set `maxRetries` to 3.'],
    ['what is maxRetries for', '- Set `maxRetries` to 3'],
    ['what is maxRetries for', '- maxRetries of the client'],
    ['what is maxRetries for', '- `maxRetriesOfAll`: a number'],
    ['what is maxRetries for', '## How maxRetries helps\n\nTries again.'],
    ['what is maxretries for', '- `maxRetries`: a number'],
    ['what is max for', '- `max`: a number'],
    ['client.maxRetries?', '- `maxRetries`: a number'],
    ['ERR_TOO_LARGE', '- Not ERR_TOO_LARGE'],
    ['what does order_by take', '## QuerySet.order_by_all(*fields)\n\nSorts.'],
    ['what does QuerySet.order_by take', '## Window.order_by(*fields)\n\nSorts.'],
    ['what is LazyField for', '## A class for LazyField\n\nA field.'],
    ['what is LazyField for', '## Use models.LazyField\n\nA field.'],
    ['what does order_by take', '## order_by() takes no number\n\nSince 2.0.'],
    ['what does order_by take', '## `order_by(*fields)` in 2.0\n\nSince 2.0.'],
    ['maxRetries', '```js\n- `maxRetries`: 3\n```'],
    ['who needs more than 1,000 rows', '- 000: no rows'],
    ['what is new in 1.500', '- 500: the server failed'],
    ['what was new on 2026-11-29', '- 2026: a good year'],
    ['what is -D for', '- `-d` deletes'],
    ['what is -D for', '## Use -DEV\n\nAdds.'],
    ['what does a CLI do', '- `CLI`: the command line'],
    ['what is a set64', '- SET64: a set of 64'],
    ['', '- `maxRetries`: a number'],
  ] as const) {
    it(`isn’t “${markdown.replaceAll('\n', ' ')}” for “${question}”`, () => {
      assert.ok(!isDefined(question, markdown));
    });
  }

  it('is found in no time for a long text of names', () => {
    const question = `${'a_'.repeat(5000)} ${'b.'.repeat(5000)}`;
    assert.ok(isDefined(question, `- \`${'a_'.repeat(5000)}\`: long`));
    assert.ok(!isDefined(question, `${'| '.repeat(5000)}\n${'- *'.repeat(5000)}`));
    assert.ok(!isDefined('maxRetries', `- \`${'a.'.repeat(100_000)}b\`: long`));
  });
});
