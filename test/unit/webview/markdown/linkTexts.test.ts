/** Tests which texts of links make the view show the real host beside them (faults.md G5). */
import assert from 'node:assert/strict';
import { allowedLink, hostToShow } from '../../../../webview/markdown/links';

const linkTo = (href: string): URL => allowedLink(href) ?? assert.fail(`no link: ${href}`);

const elsewhere = linkTo('https://evil.example/a');
const page = linkTo('https://docs.acme.com/guides/start');

/** Texts in which a reader finds an address that is not `evil.example`. */
const misleading = [
  // Ports that no address can have, and what is none
  'https://docs.example.com:99999/login',
  'https://docs.example.com:login',
  'https://docs.example.com:/login',
  'docs.example.com:123456',
  // Characters that end a host for a reader, but not in an address
  'https://docs.example.com|login',
  'https://docs.example.com^login',
  'https://docs.example.com%2Flogin',
  'https%3A%2F%2Fdocs.example.com%2Flogin',
  'docs.example.com`login',
  'docs.example.com{login}',
  'docs.example.com\\login',
  'docs.example.com-login',
  'docs.example.com_login',
  'docs.example.com.',
  'docs.example.com…',
  'docs.example.com’s guide',
  // Signs that look like those of an address
  'https\ua789//docs.example',
  'https\u2236//docs.example',
  'https\uff1a//docs.example',
  'https:\u2215\u2215docs.example',
  'https:\u2044\u2044docs.example\u2044login',
  'https:\\\\docs.example\\login',
  'docs\u06d4example\u06d4com',
  'docs\ua4f8example\ua4f8com',
  'docs.example.\u0441\u043em',
  'docs.example.c\u03bfm',
  '\u0501\u043e\u0441\u0455.\u0435xample.\u0441\u043e\u043c',
  'docs.ex\u0430mple.com',
  '\ud835\udc1d\ud835\udc28\ud835\udc1c\ud835\udc2c.example.com',
  'do\u0301cs.example.com',
  'docs.example.com\u0301',
  'help\ufe6bexample.com',
  // Pictures and signs behind and before
  'https://docs.example.com✔',
  'https://docs.example.com✅ safe',
  'docs.example.com🔒',
  'docs.example.com\u2122',
  '\u24d3\u24de\u24d2\u24e2.\u24d0\u24d2.\u24d2\u24de\u24dc',
  'docs.example.com\u00b2',
  'docs.example.com1\ufe0f\u20e3',
  '🔒docs.example.com',
  '✓ docs.acme.io',
  '\u2460docs.example.com',
  // Something right before
  'url=https://docs.example.com/login',
  'url=docs.example.com',
  '-https://docs.example.com',
  'Docs,https://docs.example.com',
  'Docs,docs.example.com',
  'Docs:docs.example.com',
  'Docshttps://docs.example.com',
  '请看docs.example.com。点击登录',
  '看https://docs.example/登录',
  '"docs.example.com"',
  '*docs.example.com*',
  '_docs.example.com_',
  '//docs.example.com/login',
  '//docs.acme.example/login',
  '//intranet/login',
  // Hosts without dots, and numbers
  'http://10.0.0.1/',
  '10.0.0.1',
  'Open 192.168.1.10:8080',
  'http://[::1]/',
  '[::1]:8080',
  '[2001:db8::1]',
  '2001:db8::1',
  'http://2130706433/',
  'http://0x7f.1/',
  'localhost',
  'localhost:3000',
  'http://localhost/',
  'see localhost:8080/admin',
  'http://intranet',
  'https://intranet/login',
  'http:intranet',
  'intranet:8080/login',
  // User names
  'https://docs.example.com@evil.example/',
  'docs.example.com@evil.example',
  'https://docs.example.com:80@evil.example/',
  'https://acme@evil.example/',
  'login@docs.example.com',
  'login@docs.acme.example',
  'root@localhost',
  // Other top-level domains
  'docs.acme.io',
  'Log in at docs.acme.io now',
  'acme.dev/login',
  'acme.de',
  'acme.co.uk',
  'docs.acme.example/login',
  'docs.acme.example:8080',
  'DOCS.EXAMPLE.COM',
  'WWW.docs.example',
  'docs.acme.rs/login',
  'docs.example.com.evil.com',
  // Directions
  '\u202emoc.elpmaxe.scod',
  'docs.example\u202c',
  'com\u200f.\u200facme\u200f.\u200fdocs',
  'com\u061c.acme',
];

