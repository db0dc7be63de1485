import assert from 'node:assert/strict';
import { CitationIndex } from '../../../../webview/markdown/citations';
import {
  allowedLink,
  hostToShow,
  isRelativeLink,
  linkTitle,
} from '../../../../webview/markdown/links';

const refused = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'command:workbench.action.quit',
  'vscode://file/etc/passwd',
  'vscode-insiders://x/y',
  'vscode-resource://x/y',
  'vscode-webview://x/y',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'about:blank',
  'ftp://a.example/',
  'ssh://a.example',
  'ms-msdt:/id',
  'tel:123',
  'mailto:',
  'mailto:javascript:alert(1)',
  'mailto:javascript:alert(1)@a.example',
  'mailto:https://a.example',
  'mailto:someone',
  'https://',
  'http:',
];

describe('links', () => {
  for (const href of refused) {
    // Shows faults.md G2.
    it(`neither allows nor resolves ${JSON.stringify(href)}`, () => {
      assert.equal(allowedLink(href), undefined);
      assert.equal(isRelativeLink(href), false);
    });
  }

  it('allows addresses of the web and of mail', () => {
    for (const href of ['https://a.example/x?y#z', 'HTTP://A.example', 'mailto:a@b.example']) {
      assert.ok(allowedLink(href), href);
    }
  });

  it('takes an address without a scheme for a page of the docs', () => {
    for (const href of ['/guides/start', 'start#top', '../x', '#top', '//evil.example/x']) {
      assert.equal(isRelativeLink(href), true, href);
      assert.equal(allowedLink(href), undefined, href);
    }
  });

  it('names the real host first', () => {
    const url = allowedLink('https://docs.acme.example@evil.example/x');
    assert.ok(url);
    assert.match(linkTitle(url), /^evil\.example\n/);
  });

  const shown: [href: string, text: string, host: string | undefined][] = [
    ['https://evil.example/', 'https://docs.acme.com/login', 'evil.example'],
    ['https://evil.example/', 'docs.acme.com', 'evil.example'],
    ['https://evil.example/', 'www.acme.example', 'evil.example'],
    ['https://docs.acme.com@evil.example/', 'the docs', 'evil.example'],
    ['https://аcme.com/', 'acme', 'xn--cme-5cd.com'],
    ['https://docs.acme.com/a', 'https://docs.acme.com/a', undefined],
    ['https://docs.acme.com/a', 'docs.acme.com/b', undefined],
    ['https://docs.acme.com/a', 'the docs', undefined],
    ['https://docs.acme.com/a', 'fs.readFile', undefined],
    ['https://docs.acme.com/a', 'config.json', undefined],
    ['https://evil.example/', 'acme.com\u200b', 'evil.example'],
    ['https://evil.example/', 'ac\u00adme.com', 'evil.example'],
    ['https://evil.example/', 'acme\uff0ecom', 'evil.example'],
    ['https://evil.example/', 'acme\u3002com', 'evil.example'],
    ['https://evil.example/', 'acme.com.', 'evil.example'],
    ['https://evil.example/', '(acme.com)', 'evil.example'],
    ['https://evil.example/', '→ “acme.com”', 'evil.example'],
    ['https://evil.example/', '\u202emoc.emca', 'evil.example'],
    ['https://evil.example/', '\u2066https://acme.com\u2069', 'evil.example'],
    ['https://evil.example/', 'Log in at https://acme.example/login', 'evil.example'],
    ['https://evil.example/', 'Log in at www.acme.example', 'evil.example'],
    ['https://evil.example/', 'Log in at acme.com.', 'evil.example'],
    ['https://evil.example/', 'https://acme.com@evil.example', 'evil.example'],
    ['https://docs.acme.com/a', 'See docs.acme.com, please', undefined],
    ['https://docs.acme.com/a', 'The Node.js and ASP.NET guides', undefined],
    ['https://docs.acme.com/a', 'https://docs.acme.com/a?to=https://b.example/', undefined],
    ['https://docs.acme.com/a', '请看这里。点击', undefined],
    ['mailto:evil@evil.example', 'https://acme.com', 'evil@evil.example'],
    ['mailto:evil@evil.example', 'help\uff20acme.com', 'evil@evil.example'],
    ['mailto:evil@evil.example', 'help@acme.com', 'evil@evil.example'],
    ['mailto:help@acme.com', 'help@acme.com', undefined],
    ['mailto:help@acme.com', 'write to us', undefined],
  ];
  for (const [href, text, host] of shown) {
    it(`shows ${host ?? 'no host'} beside “${text}” for ${href}`, () => {
      const url = allowedLink(href);
      assert.ok(url);
      assert.equal(hostToShow(url, text), host);
    });
  }
});

