import assert from 'node:assert/strict';
import { addressesAt } from '../../../../src/docs/pages/links';
import { readPackageApi } from '../../../../src/docs/pages/types/apiModules';
import { apiPages } from '../../../../src/docs/pages/types/apiPages';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import type { SearchQuestion } from '../../../../src/docs/search/query';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { memoryPackage } from '../../../fakes/memoryPackage';
import type { PackageFiles } from '../../../../src/docs/pages/types/entryPoints';
import { JoinedIndex } from '../../../../src/docs/search/joinedIndex';
import { SetIndex } from '../../../../src/docs/search/setIndex';
import { parsePage } from '../../../../src/docs/pages/page';
import { aQuestion, filler, indexOf, turnsOf } from '../../service/docs';

const fillers = Object.fromEntries(
  ['invoices', 'parcels', 'regions', 'maps', 'bills', 'trains', 'boats', 'roads'].map((topic) => [
    `about/${topic}.md`,
    filler(topic),
  ]),
);

/** Returns the paths of the sections that answer a question, best first. */
function pagesFor(
  pages: Readonly<Record<string, string>>,
  text: string,
  rest: Partial<SearchQuestion> = {},
): string[] {
  const index = indexOf({ ...fillers, ...pages });
  return retrieve(index, aQuestion(text, rest), undefined, 5).sections.map(({ page }) => page.path);
}

/** Returns an index of the fillers and of the API of a package. */
async function indexOfPackage(files: PackageFiles): Promise<SetIndex> {
  const noPause = (): Promise<void> => Promise.resolve();
  const index = indexOf(fillers);
  for (const page of await apiPages(await readPackageApi(files, noPause), noPause)) index.put(page);
  return index;
}

