import assert from 'node:assert/strict';
import type { AskFilter } from '../../../../src/shared/askFilter';
import type { SearchQuestion } from '../../../../src/docs/search/query';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { aQuestion, filler, indexOf, turnsOf } from '../../service/docs';

const front = (fields: string): string => `---\n${fields}\n---\n\n`;

const pages = {
  'v2/en/webhooks.md': `${front('title: Webhooks\ngroups: [api]')}We post events to you.

## Verify the signature

Each webhook delivery carries a signature. Verify it before you trust the event.

### Verify in TypeScript

\`\`\`ts
constructEvent(body, header);
\`\`\`

### Verify in Python

\`\`\`python
construct_event(body, header)
\`\`\`

## Retries

A failed delivery is tried again.
`,
  'v2/de/webhooks.md': `${front('title: Webhooks\ngroups: [api]')}## Signatur prüfen

Jede Zustellung eines Webhooks hat eine Signatur. Prüfen Sie die Signatur, bevor Sie ihr trauen.
`,
  'v1/en/webhooks.md': `${front('title: Webhooks\ngroups: [api]')}## Verify the hash

Each webhook carries a hash as its signature. Verify it.
`,
  'v1/en/pickups.md': `${front('title: Pickups\ngroups: [guides]')}## Schedule a pickup

A driver comes to you.
`,
  'v2/en/python.md': `${front('title: Python SDK\ngroups: [sdk]')}## Install

\`\`\`bash
pip install it
\`\`\`

## Logging

\`\`\`python
logging.basicConfig()
\`\`\`
`,
  'v2/en/admin/proxy.md': `${front('title: Proxy\ngroups: [admin]')}## Time-outs

Raise the time-out of the proxy for slow uploads.
`,
  'v2/en/guides/uploads.md': `${front('title: Uploads\ngroups: [guides]')}## Time-outs

Raise the time-out of uploads for slow networks.
`,
  'v2/en/billing.md': `${filler('invoices')}\nOur office is closed on Sundays.\n`,
  'v2/en/glossary.md': filler('parcels'),
  'v2/en/regions.md': filler('regions'),
};
const index = indexOf(pages);

function found(
  text: string,
  rest: Partial<SearchQuestion> = {},
  filter?: AskFilter,
  pageSize = 5,
): string[] {
  const { sections } = retrieve(index, aQuestion(text, rest), filter, pageSize);
  return sections.map(({ page, section }) => `${page.route}#${section.slug}`);
}