/** Texts without an address, or with that of `docs.acme.com` alone. */
const honest = [
  'the guide',
  'https://docs.acme.com/guides/start',
  'http://docs.acme.com',
  'docs.acme.com',
  'DOCS.ACME.COM',
  'www.docs.acme.com',
  'docs.acme.com/other?to=https://b.example.com/#x',
  'docs.acme.com:443',
  'https://docs.acme.com:99999/login',
  'https://docs.acme.com|login',
  'docs.acme.com%2Flogin',
  'https\ua789//docs.acme.com',
  'docs.acme.com✔',
  'docs.acme.com™',
  'docs.acme.com-login',
  'url=https://docs.acme.com/login',
  'Docs,https://docs.acme.com',
  '请看docs.acme.com。点击',
  '请看这里。点击',
  'login@docs.acme.com',
  '//docs.acme.com/x',
  'docs.acme.com’s guide',
  // Names of files
  'config.json',
  'README.md',
  'next.config.ts',
  'vite.config.js',
  'src/index.ts',
  'main.py',
  'lib.rs',
  'build.sh',
  'main.rs:42',
  'index.html',
  'docs/guide.md#install',
  'package.json/yarn.lock',
  'config.yml/config.yaml',
  '.env.example',
  'Cargo.toml',
  'archive.tar.gz',
  'values.schema.json',
  // Names in code
  'fs.readFile',
  'fs.promises.readFile()',
  'process.env.HOME',
  'user.id',
  'Array.prototype.at()',
  'array.at(0)',
  'arr.at()',
  'System.IO',
  'System.IO.Pipelines',
  'Azure.AI.OpenAI',
  'com.acme.Upload',
  'org.apache.commons',
  'java.util.concurrent',
  'std::vector',
  'Face::Bad',
  'The Node.js and ASP.NET guides',
  'Node.js/Express',
  'e.g. this',
  'and/or',
  '@types/node',
  'react@18.2.0',
  'react@18.3.0-rc.beta',
  '@app.route',
  'async/await',
  '// eslint-disable-next-line',
  '**/*.ts',
  'C:\\Users\\me',
  'file:///etc/hosts',
  // Numbers
  'v1.2.3',
  '1.2.3',
  'Version 2.0.0-beta.1',
  '120.0.6099.109',
  '10:30:15',
  '16:9',
  '$1.50',
  '99.9%',
  '½ of it',
];