describe('ranking of pages', () => {
  describe('with copies of a page in other languages', () => {
    const english =
      '# Rate limits\n\nThe server counts the requests of each key. You can raise `maxRequests` when the limit is too low for you.\n';
    const copies = {
      'guide/limits.md': english,
      'i18n/fr/guide/limits.md':
        '# Rate limits\n\nLe serveur compte les requests de chaque key. Vous pouvez augmenter `maxRequests` pour la rate limit dans les settings, et `maxRequests` est dans les limits.\n',
      'guide/limits.zh-CN.md':
        '# Rate limits\n\n服务器会计算每个密钥的请求数。您可以提高 `maxRequests` rate limits `maxRequests`。\n',
    };

    it('answers an English question from the English page', () => {
      assert.deepEqual(pagesFor(copies, 'How do I raise maxRequests?'), ['guide/limits.md']);
    });

    it('answers a question of two words from the language of most pages', () => {
      assert.deepEqual(pagesFor(copies, 'maxRequests limits'), ['guide/limits.md']);
    });

    it('answers in the language of the root, though most pages are in others', () => {
      const translated = {
        ...copies,
        'fr/keys.md': '# Clés\n\nLes clés sont dans les settings pour vous et votre équipe.\n',
        'fr/plans.md': '# Plans\n\nLes plans sont pour vous avec votre équipe et cette page.\n',
        'fr/teams.md': '# Teams\n\nLes teams sont pour vous avec votre équipe et cette page.\n',
      };
      assert.deepEqual(pagesFor(translated, 'maxRequests limits'), ['guide/limits.md']);
    });

    it('answers in the language that the configuration names', () => {
      const index = indexOf({ ...fillers, ...copies });
      index.configuredLanguage = 'zh-CN';
      const { sections } = retrieve(index, aQuestion('maxRequests limits'), undefined, 5);
      assert.equal(sections[0]?.page.path, 'guide/limits.zh-CN.md');
    });

    it('answers a French question from the French page', () => {
      assert.deepEqual(pagesFor(copies, 'Comment augmenter les maxRequests pour une key ?'), [
        'i18n/fr/guide/limits.md',
      ]);
    });
  });

  describe('with pages that are not docs', () => {
    const about = 'The proxy reads the `trustHeader` option and forwards the header to the server.';
    for (const path of [
      'CHANGELOG.md',
      'CHANGES.md',
      'releases/2.1.md',
      'blog/2024-05-01-proxy.md',
      'AGENTS.md',
      '.claude/CLAUDE.md',
      '_snippets/proxy.md',
      'CONTRIBUTING.md',
    ]) {
      it(`puts the docs before ${path}`, () => {
        const pages = {
          'guide/network.md': `# Network\n\n## Headers\n\n${about}\n`,
          [path]: `# Notes\n\n## Headers\n\n${about} The trustHeader option of the proxy is new.\n`,
        };
        assert.equal(
          pagesFor(pages, 'Which header does the proxy read with trustHeader?')[0],
          'guide/network.md',
        );
      });
    }
  });

  it("puts the API of a package's own module before those with subpaths", async () => {
    const exports = { '.': './index.d.ts', './v3/core': './v3/core.d.ts' };
    const files = memoryPackage(
      { name: '@acme/schema', version: '4.0.0', exports },
      {
        'index.d.ts':
          '/** Joins the fields of two object schemas, so that a parser checks both of them later. */\nexport declare function extend(): void;',
        'v3/core.d.ts':
          '/** Joins the fields of two object schemas. */\nexport declare function joinObjects(): void;',
      },
    );
    const index = await indexOfPackage(files);
    const question = aQuestion('How are the fields of two object schemas joined?');
    const [first] = retrieve(index, question, undefined, 5).sections;
    assert.equal(first?.page.route, 'api/@acme/schema');
  });

  it('puts the name of an API that a question writes before others with the same words', async () => {
    const files = memoryPackage(
      { name: '@acme/query', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts': `
          /** Options of a query: query options are what a query takes, and QueryOptions are shared. */
          export declare function queryOptions(options: QueryOptions): QueryOptions;
          export interface QueryOptions { retry?: number; cacheTime?: number; networkMode?: string; meta?: object; }
        `,
      },
    );
    const index = await indexOfPackage(files);
    const firstOf = (text: string): string | undefined =>
      retrieve(index, aQuestion(text), undefined, 5).sections[0]?.section.heading;
    assert.equal(firstOf('What are QueryOptions?'), 'QueryOptions');
    assert.equal(firstOf('What does queryOptions do?'), 'queryOptions');
  });

  it('puts a name of an API before a page with a section of this name, which uses it more', async () => {
    const files = memoryPackage(
      { name: 'query', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts':
          '/** Parses the sizes of a picture. */\nexport declare function parseSizes(text: string): string[];\n',
      },
    );
    const index = await indexOfPackage(files);
    const readme =
      '# query\n\n## parseSizes(text)\n\nCall `parseSizes` with sizes: `parseSizes` parses and `parseSizes` returns them.\n';
    index.put(parsePage('README.md', readme));
    const { sections } = retrieve(index, aQuestion('What does parseSizes return?'), undefined, 5);
    assert.equal(sections[0]?.section.place?.file, 'index.d.ts');
  });

  it('reads other docs for the member of an object if the API has this name without the object', async () => {
    const files = memoryPackage(
      { name: 'server', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts':
          '/** Says what a request has for a hostname: the hostname. */\nexport declare function hostname(): string;\n',
      },
    );
    const index = await indexOfPackage(files);
    const readme =
      '# server\n\n## Request\n\n- `request.hostname`: who is asked, by a header. It can be long.\n';
    index.put(parsePage('README.md', readme));
    const [first] = retrieve(
      index,
      aQuestion('What does request.hostname do?'),
      undefined,
      5,
    ).sections;
    assert.equal(first?.page.path, 'README.md');
  });

  it('puts the option that is explained before a type whose name repeats its words', async () => {
    const files = memoryPackage(
      { name: '@acme/query', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts': `
          export type ThrowQueryError = boolean | ThrowQueryErrorOf;
          export type ThrowQueryErrorOf = (error: Error, query: Query) => boolean;
          export interface Options {
            /** Whether errors of a query reach the nearest boundary. */
            escalate?: boolean;
            retries?: number;
            delay?: number;
          }
        `,
      },
    );
    const index = await indexOfPackage(files);
    const question = aQuestion('throw the query error to a boundary');
    assert.equal(retrieve(index, question, undefined, 5).sections[0]?.section.heading, 'Options');
  });

  it('puts what code can import before a type that it can’t, unless the question names the type', async () => {
    const files = memoryPackage(
      { name: '@acme/query', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts': `
          interface SchemaJson {
            /** How a schema is turned to JSON: the JSON of the schema. */
            toJson: boolean;
          }
          /** Makes a schema that can be turned to JSON. */
          declare function makeSchema(of: SchemaJson): object;
          export { makeSchema };
        `,
      },
    );
    const index = await indexOfPackage(files);
    const firstOf = (text: string): string | undefined =>
      retrieve(index, aQuestion(text), undefined, 5).sections[0]?.section.heading;
    assert.equal(firstOf('How is a schema turned to JSON?'), 'makeSchema');
    assert.equal(firstOf('What is SchemaJson?'), 'SchemaJson');
  });

  it('puts the page with the name that a question writes before pages that use it more often', () => {
    const pages = {
      'after.md': '# `scheduleTask()`\n\nRuns a task later.\n',
      'guide.md': `# Tasks\n\n## Schedule a task with scheduleTask\n\n${'Call scheduleTask and it can change. '.repeat(3)}\n`,
    };
    assert.equal(pagesFor(pages, 'What can scheduleTask change?')[0], 'after.md');
  });

  describe('with a section that defines an option among others', () => {
    const pages = {
      'reference.md':
        '# Client\n\n## Options\n\n- `size`: how large a message may be\n- `keepAlive`: keeps it open\n',
      'guide.md':
        '# Guide\n\n## Speed\n\nSet `keepAlive` for speed. It is slow without it, for each of its messages.\n',
      'faq.md': '# Questions\n\n## Slow\n\nDid you set `keepAlive`?\n',
    };

    it('puts it before sections that use the option', () => {
      assert.equal(pagesFor(pages, 'What does keepAlive do?')[0], 'reference.md');
    });

    it('leaves the order to the words of a question that is about more than the option', () => {
      const question = 'keepAlive: rent, hardware, money and people?';
      assert.notEqual(pagesFor(pages, question)[0], 'reference.md');
    });

    it('reads the texts of the best sections only', () => {
      const others = Array.from({ length: 45 }, (_, at): [string, string] => [
        `use/${at}.md`,
        `# Use ${at}\n\nDid you set \`keepAlive\` for ${at}?\n`,
      ]);
      const longer = `${pages['reference.md']}- \`other\`: says how many of them may wait at a time\n`;
      const many = { ...Object.fromEntries(others), 'reference.md': longer };
      assert.notEqual(pagesFor(many, 'What does keepAlive do?')[0], 'reference.md');
    });
  });

  it('puts the list that has the flag of one letter first, whose letter is no word of the index', () => {
    const pages = {
      'ferry.md':
        '# ferry\n\nCrosses a river. A ferry takes what a ferry can.\n\n## Options\n\n- `-A`: takes all\n- `-h`: prints help\n',
    };
    const index = indexOf({ ...fillers, ...pages });
    const [best] = retrieve(index, aQuestion('what does ferry -A do'), undefined, 5).sections;
    assert.equal(best?.section.heading, 'Options');
  });

  describe('with a name that is a stop word', () => {
    const pages = {
      'flags.md': '# Flags\n\n## --all\n\nPrints hidden items as well.\n',
      'list.md': '# Switches\n\n- `--only`: leaves the rest out\n',
      'events.md': '# Events\n\n## Emitter.on(name, listener)\n\nAdds a listener.\n',
      'guide.md':
        '# All of it\n\nOnly call on us, after all: it is all on you.\n\n```sh\nfind all on only\n```\n',
    };

    for (const [asked, page] of [
      ['What does --all do?', 'flags.md'],
      ['`--all`?', 'flags.md'],
      ['What does --only do?', 'list.md'],
      ['When do I need on()?', 'events.md'],
      ['What is `emitter.on` for?', 'events.md'],
    ] as const) {
      it(`puts what defines it first for “${asked}”`, () => {
        assert.equal(pagesFor(pages, asked)[0], page);
      });
    }

    it('finds nothing by the same word in a sentence', () => {
      assert.deepEqual(pagesFor(pages, 'Is it all on, i.e. only on?'), []);
    });
  });

  it('puts a small set of docs before a large one in which as much matches', () => {
    const [large, small] = ['large', 'small'].map((id) => {
      const index = new SetIndex({ id, label: id });
      index.put(parsePage('proxy.md', '# Proxy\n\nTurn the proxy off with a flag.\n'));
      return index;
    });
    assert.ok(large && small);
    for (let page = 0; page < 60; page++)
      large.put(parsePage(`${page}.md`, filler(`road ${page}`)));
    const found = retrieve(new JoinedIndex([large, small]), aQuestion('proxy flag'), undefined, 5);
    assert.equal(found.sections[0]?.page.set?.id, 'small');
  });

  for (const [asked, page] of [
    ['Where is the config?', 'configuration.md'],
    ['Who signed it?', 'signatures.md'],
    ['Is there a validator?', 'valid.md'],
  ] as const) {
    it(`answers “${asked}” from docs that have a longer or a shorter word`, () => {
      const pages = {
        'configuration.md': '# Setup\n\nThe configuration is a file.\n',
        'signatures.md': '# Safety\n\nEach message has a signature.\n',
        'valid.md': '# Forms\n\nA form is valid if all of its fields are.\n',
      };
      assert.deepEqual(pagesFor(pages, asked), [page]);
    });
  }

  it('takes a word as it is where the docs have it', () => {
    const pages = {
      'sign.md': '# Contracts\n\nSign here.\n',
      'signatures.md': '# Safety\n\nEach message has a signature.\n',
    };
    assert.deepEqual(pagesFor(pages, 'Who signed it?'), ['sign.md']);
  });

  it('finds a setting by its effect', () => {
    const pages = {
      'settings.md': `# Settings

## keepAliveTimeout

Time in milliseconds after which the server closes an idle connection.

## bodyLimit

Defines the maximum size of a payload that the server accepts.
`,
    };
    const index = indexOf({ ...fillers, ...pages });
    const question = aQuestion('How big may a payload be?');
    assert.equal(retrieve(index, question, undefined, 5).sections[0]?.section.slug, 'bodylimit');
  });

  it('puts the page whose title is the question before pages that mention it', () => {
    const pages = {
      'rates.md': '# Rates\n\n## Quotes\n\nPaginate through the rates.\n',
      'pagination.md': '# Pagination\n\nLists come in pieces. A cursor leads to the next one.\n',
    };
    assert.equal(pagesFor(pages, 'How do I paginate?')[0], 'pagination.md');
  });

  it('finds words that are written together, apart or with a hyphen', () => {
    const pages = { 'streams.md': '# smoothStream\n\nDelays the chunks of a stream.\n' };
    for (const text of ['smoothStream delay', 'smooth stream delay', 'smooth-stream delay']) {
      assert.deepEqual(pagesFor(pages, text), ['streams.md'], text);
    }
  });

  it('finds letters that changed places', () => {
    const pages = { 'log.md': '# Logging\n\nThe default level of the logger is info.\n' };
    assert.deepEqual(pagesFor(pages, 'defualt level?'), ['log.md']);
  });

  it('finds a word that is a property of every JavaScript object', () => {
    const pages = { 'classes.md': '# Classes\n\nThe constructor takes the options.\n' };
    assert.deepEqual(pagesFor(pages, 'constructor'), ['classes.md']);
  });

  it('does not fill its five places from one page', () => {
    const section = (name: string): string =>
      `## Webhook ${name}\n\nA webhook ${name} is delivered to your server.\n\n`;
    const names = ['events', 'signatures', 'retries', 'secrets', 'payloads', 'addresses'];
    const pages = {
      'webhooks.md': `# Webhooks\n\n${names.map(section).join('')}`,
      'testing.md': '# Testing\n\nSend a webhook to your own server.\n',
    };
    assert.ok(pagesFor(pages, 'How is a webhook delivered?').includes('testing.md'));
  });

  it('has two symbols of a module among its places, but no two members of a class', async () => {
    // Members with this much text have sections of their own.
    const text = ' It says a word more.'.repeat(50);
    const files = memoryPackage(
      { name: '@acme/runner', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts': `
          export declare class Runner {
            /** Stops the run of all tests when one of the tests fails.${text} */
            stopRun(): void;
            /** Stops the run of all tests when one of the tests ends.${text} */
            endRun(): void;
          }
          /** Says why it will stop. */
          export declare function onLeftOut(): void;
          /** Says where it can go on, and where it will not stop. */
          export declare function goOn(): void;
        `,
      },
    );
    const index = await indexOfPackage(files);
    index.put(parsePage('ends.md', '# Ends\n\nA test can stop.\n'));
    const question = aQuestion('How do I stop the run of all tests when one of the tests fails?');
    const { sections, further } = retrieve(index, question, undefined, 3);
    const headings = (found: typeof sections): string[] =>
      found.map(({ section }) => section.heading);
    assert.deepEqual(headings(sections), ['Runner.stopRun', 'onLeftOut', 'Ends']);
    assert.ok(headings(further).includes('Runner.endRun'), headings(further).join());
    assert.ok(headings(further).includes('goOn'), headings(further).join());
  });

  it('is as sure of a symbol beside another one of its module as alone', async () => {
    const files = memoryPackage(
      { name: '@acme/pool', version: '4.0.0', types: './index.d.ts' },
      {
        'index.d.ts': `
          /** Drains the queue of idle workers. */
          export declare function alpha(): void;
          /** Drains the queue of idle workers, whose sockets time out after some minutes. */
          export declare function beta(): void;
        `,
      },
    );
    const index = await indexOfPackage(files);
    const text = 'How do I drain the queue of idle workers?';
    const retrieval = retrieve(index, aQuestion(text), undefined, 5);
    assert.deepEqual(
      retrieval.sections.map(({ section }) => section.heading),
      ['alpha', 'beta'],
    );
    const { tone } = composeAnswer({
      question: text,
      retrieval,
      index,
      filter: undefined,
      addresses: addressesAt(() => 'http://127.0.0.1'),
      isIndexed: true,
    });
    assert.equal(tone, 'answer');
  });

  describe('with a question that the docs do not answer', () => {
    const pages = {
      'deploy.md':
        '# Deploy\n\n## Run in production\n\nStart the server with `start` and publish each message to the log.\n',
      'style.md': '# Style\n\nThe panel has a div for each message.\n',
    };
    for (const text of [
      'How do I publish each message to Kafka?',
      'Does the server speak gRPC?',
      'How do I center a div with flexbox?',
      'Can I run the server with PM2?',
      'Is there an X-Powered-By header?',
      'How do I reverse a linked list?',
    ]) {
      // Shows faults.md W2.
      it(`says of "${text}" that its sections only come close`, () => {
        const index = indexOf({ ...fillers, ...pages });
        const retrieval = retrieve(index, aQuestion(text), undefined, 5);
        const { tone } = composeAnswer({
          question: text,
          retrieval,
          index,
          filter: undefined,
          addresses: addressesAt(() => 'http://127.0.0.1:4100'),
          isIndexed: true,
        });
        assert.notEqual(tone, 'answer');
      });
    }

    for (const text of ['publish message', 'run in production?', 'server start']) {
      it(`still answers "${text}"`, () => {
        assert.equal(pagesFor(pages, text)[0], 'deploy.md');
      });
    }
  });

  it('answers a follow-up that has a topic of its own from that topic', () => {
    const pages = {
      'telemetry.md': '# Telemetry\n\n## Turn it on\n\nTelemetry records each call.\n',
      'retries.md': '# Retries\n\n## Backoff\n\nA failed call is tried again with a backoff.\n',
    };
    const earlier = turnsOf('How do I turn on telemetry?');
    assert.equal(
      pagesFor(pages, 'And what is the backoff of retries?', { earlier })[0],
      'retries.md',
    );
    assert.equal(pagesFor(pages, 'And for each call?', { earlier })[0], 'telemetry.md');
  });

  it('answers from the newer of two versions that the question names', () => {
    const pages = {
      'v1/keys.md': '# Keys\n\nKeys never change.\n',
      'v2/migrate.md': '# Migrate\n\nKeys change, and what changed is listed here.\n',
    };
    assert.deepEqual(pagesFor(pages, 'What changed between version 1 and 2?'), ['v2/migrate.md']);
  });
});
