import assert from 'node:assert/strict';
import type { Proof } from '../../../../../src/shared/proof';
import { docsNamesOf } from '../../../../../src/docs/answers/proof/docsNames';
import { proveReply } from '../../../../../src/docs/answers/proof/proveReply';
import { indexOf } from '../../../service/docs';

const index = indexOf({
  'limits.md': `# Limits

## Uploads

A file can be up to 10 MB. Uploads time out after 30 seconds. Uploads cannot be resumed.

## Retries

Failed calls are retried 3 times. Set \`maxRetries\` to change that.

\`\`\`ts
import { Client } from '@acme/sdk';

const client = new Client({ maxRetries: 5 });
await client.files.upload('a.pdf');
\`\`\`
`,
});
const sections = [...index.pages()].flatMap((page) =>
  page.sections.map((section) => ({ page, section })),
);

function prove(text: string, readersTexts: readonly string[] = []): Proof {
  return proveReply({ text, sections, docsNames: docsNamesOf(index), readersTexts });
}

/** Returns the reasons of the unproven statements, each with its quote. */
function problems(text: string, readersTexts: readonly string[] = []): string[] {
  return prove(text, readersTexts).unproven.map(({ reason, quote }) => `${reason}: ${quote}`);
}

describe('proveReply', () => {
  it('finds what the cited section says in other words', () => {
    assert.deepEqual(prove('Files may not be larger than 10,000 KB [1].'), {
      statements: 1,
      found: 1,
      unproven: [],
    });
  });

  it('names the number that the cited section does not have', () => {
    assert.deepEqual(prove('A file can be up to 20 MB [1](http://x/limits#uploads).').unproven, [
      { quote: 'A file can be up to 20 MB.', reason: 'number', missing: ['20 MB'] },
    ]);
  });

  it('names the option that the cited section does not have', () => {
    assert.deepEqual(prove('Set `retryCount` to change that [2].').unproven, [
      { quote: 'Set retryCount to change that.', reason: 'name', missing: ['retryCount'] },
    ]);
  });

  it('does not look in the docs for the names that the question has', () => {
    const text = 'Uploads such as `userId` and `orders/*` cannot be resumed [1].';
    assert.notDeepEqual(problems(text), []);
    assert.deepEqual(problems(text, ["userId is lost in @Get('orders/*')"]), []);
  });

  it('marks an option of the question that the reply recommends, and the docs do not have', () => {
    const question = ['Is there a retryCount, and how do I set the timeout?'];
    for (const name of ['retryCount', 'timeout']) {
      const text = `Set the \`${name}\` option to change failed calls [2].`;
      assert.deepEqual(prove(text, question).unproven[0]?.missing, [name]);
    }
    assert.equal(prove('Failed calls have a `timeout` for retries [2].', question).found, 0);
  });

  it('does not look in the docs for the files, hosts and numbers that the question has', () => {
    const question = [
      'api.example.com says acme-lock.yaml is stale, and a 2 minute upload of 45 MB fails',
    ];
    for (const text of [
      'Uploads of 45 MB cannot be resumed, since a file can be up to 10 MB [1].',
      'After 2 minutes, uploads timed out long ago, as they do after 30 seconds [1].',
      'Commit `acme-lock.yaml` when uploads time out [1].',
      'Uploads to `api.example.com` cannot be resumed [1].',
    ]) {
      assert.notDeepEqual(problems(text), [], text);
      assert.deepEqual(problems(text, question), [], text);
    }
  });

  it("marks a number of the question that the reply takes for the product's", () => {
    const text = 'The limit of a file is 45 MB [1].';
    assert.equal(prove(text, ['Is the limit 45 MB?']).found, 0);
  });

  it('compares the rest of a sentence with a name of the question', () => {
    assert.deepEqual(prove('A file of `userId` can have 20 MB [1].', ['userId']).unproven, [
      { quote: 'A file of userId can have 20 MB.', reason: 'number', missing: ['20 MB'] },
    ]);
  });

  // Shows faults.md W7.
  it('compares with the cited pages only', () => {
    const docs = indexOf({
      'a.md': '# Retries\n\nFailed calls are retried 3 times.\n\n## Pauses\n\nA pause takes 5 s.\n',
      'b.md': '# Files\n\nA file can have 10 MB.\n',
    });
    const found = [...docs.pages()].flatMap((page) =>
      page.sections.map((section) => ({ page, section })),
    );
    const proofOf = (text: string): Proof =>
      proveReply({ text, sections: found, docsNames: docsNamesOf(docs), readersTexts: [] });
    assert.equal(proofOf('Failed calls are retried 3 times [1].').found, 1);
    assert.equal(proofOf('Failed calls are retried 3 times [2].').found, 1, 'same page');
    assert.equal(proofOf('Failed calls are retried 3 times [3].').found, 0, 'other page');
    assert.equal(proofOf('Failed calls are retried 3 times [3][1].').found, 1);
  });

  it('names only what no cited page contains', () => {
    const [unproven] = prove('Uploads time out after 3 seconds, not 99 [1].').unproven;
    assert.deepEqual(unproven?.missing, ['3 seconds', '99']);
    const [misplaced] = prove(
      'Uploads can be 30 seconds, files time out after 10 MB [1].',
    ).unproven;
    assert.deepEqual(misplaced?.missing ?? [], []);
  });

  it('marks a statement without any citation', () => {
    assert.deepEqual(prove('A file can be up to 10 MB.').unproven, [
      { quote: 'A file can be up to 10 MB.', reason: 'uncited', missing: [] },
    ]);
  });

  it('marks a statement that cites no section of the reply', () => {
    assert.deepEqual(problems('A file can be up to 10 MB [7].'), [
      'uncited: A file can be up to 10 MB.',
    ]);
  });

  it('has nothing to say about a reply without sections', () => {
    const docsNames = docsNamesOf(index);
    const proof = proveReply({ text: 'It is 10 MB.', sections: [], docsNames, readersTexts: [] });
    assert.deepEqual(proof, { statements: 0, found: 0, unproven: [] });
  });

  describe('reads as citations of a sentence', () => {
    const right = 'A file can be up to 10 MB';
    for (const [what, text] of [
      ['one before the full stop', `${right} [1].`],
      ['one after the full stop', `${right}. [1]`],
      ['one with a link', `${right} [1](http://x/y).`],
      ['several in one pair of brackets', `${right} [2, 1].`],
      ['a footnote', `${right} [^1].`],
      ['the next one of the paragraph', `${right}. Uploads time out after 30 seconds [1].`],
      ['the one before, without a next one', `Uploads time out after 30 seconds [1]. ${right}.`],
      ['the one of the label above', `**Uploads** [1]\n\n> ${right}.`],
      ['the one of the line above a list', `Limits of uploads [1]:\n\n- ${right}.`],
      ['the one of the sentence before a list', `Uploads cannot be resumed [1].\n\n- ${right}.`],
      [
        'the one of the sentence before a table',
        `Uploads cannot be resumed [1].\n\n| Limit | Value |\n|---|---|\n| File | 10 MB |`,
      ],
      [
        'the ones of the paragraph whose last sentence leads to a list',
        `Uploads cannot be resumed [1]. These are their limits:\n\n- ${right}.`,
      ],
      ['the one of another item of the list', `- ${right}\n- Uploads cannot be resumed [1]`],
    ] as const) {
      it(what, () => {
        const { statements, found } = prove(text);
        assert.ok(statements > 0, 'no statement');
        assert.equal(found, statements, JSON.stringify(prove(text)));
      });
    }

    it('before a list only to check what its items claim', () => {
      const text = 'Failed calls are retried 3 times [2].\n\n- A file can be up to 20 MB.';
      assert.deepEqual(problems(text), ['number: A file can be up to 20 MB.']);
    });

    it('never a citation of the paragraph before a paragraph', () => {
      assert.deepEqual(problems(`Uploads cannot be resumed [1].\n\n${right}.`), [
        `uncited: ${right}.`,
      ]);
    });

    it('never a citation of the next paragraph', () => {
      assert.deepEqual(problems(`A file can be up to 10 MB.\n\nUploads cannot be resumed [1].`), [
        'uncited: A file can be up to 10 MB.',
      ]);
    });
  });

  // Shows faults.md W9.
  describe('does not treat as a statement', () => {
    for (const [what, text] of [
      ['a heading', '## Files can be up to 99 MB'],
      ['a question', 'Do you want to upload 99 files?'],
      ['a line that leads to something', 'You can upload files of 99 MB as follows:'],
      ['a greeting', 'Sure, happy to help!'],
      ['an offer', 'Let me know if you need the other 99 limits.'],
      ['what the docs do not say', "The docs don't say what happens after 99 retries."],
      ['that in German', 'Die Dokumentation nennt dazu keine Zahl über 99.'],
      ['a list of pages to read', '**Read more**\n\n- [Limits of 99 MB](http://x/limits)'],
      ['a line', '---'],
      ['HTML', '<div>99 MB</div>'],
    ] as const) {
      it(what, () => {
        assert.deepEqual(prove(text), { statements: 0, found: 0, unproven: [] });
      });
    }

    it('counts only what follows a "but" as a statement', () => {
      const text = "The docs don't cover resuming, but uploads time out after 99 seconds [1].";
      assert.equal(prove(text).found, 0);
      assert.equal(prove(text).statements, 1);
    });
  });

  it('compares the rows of a table, each with its own citation', () => {
    const table =
      '| Limit | Value |\n|---|---|\n| File | 10 MB [1] |\n| Upload times out | 99 s [1] |';
    assert.deepEqual(problems(table), ['number: Upload times out 99 s']);
  });

  it('finds a negation that the docs have turned around', () => {
    assert.deepEqual(problems('Uploads can be resumed [1].'), ['words: Uploads can be resumed.']);
  });

  // Shows faults.md W4.
  it('compares only numbers and names with docs in another language', () => {
    const german =
      'Die Datei darf nicht größer als 10 MB sein, und der Versuch endet nach 30 Sekunden [1].';
    assert.deepEqual(prove(german), { statements: 1, found: 1, unproven: [] });
    assert.equal(prove(german.replace('10 MB', '20 MB')).found, 0);
    assert.equal(
      prove('Die Datei wird von dem Dienst nicht auf einen Schlag gelesen [1].').statements,
      0,
    );
  });

  describe('over docs in other words', () => {
    const docs = indexOf({
      'lists.md': `# Lists

## Depth

- \`acme list -g\` (default \`--depth=0\`) always works.

The default \`retries\` value is 2. Set \`retries\` to try a failed call again.

## Watchers

As of Acme v3.0.0, watchers are not supported out of the box and require a plugin such as \`@acme/watch\`. The \`@acme/quick\` plugin gives better performance.

Do note that lifecycle hooks methods are not invoked in lazy loaded modules and services.

Be aware that if routes are wrapped with a plugin, the prefix option will not work.

## Button

- \`error\`: An error occurred during the API request, preventing successful completion.

\`\`\`tsx
<button type="submit" disabled={status !== 'ready'}>
\`\`\`

Methods such as \`PROPFIND\` are gone. For example, \`addMethod('REBIND')\` registers a method for all routes of the server. Clean the \`ACME_HOME\` variable in \`$HOME/.bashrc\`.

## nameLength

- Default:
  - On Linux: **120**
  - On Windows: **60**

The maximum length of directory names in the store. Set a lower number if long paths are an issue on Windows.

## Secrets

If an array is provided, only the first element is used to sign the cookie, while all elements are considered when a signature is verified. A click area has \`44px\` by \`44px\`.

For most providers, 0 means no penalty.

Reports are kept as PDF files for a month, and only owners can delete them.

A team has 5 members. Owners, members, guests and bots can rename a board.

## Options

- **bodyTimeout** \`number | null\` - Default: \`300e3\` - The time after which a request with a body ends. Monitors the time between data of the body. Defaults to 300 seconds.
- **maxSessions** \`number | null\` - Default: \`100\` - Maximum number of cached sessions. Use 0 to disable the session cache. Default: \`100\`.
- **connectTimeout** \`number | null\` - In milliseconds. Default \`10e3\`.
- **retryAfter** \`boolean\` - Enables a retry after the \`Retry-After\` header. Default: \`true\`

Debug lines of the \`WebSocket\` API can overlap.

## Scripts

A script with this name wins over all others. Use a regex instead of the script name to run several scripts.
`,
    });
    const found = [...docs.pages()].flatMap((page) =>
      page.sections.map((section) => ({ page, section })),
    );
    const unproven = (text: string): string[] =>
      proveReply({
        text: `${text} [1][2][3][4][5][6][7][8]`,
        sections: found,
        docsNames: docsNamesOf(docs),
        readersTexts: [],
      }).unproven.map(({ reason, quote }) => `${reason}: ${quote}`);
    for (const [what, text] of [
      [
        'a setting that is left at its default',
        'Calls are tried again up to 2 times, as long as you leave `retries` at its default.',
      ],
      [
        'a default that the docs write behind a flag',
        'By default, the depth is `0`, which always works.',
      ],
      [
        'a denial of the thing instead of its support',
        'Acme has had no watchers of its own since v3.0.0.',
      ],
      [
        'a denial in another place of the sentence',
        "It doesn't work for routes that are wrapped in a plugin.",
      ],
      ['a success that the docs call prevented', 'If the request failed, it is `error`.'],
      [
        'the opposite of a word in code',
        'Enable the submit button again as soon as `status` is `ready`.',
      ],
      [
        'another example than that of the docs',
        "`addMethod('PROPFIND')` registers a method for all routes of the server.",
      ],
      ["a file in the reader's home folder", 'Take `ACME_HOME` out of `~/.bashrc`.'],
      [
        'two numbers of one setting',
        'Directory names in the store have up to 60 characters on Windows and up to 120 elsewhere.',
      ],
      [
        'a limit of one thing beside all of another',
        'The first element signs the cookie, and all elements are accepted when a signature is verified.',
      ],
      [
        'all of something beside a limit of another thing',
        'All reports are kept as PDF files for a month.',
      ],
      [
        'a number word that counts something else than the docs do',
        'Four groups can rename a board: owners, members, guests and bots.',
      ],
      ['a length that the docs write with its unit', 'A click area has at least 44 by 44 pixels.'],
      ['another kind of comparison', 'A script with exactly that name wins over a regex.'],
      [
        'a default in another sentence of its list item',
        '`bodyTimeout` is 300 seconds by default and monitors the time between data of the body.',
      ],
      [
        'the other value of a boolean',
        'The `Retry-After` header is respected unless you set `retryAfter` to `false`.',
      ],
      [
        'another number in a sentence of the list item',
        '`maxSessions: 0` switches that session cache off.',
      ],
      ['a number with an exponent', 'The `connectTimeout` is 10 seconds by default.'],
      ['the plural of a name', 'Debug lines of WebSockets can overlap.'],
      ['"off" for "no"', 'For most providers, 0 turns the penalty off.'],
      [
        'a denial whose verb is a general word',
        "Lifecycle hooks aren't called in modules and services that were loaded lazily.",
      ],
    ] as const) {
      it(`accepts ${what}`, () => {
        assert.deepEqual(unproven(text), []);
      });
    }

    it('takes a sentence that begins with code for a statement of its own', () => {
      const text = 'Watchers need a plugin. `@acme/watch` is one of 7 [1].';
      assert.deepEqual(unproven(text), ['number: @acme/watch is one of 7.']);
    });
  });

  describe('over docs with settings, environments and ranks', () => {
    const docs = indexOf({
      'settings.md': `# Settings

## slowLimit

- Default: **50 KiB/s**
- Type: **Number**

A warning is displayed if the download speed of a tarball falls below the threshold.

## keepLinks

- Default: **true**
- Type: **Boolean**

Links stay as they are.

## linkMode

- Default: **isolated**
- Type: **isolated**, **flat**

How links are made.

## maxTries

- Default: **2**
- Type: **Number**

How often to try again.

## license

The \`LICENSE\` file of the root is packed with the package (unless the package has a license of its own).

## targets

Builds are made for \`chrome111\` since version 4.2.0. The entry file is \`main.ts\`.

## Order

If both are set, the route value takes precedence over the server value.

## Both

When both limits apply, the account quota takes precedence.

## Overrides

If both are set, \`routeQuota\` wins over \`serverQuota\`.

## Sizes

The largest bundle has 1,234.5 MB.

## Modes

Checks run an extra cycle. This is development-only behavior.

Reports exist for all plans. Debug tracks are available in development builds. The timeout is given in milliseconds.

## Stops

- \`isDone()\` — never stops the loop by itself.
- \`stepCount(n)\` — stops the loop after a number of steps.
`,
    });
    const all = [...docs.pages()].flatMap((page) =>
      page.sections.map((section) => ({ page, section })),
    );
    const isProven = (text: string): boolean => {
      const proof = proveReply({
        text: `${text} [1]`,
        sections: all,
        docsNames: docsNamesOf(docs),
        readersTexts: [],
      });
      assert.equal(proof.statements, 1);
      return proof.found === 1;
    };
    for (const [what, right, wrong] of [
      [
        'a default whose behavior is in the paragraph',
        'Tarballs that download slower than 50 KiB/s cause a warning by default.',
        'Tarballs that download slower than 70 KiB/s cause a warning by default.',
      ],
      [
        'a default that is a plain word',
        '`keepLinks` is `true` by default.',
        '`keepLinks` is `false` by default.',
      ],
      [
        'a default with another word',
        '`linkMode` defaults to `isolated`.',
        '`linkMode` defaults to `flat`.',
      ],
      [
        'a default behind the name of its setting',
        'By default, `maxTries` is `2`.',
        'By default, `maxTries` is `4`.',
      ],
      [
        'a default of a setting that is named after it',
        'Unless you set `keepLinks`, the default is `true`.',
        'Unless you set `keepLinks`, the default is `false`.',
      ],
      [
        'a package without something',
        'A package without a license of its own gets the `LICENSE` of the root.',
        'A package without a license of its own gets the `COPYING` of the root.',
      ],
      [
        'a version and a product as people write them',
        'Since version 4, builds are made for Chrome 111.',
        'Since version 3, builds are made for Chrome 112.',
      ],
      ['a file', 'The entry file is `main.ts`.', 'The entry file is `main.config.ts`.'],
      [
        'two sides of a rank',
        'The route value takes precedence over the server value.',
        'The server value takes precedence over the route value.',
      ],
      [
        'two names of a rank',
        'The value of `routeQuota` wins over `serverQuota`.',
        'The value of `serverQuota` wins over `routeQuota`.',
      ],
      [
        'what wins over something that the docs leave out',
        'When both limits apply, the account quota takes precedence over the project quota.',
        'When both limits apply, the project quota takes precedence over the account quota.',
      ],
      [
        'a number with groups and decimals in another notation',
        'The largest bundle has 1.234,5 MB.',
        'The largest bundle has 1.234,6 MB.',
      ],
      [
        'what the docs say without a negation',
        'Checks run an extra cycle.',
        'Checks do not run an extra cycle.',
      ],
      ['a limit', 'Reports exist for all plans.', 'Reports exist only for large plans.'],
      [
        'an environment',
        'In development, checks run an extra cycle.',
        'In production, checks run an extra cycle.',
      ],
      [
        'an environment in place of another',
        'Debug tracks are available in development builds.',
        'Debug tracks are available in production builds.',
      ],
      [
        'a unit without a number',
        'The timeout is given in milliseconds.',
        'The timeout is given in seconds.',
      ],
      [
        'an item of a list of names',
        '`stepCount(n)` stops the loop after a number of steps.',
        '`isDone()` stops the loop after a number of steps.',
      ],
    ] as const) {
      it(`tells ${what} from another one`, () => {
        assert.ok(isProven(right), right);
        assert.ok(!isProven(wrong), wrong);
      });
    }
  });

  describe('with code', () => {
    const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

    it('marks a name of the product that the docs do not have', () => {
      assert.deepEqual(problems(code('await client.files.archive("a.pdf");')), [
        'code-name: archive',
      ]);
    });

    // Shows faults.md W8.
    it('accepts names of the reader, of the language and of other libraries', () => {
      const text = code(
        `import { z } from 'zod';\nconst order = z.object({ weirdField: z.string() });\nconst list = [1, 2].flatMap((item) => item);\nawait client.files.myThing(order);`,
      );
      assert.deepEqual(problems(text, ['client.files.myThing()']), []);
    });

    it('looks for a name of one word in the code of the docs, not in their prose', () => {
      const text = code(
        `await client.files.upload('a.pdf');\nawait client.files.archive('a.pdf');`,
      );
      const proofWith = (name: string): Proof => {
        const docs = indexOf({
          'files.md': `# Files\n\nTo keep a file, ${name} it.\n\n${text.replace(/\n.*archive.*/, '')}\n`,
        });
        const found = [...docs.pages()].flatMap((page) =>
          page.sections.map((section) => ({ page, section })),
        );
        return proveReply({
          text,
          sections: found,
          docsNames: docsNamesOf(docs),
          readersTexts: [],
        });
      };
      assert.deepEqual(
        proofWith('archive').unproven.map(({ quote }) => quote),
        ['archive'],
      );
      assert.deepEqual(proofWith('`archive`').unproven, []);
    });

    it('marks a member of what the product returned', () => {
      const text = code(`const file = await client.files.upload('a.pdf');\nfile.shredder();`);
      assert.deepEqual(problems(text), ['code-name: shredder']);
    });
  });

  // Shows faults.md W3.
  it('terminates for a reply that no one reads to its end', () => {
    const sentence = 'A file can be up to 10 MB, `maxRetries` is 3 and uploads time out [1][2]. ';
    const { statements, unproven } = prove(sentence.repeat(14_000));
    assert.ok(statements > 100 && statements < 14_000, `${statements} statements`);
    assert.ok(unproven.length <= 100);
    for (const hostile of ['[', '`a', '*a ', '1,', '| a ', '- ']) {
      prove(hostile.repeat(200_000));
    }
  });
});