describe('the text of a link', () => {
  for (const text of misleading) {
    it(`names another host: ${JSON.stringify(text)}`, () => {
      assert.equal(hostToShow(elsewhere, text), 'evil.example');
    });
  }

  for (const text of honest) {
    it(`names no other host: ${JSON.stringify(text)}`, () => {
      assert.equal(hostToShow(page, text), undefined);
    });
  }

  const before = [
    ...['', ' ', '(', '[', '<', '"', '“', '«', '‘', '*', '_', '-', '–', '—', '→ ', '=', ',', ';'],
    ...[
      '|',
      '^',
      '~',
      '`',
      '!',
      '?',
      '…',
      '#',
      '&',
      '%20',
      '%2F',
      '\\',
      '✔',
      '✅ ',
      '🔒',
      '①',
      '™',
    ],
    ...[
      'Docs: ',
      'Docs:',
      'Docs,',
      'url=',
      'See ',
      '请看',
      '이것',
      '\u200b',
      '\u00ad',
      '\u3000',
      'é ',
    ],
  ];
  const after = [
    ...['', ' ', ')', ']', '>', '"', '”', '»', '’s', '*', '_', '-', '–', '—', ' →', '=', ',', ';'],
    ...['|x', '^x', '~x', '`x', '!', '?', '…', '#x', '&x', '%20x', '%2Fx', '\\x', '✔', '✅ ', '🔒'],
    ...[
      '①',
      '™',
      '/',
      '/x',
      ':',
      ':x',
      ':99999/x',
      '.',
      ' please',
      '请看',
      '。点击',
      '\u200b',
      '\u00ad',
    ],
  ];
  const hosts = [
    'docs.acme.com',
    'https://docs.acme.com',
    'https://docs.acme.example',
    'http://intranet',
    'www.acme.example',
    'docs.acme.io',
    '10.0.0.1',
    'http://[::1]',
    '[2001:db8::1]',
    'localhost',
  ];
  for (const host of hosts) {
    it(`names ${host}, whatever stands before and behind it`, () => {
      const own = linkTo(host.includes('//') ? host : `https://${host}`);
      for (const [prefix, suffix] of before.flatMap((one) => after.map((two) => [one, two]))) {
        const text = `${prefix}${host}${suffix}`;
        assert.equal(hostToShow(elsewhere, text), 'evil.example', JSON.stringify(text));
        assert.equal(hostToShow(own, text), undefined, `${JSON.stringify(text)} is its own`);
      }
    });
  }

  it('is told from what the text around it turns round', () => {
    for (const around of ['\u202emoc.emca', 'a \u202d b']) {
      assert.equal(hostToShow(page, 'moc.emca', around), 'docs.acme.com');
    }
    assert.equal(
      hostToShow(page, 'the guide', 'Use \u2066API\u2069 or \u202bthis\u202c'),
      undefined,
    );
  });

  for (const [href, text, shown] of [
    ['mailto:help@acme.com', 'Write to help@acme.com, please', undefined],
    ['mailto:Help@acme.com?subject=Hi', 'mailto:help@acme.com', undefined],
    ['mailto:help@acme.com', 'acme.com', undefined],
    ['mailto:jane.co@acme.com', 'jane.co@acme.com', undefined],
    ['mailto:a@acme.com,b@acme.com', 'a@acme.com and b@acme.com', undefined],
    ['mailto:a@acme.com,b@evil.com', 'a@acme.com', 'a@acme.com, b@evil.com'],
    ['mailto:a@acme.com?bcc=b%40evil.com', 'Write to us', 'a@acme.com, b@evil.com'],
    ['mailto:a@acme.com%2Cb%40evil.com', 'a@acme.com', 'a@acme.com, b@evil.com'],
    ['mailto:evil@evil.example', 'help@acme.example', 'evil@evil.example'],
    ['mailto:evil@acme.com', 'help@acme.com', 'evil@acme.com'],
    ['mailto:help@acme.com', 'help@acme.com.evil.com', 'help@acme.com'],
    ['mailto:help@\u0430cme.com', 'help@acme.com', 'help@%D0%B0cme.com'],
    ['https://acme.com/contact', 'help@acme.com', undefined],
    ['https://www.acme.com/', 'acme.com', undefined],
    ['https://docs.acme.com:8443/', 'docs.acme.com', 'docs.acme.com:8443'],
    ['https://docs.acme.com:8443/', 'docs.acme.com:8443', undefined],
    ['http://localhost:4000/', 'localhost:3000', 'localhost:4000'],
  ] as const) {
    it(`gets ${shown ?? 'no host'} beside it for ${href} as ${JSON.stringify(text)}`, () => {
      assert.equal(hostToShow(linkTo(href), text), shown);
    });
  }

  it('is read to its end, however long it is', () => {
    const pieces = [
      'a.',
      'a.com ',
      ':',
      '[::',
      '[',
      '@a',
      'https:',
      '//',
      '%2F',
      '✔',
      '\u0301',
      '+',
      'a+',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(20_000);
      assert.equal(hostToShow(elsewhere, `${text} https://docs.example.com`), 'evil.example');
    }
  });
});