describe('retrieve', () => {
  it('puts the section that is about the question first', () => {
    assert.equal(
      found('How do I verify a webhook signature?')[0],
      'v2/en/webhooks#verify-the-signature',
    );
  });

  it('puts the section above its examples first where nobody asked for their language', () => {
    const examples = indexOf({
      ...pages,
      'hooks.md':
        '# Hooks\n\n## Signatures\n\nCompare the signature of a hook with your own hash before you trust it, and look at its age and at its sender.\n\n' +
        '### Verify in Go\n\nVerify the signature of a hook:\n\n```go\nhooks.Verify(body)\n```\n\n' +
        '### Verify in Python\n\nVerify the signature of a hook:\n\n```python\nverify(body)\n```\n',
    });
    const first = (text: string): string | undefined =>
      retrieve(examples, aQuestion(text), undefined, 5).sections[0]?.section.heading;
    assert.equal(first('Verify the signature of a hook'), 'Signatures');
    assert.equal(first('Verify the signature of a hook in Python'), 'Verify in Python');
  });

  it('finds at most as many sections as requested', () => {
    assert.equal(found('verify webhooks', {}, undefined, 1).length, 1);
    assert.equal(found('verify webhooks', {}, undefined, 2).length, 2);
  });

  it('finds words in other forms and misspelt ones', () => {
    assert.equal(found('verfy the webhok signture')[0], 'v2/en/webhooks#verify-the-signature');
    assert.equal(found('verification of signatures')[0], 'v2/en/webhooks#verify-the-signature');
  });

  for (const question of [
    'What is the weather in Paris?',
    'Wie wird das Wetter morgen?',
    'asdfghjkl',
    'Tell me a joke',
    '???',
  ]) {
    it(`finds nothing for "${question}"`, () => {
      assert.deepEqual(found(question), []);
    });
  }

  it('ignores words around the subject', () => {
    assert.equal(
      found('My colleague urgently wants to verify the webhook signature of our shop')[0],
      'v2/en/webhooks#verify-the-signature',
    );
  });

  describe('with a filter', () => {
    it('leaves other versions out, with or without the letter before the number', () => {
      for (const version of ['v1', '1', 'V1']) {
        assert.deepEqual(found('verify webhooks', {}, { version }), [
          'v1/en/webhooks#verify-the-hash',
        ]);
      }
    });

    it('leaves other languages out and takes a region for its language', () => {
      for (const language of ['de', 'de-AT', 'DE']) {
        assert.deepEqual(found('Webhook Signatur', {}, { language }), [
          'v2/de/webhooks#signatur-prüfen',
        ]);
      }
    });

    it('keeps pages of any of the groups', () => {
      assert.deepEqual(found('raise the time-out', {}, { groups: ['admin'] }), [
        'v2/en/admin/proxy#time-outs',
      ]);
      assert.equal(found('raise the time-out', {}, { groups: ['admin', 'guides'] }).length, 2);
    });

    it('keeps all pages if groups are an empty list', () => {
      assert.equal(found('raise the time-out', {}, { groups: [] }).length, 2);
    });

    it('finds nothing in a version that does not exist', () => {
      assert.deepEqual(found('verify webhooks', {}, { version: 'v9' }), []);
    });
  });

  describe('without a version in the filter', () => {
    it('answers from the newest version', () => {
      const places = found('verify the webhook signature');
      assert.equal(places[0], 'v2/en/webhooks#verify-the-signature');
      assert.ok(
        places.every((place) => place.startsWith('v2/')),
        places.join(', '),
      );
    });

    it('answers from the version that the question names', () => {
      assert.deepEqual(found('In v1, how do I verify a webhook?'), [
        'v1/en/webhooks#verify-the-hash',
      ]);
    });

    it('answers from an older version if only that one has the answer', () => {
      assert.equal(found('How do I schedule a pickup?')[0], 'v1/en/pickups#schedule-a-pickup');
    });

    it('keeps the section of an older version that has more of the question than any current one', () => {
      // The current pages have a delivery, and the older one has the driver as well.
      const places = found('delivery driver');
      assert.ok(places[0]?.startsWith('v2/'), places.join(', '));
      assert.ok(places.includes('v1/en/pickups#schedule-a-pickup'), places.join(', '));
    });

    it('answers from the current pages of a Docusaurus site unless the question names a version', () => {
      const init = '# Init\n\n## Options\n\n`--init-type` sets the type of the new module.\n';
      const versioned = {
        'docs/init.md': init,
        'docs/other.md': '# Other\n\nNothing of interest, and a longer text than the rest.\n',
        'versioned_docs/version-10.x/init.md': `${init}\nThe default of --init-type is module.\n`,
        'versioned_docs/version-9.x/init.md': init,
      };
      const pathsFor = (text: string): string[] =>
        retrieve(indexOf(versioned), aQuestion(text), undefined, 5).sections.map(
          ({ page }) => page.path,
        );
      assert.deepEqual(pathsFor('default of --init-type'), ['docs/init.md']);
      for (const name of ['v10', 'version 10', 'version 10.x']) {
        assert.equal(
          pathsFor(`default of --init-type in ${name}`)[0],
          'versioned_docs/version-10.x/init.md',
        );
      }
    });

    it('answers from the version of the page being viewed', () => {
      assert.equal(
        found('verify webhook', { currentPath: 'v1/en/pickups' })[0],
        'v1/en/webhooks#verify-the-hash',
      );
    });
  });

  it('answers in the language of the question', () => {
    assert.deepEqual(found('Wie prüfe ich die Signatur eines Webhooks?'), [
      'v2/de/webhooks#signatur-prüfen',
    ]);
    const places = found('How is the webhook signature verified?');
    assert.equal(places[0], 'v2/en/webhooks#verify-the-signature');
    assert.ok(
      places.every((place) => place.includes('/en/')),
      places.join(', '),
    );
  });

  describe('with earlier turns', () => {
    const earlier = turnsOf('How do I verify a webhook signature?');

    for (const text of ['and in Python?', 'Python?', 'How about Python?', 'und in Python?']) {
      it(`understands "${text}" from the previous question`, () => {
        const places = found(text, { earlier }, { language: 'en' });
        assert.equal(places[0], 'v2/en/webhooks#verify-in-python');
      });
    }

    it('understands a chain of follow-ups', () => {
      const chain = turnsOf('How do I verify a webhook signature?', 'and in Python?');
      assert.equal(
        found('and in TypeScript?', { earlier: chain })[0],
        'v2/en/webhooks#verify-in-typescript',
      );
    });

    it('finds nothing for a follow-up about something else altogether', () => {
      assert.deepEqual(found('and the weather?', { earlier }), []);
    });

    it('answers a new subject without the old one', () => {
      assert.equal(
        found('How do I schedule a pickup?', { earlier })[0],
        'v1/en/pickups#schedule-a-pickup',
      );
    });

    it('understands the same follow-up differently after another question', () => {
      const logging = turnsOf('How do I set up logging?');
      assert.equal(found('and in Python?', { earlier: logging })[0], 'v2/en/python#logging');
    });
  });

  describe('with context items', () => {
    it('answers a question that says nothing itself from the code', () => {
      const code = {
        type: 'code' as const,
        value: 'const e = constructEvent(req.body, header)',
        path: 'a.ts',
      };
      assert.equal(
        found('What does this do?', { contextItems: [code] })[0],
        'v2/en/webhooks#verify-in-typescript',
      );
    });

    it('prefers examples in the language of the code', () => {
      const code = (path: string) => [{ type: 'code' as const, value: 'body = header', path }];
      const [python, typescript] = ['hook.py', 'hook.ts'].map((path) =>
        found('verify webhook', { contextItems: code(path) }).find((place) =>
          place.includes('verify-in'),
        ),
      );
      assert.equal(python, 'v2/en/webhooks#verify-in-python');
      assert.equal(typescript, 'v2/en/webhooks#verify-in-typescript');
    });

    it('does not let code change the subject of a clear question', () => {
      const code = { type: 'code' as const, value: 'proxy.timeout(upload)', path: 'a.ts' };
      assert.equal(
        found('How do I verify a webhook signature?', { contextItems: [code] })[0]?.split('-')[0],
        'v2/en/webhooks#verify',
      );
    });
  });

  describe('with the page being viewed', () => {
    for (const [currentPath, first] of [
      ['v2/en/admin/proxy', 'v2/en/admin/proxy#time-outs'],
      ['v2/en/guides/uploads', 'v2/en/guides/uploads#time-outs'],
      ['/v2/en/guides/uploads.md', 'v2/en/guides/uploads#time-outs'],
      ['guides/uploads', 'v2/en/guides/uploads#time-outs'],
      ['v2/en/admin/other', 'v2/en/admin/proxy#time-outs'],
      ['v2/en/guides/other', 'v2/en/guides/uploads#time-outs'],
    ] as const) {
      it(`prefers what is near to ${currentPath}`, () => {
        for (const path of [currentPath, `/${currentPath}`, `/${currentPath}/`]) {
          assert.equal(found('How do I raise the time-out?', { currentPath: path })[0], first);
        }
      });
    }

    it('answers "what is this page about" from that page', () => {
      assert.deepEqual(found('What is this page about?', { currentPath: 'v2/en/python' }), [
        'v2/en/python#install',
        'v2/en/python#logging',
      ]);
    });

    it('knows a page whose file has a number by its URL', () => {
      const numbered = indexOf({
        'content/1.guide/2.install.md': 'Owls come in a box.',
        'content/2.api/2.install.md': 'Eggs come in a nest.',
      });
      const question = { ...aQuestion('What is this page about?'), currentPath: '/guide/install' };
      const { sections } = retrieve(numbered, question, undefined, 5);
      assert.deepEqual(
        sections.map(({ page }) => page.path),
        ['content/1.guide/2.install.md'],
      );
    });

    it('knows a page by its whole URL rather than by the end of it', () => {
      const both = indexOf({
        'install.md': 'Owls come in a box.',
        'guide/install.md': 'Eggs come in a nest.',
      });
      const question = aQuestion('What is this page about?', { currentPath: '/install' });
      const { sections } = retrieve(both, question, undefined, 5);
      assert.deepEqual(
        sections.map(({ page }) => page.path),
        ['install.md'],
      );
    });

    it('does not leave the filter for it', () => {
      assert.deepEqual(
        found('What is this page about?', { currentPath: 'v2/en/python' }, { version: 'v1' }),
        [],
      );
    });
  });

  it('leaves out a section that repeats another one', () => {
    const text =
      '## Limits\n\nA key may make sixty requests per minute, and twenty at the same time.\n';
    const twice = indexOf({
      'a.md': text,
      'b.md': text,
      'c.md': filler('bills'),
      'd.md': filler('maps'),
    });
    assert.equal(retrieve(twice, aQuestion('request limits'), undefined, 5).sections.length, 1);
  });

  it('finds the parts of a compound that the docs write otherwise', () => {
    const german = indexOf({
      'de/a.md': '## Ratenbegrenzung\n\nDas Limit beträgt 60 Anfragen.\n',
      'de/b.md': '## Rechnungen\n\nKommen monatlich.\n',
      'de/c.md': '## Karten\n\nWerden gedruckt.\n',
    });
    const { sections } = retrieve(
      german,
      aQuestion('Wie hoch sind die Ratenlimits?'),
      undefined,
      5,
    );
    assert.equal(sections[0]?.section.slug, 'ratenbegrenzung');
  });

  it('finds a word while it is typed, by its beginning and by the stem of which it has more', () => {
    const birds = indexOf({
      'a.md': '## Pelicans\n\nThe authentication of pelicans takes a day.\n',
      'b.md': '## Herons\n\nHerons stand in water.\n',
      'c.md': filler('maps'),
    });
    const slugs = (text: string, isOpen: boolean): (string | undefined)[] =>
      retrieve(birds, aQuestion(text, { isOpen }), undefined, 5).sections.map(
        ({ section }) => section.slug,
      );
    for (const text of ['pel', 'authe', 'authenticatio', 'herons and pelic'])
      assert.ok(slugs(text, true).includes('pelicans'), text);
    assert.deepEqual(slugs('pel', false), []);
    assert.deepEqual(slugs('pel ', true), []);
    assert.deepEqual(slugs('pe', true), []);
  });

  it('finds code by words that say nothing in a sentence if the search is no sentence', () => {
    const rules = indexOf({
      'a.md':
        '## Order\n\nExports come last, but let us see.\n\n```js\nexport const one = 1\n```\n',
      'b.md': '## Mutable\n\nExports that change.\n\n```js\nexport let two = 2\n```\n',
      'c.md': filler('maps'),
    });
    const slugs = (text: string, isOpen = false): (string | undefined)[] =>
      retrieve(rules, aQuestion(text, { isOpen }), undefined, 5).sections.map(
        ({ section }) => section.slug,
      );
    for (const isOpen of [false, true]) {
      assert.equal(slugs('export let', isOpen)[0], 'mutable');
      assert.deepEqual(slugs('let', isOpen), ['mutable']);
    }
    assert.deepEqual(slugs('let?'), []);
    assert.deepEqual(slugs('Please let me do it now'), []);
    rules.remove('b.md');
    assert.deepEqual(slugs('let'), []);
  });

  it('forgets a page that was replaced or removed', () => {
    const changing = indexOf({
      'a.md': '## Pelicans\n\nPelicans are birds.',
      'b.md': filler('maps'),
    });
    const search = (text: string): number =>
      retrieve(changing, aQuestion(text), undefined, 5).sections.length;
    assert.equal(search('pelicans'), 1);
    changing.remove('a.md');
    assert.equal(search('pelicans'), 0);
    assert.equal(changing.has('pelican'), false);
    assert.equal(changing.sectionCount, 1);
  });
});