describe('CitationIndex', () => {
  const aSource = (sourceId: string, url: string) =>
    ({ type: 'source-url', sourceId, url }) as const;
  const index = new CitationIndex([
    aSource('a', 'https://docs.acme.example/uploads/limits'),
    aSource('b', 'https://docs.acme.example/uploads/parts#size'),
    aSource('c', 'https://docs.acme.example/uploads/parts#order'),
    aSource('d', 'https://docs.acme.example/uploads/limits/'),
    aSource('e', 'javascript:alert(1)'),
  ]);

  it('numbers each address once, in order', () => {
    assert.deepEqual(
      index.sources.map(({ number, source }) => `${number}${source.sourceId}`),
      ['1a', '2b', '3c', '4e'],
    );
  });

  const found: [href: string, sourceId: string | undefined][] = [
    ['https://docs.acme.example/uploads/limits', 'a'],
    ['https://docs.acme.example/uploads/limits/', 'a'],
    ['https://docs.acme.example/uploads/parts#order', 'c'],
    ['https://docs.acme.example/uploads/parts', 'b'],
    ['/uploads/parts#order', 'c'],
    ['/uploads/parts#other', 'b'],
    ['uploads/limits', 'a'],
    ['https://other.example/uploads/limits', undefined],
    ['//other.example/uploads/limits', undefined],
    ['/nowhere', undefined],
    ['#size', undefined],
    ['', undefined],
    ['javascript:alert(1)', undefined],
    ['__proto__', undefined],
  ];
  for (const [href, sourceId] of found) {
    it(`finds ${sourceId ?? 'nothing'} for “${href}”`, () => {
      assert.equal(index.find(href)?.source.sourceId, sourceId);
    });
  }

  describe('of sources whose address is a path alone', () => {
    const sources = [
      aSource('a', 'guides/start#tokens'),
      aSource('b', '/guides/limits/'),
      aSource('c', '/errors'),
      aSource('d', 'guides/limits'),
      aSource('e', '/errors?v=2'),
      aSource('f', '//evil.example/x'),
      aSource('g', 'https://docs.acme.example/errors'),
    ];
    const pages = new Map([
      ['a', ''],
      ['b', 'https://docs.acme.example/docs/guides/limits'],
      ['c', 'javascript:alert(1)'],
    ]);

    it('lists each once, and links to those alone of which the host knows more', () => {
      assert.deepEqual(
        new CitationIndex(sources, pages).sources.map(({ source, href }) => [
          source.sourceId,
          href,
        ]),
        [
          ['a', '#'],
          ['b', 'https://docs.acme.example/docs/guides/limits'],
          ['c', '#'],
          ['e', ''],
          ['f', ''],
          ['g', 'https://docs.acme.example/errors'],
        ],
      );
      const known = new CitationIndex(sources).sources.filter(({ href }) => href !== '');
      assert.deepEqual(
        known.map(({ source }) => source.sourceId),
        ['g'],
      );
    });

    for (const [href, sourceId] of [
      ['guides/start#tokens', 'a'],
      ['/guides/start#tokens', 'a'],
      ['/guides/start', 'a'],
      ['/guides/start/#other', 'a'],
      ['guides/limits', 'b'],
      ['https://docs.acme.example/docs/guides/limits', 'b'],
      ['/errors', 'c'],
      ['https://docs.acme.example/errors', 'g'],
      ['https://docs.acme.example/guides/start', undefined],
    ] as const) {
      it(`finds ${sourceId ?? 'nothing'} for “${href}”`, () => {
        assert.equal(new CitationIndex(sources, pages).find(href)?.source.sourceId, sourceId);
      });
    }
  });
});
