import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DocsPlace, renderDocs, renderFolder, type RenderedSite } from '../renderedSite';

const page = (title: string, front = ''): string => `---\ntitle: ${title}\n${front}---\n\nText.\n`;

/**
 * Returns the navigation of a page as lines: groups as `Title:`, entries as `  Title -> address`.
 */
function outline(site: RenderedSite, name: string): string[] {
  const side = site.part(name, '<nav class="side"', '</nav>').replace(/<button[^]*?<\/button>/, '');
  const lines: string[] = [];
  let depth = -1;
  for (const [token, href] of side.matchAll(
    /<ul>|<\/ul>|<span class="folder-title">|<a href="([^"]*)"[^>]*>([^<]*)<\/a>|[^<>]+(?=<\/span>)/g,
  )) {
    if (token === '<ul>') depth++;
    else if (token === '</ul>') depth--;
    else if (token.startsWith('<span')) continue;
    else {
      const text = token.replace(/<[^>]*>/g, '');
      lines.push(`${'  '.repeat(depth)}${text}${href === undefined ? ':' : ` -> ${href}`}`);
    }
  }
  return lines;
}

function pagerOf(site: RenderedSite, name: string): string[] {
  const pager = site.part(name, '<nav class="pager"', '</nav>');
  return [...pager.matchAll(/href="([^"]*)" class="(\w+)"/g)].map(
    ([, href, side]) => `${side} ${href}`,
  );
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

describe('the navigation that docs.json lists', () => {
  const docs = {
    'index.mdx': page('Welcome'),
    'quickstart.mdx': page('Quickstart', 'sidebarTitle: Start\n'),
    'guides/write.mdx': page('Writing'),
    'guides/deep/tables.mdx': page('Tables'),
    'api/users.mdx': page('Users'),
    'changelog.mdx': page('Changelog'),
    'secret.mdx': page('Secret', 'hidden: true\n'),
    'docs.json': json({
      $schema: 'https://mintlify.com/docs.json',
      theme: 'mint',
      name: 'Acme',
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            icon: 'book',
            groups: [
              {
                group: 'Get started',
                pages: [
                  'index',
                  '/quickstart',
                  {
                    group: 'Editing',
                    expanded: true,
                    pages: ['guides/write', 'guides/deep/tables.mdx'],
                  },
                ],
              },
            ],
          },
          {
            tab: 'API reference',
            openapi: 'openapi.json',
            pages: ['api/users', 'GET /users', 'openapi.json POST /users', 7],
          },
          { tab: 'Blog', href: 'https://blog.example.com' },
        ],
        global: { anchors: [{ anchor: 'Community', href: 'https://community.example.com' }] },
      },
    }),
  };

  it('has its groups, order and titles, and other pages after them', async () => {
    const site = await renderDocs(docs);
    assert.deepEqual(outline(site, 'quickstart.html'), [
      'Guides -> guides.html',
      '  Get started -> get-started.html',
      '    Welcome -> index.html',
      '    Start -> quickstart.html',
      '    Editing -> guides/index.html',
      '      Writing -> guides/write.html',
      '      Tables -> guides/deep/tables.html',
      'API reference -> api/index.html',
      '  Users -> api/users.html',
      'Blog -> https://blog.example.com',
      'More pages -> pages.html',
      '  Changelog -> changelog.html',
    ]);
    assert.deepEqual(site.brokenLinks(), []);
    site.log.assertNoErrors();
  });

  it('leads from page to page in that order', async () => {
    const site = await renderDocs(docs);
    assert.deepEqual(pagerOf(site, 'guides/write.html'), [
      'prev ../quickstart.html',
      'next deep/tables.html',
    ]);
    assert.deepEqual(pagerOf(site, 'api/users.html'), [
      'prev ../guides/deep/tables.html',
      'next ../changelog.html',
    ]);
  });

  it('leaves hidden pages out of every list, but still renders them', async () => {
    const site = await renderDocs({
      ...docs,
      'changelog.mdx': `${page('Changelog')}\n[secret](/secret)\n`,
    });
    assert.ok(site.names.includes('secret.html'));
    assert.deepEqual(
      site.names.filter((name) => {
        const content = site.files.get(name);
        return typeof content === 'string' && content.includes('secret');
      }),
      ['changelog.html', 'secret.html'],
    );
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('gives pages the version and language under which they are listed', async () => {
    const group = (...pages: string[]) => [{ group: 'All', pages }];
    const site = await renderDocs({
      'now/a.mdx': page('A'),
      'now/b.mdx': page('B'),
      'old/a.mdx': page('A of old'),
      'old/b.mdx': page('B of old'),
      'docs.json': json({
        navigation: {
          versions: [
            { version: '2.0', groups: group('now/b', 'now/a') },
            { version: '1.0', groups: group('old/b', 'old/a') },
          ],
        },
      }),
    });
    assert.deepEqual(outline(site, 'old/a.html'), [
      'All -> all.html',
      '  B of old -> b.html',
      '  A of old -> a.html',
    ]);
    assert.match(site.text('old/a.html'), /<summary><span[^>]*>Version<\/span> 1\.0<\/summary>/);
    assert.deepEqual(site.brokenLinks(), []);
  });

  // Shows faults.md H1.
  it('falls back to the folders and logs it if the file is broken', async () => {
    for (const broken of ['{"navigation": {', '{"navigation": 3}']) {
      const site = await renderDocs({
        'a.md': page('A'),
        'b.md': page('B', 'order: 1\n'),
        'docs.json': broken,
      });
      assert.deepEqual(outline(site, 'a.html'), ['B -> b.html', 'A -> a.html']);
      assert.match(site.log.text('warn'), /Can't use docs\.json: .+ until the file is fixed/);
    }
  });

  it('falls back to the folders if the file lists no existing page', async () => {
    const site = await renderDocs({
      'a.md': page('A'),
      'b.md': page('B'),
      'docs.json': json({ navigation: { pages: ['gone'] } }),
    });
    assert.deepEqual(outline(site, 'a.html'), ['A -> a.html', 'B -> b.html']);
  });

  it('is also read from the older mint.json', async () => {
    const site = await renderDocs({
      'a.mdx': page('A'),
      'b.mdx': page('B'),
      'mint.json': json({
        navigation: [{ group: 'Both', pages: ['b', 'a'] }],
        anchors: [{ name: 'Forum', url: 'https://forum.example.com', icon: 'discord' }],
      }),
    });
    assert.deepEqual(outline(site, 'a.html'), [
      'Both -> both.html',
      '  B -> b.html',
      '  A -> a.html',
      'Forum -> https://forum.example.com',
    ]);
  });

  it('leads a link to a folder to the group that contains its pages', async () => {
    const site = await renderDocs({
      'a.mdx': `${page('A')}\n[all](/guides) [deep](./guides/deep/)\n`,
      'guides/x.mdx': page('X'),
      'guides/deep/y.mdx': page('Y'),
      'docs.json': json({
        navigation: {
          groups: [
            { group: 'Top', pages: ['a'] },
            { group: 'Guides', pages: ['guides/x', 'guides/deep/y'] },
          ],
        },
      }),
    });
    assert.deepEqual(site.addresses('', site.article('a.html')).slice(-2), [
      'guides/index.html',
      'guides/index.html',
    ]);
  });

  it('leads a link to a folder to the group around all groups of its pages', async () => {
    const site = await renderDocs({
      'a.mdx': `${page('A')}\n[all](/guides)\n`,
      'guides/one/x.mdx': page('X'),
      'guides/two/y.mdx': page('Y'),
      'z.mdx': page('Z'),
      'docs.json': json({
        navigation: {
          groups: [
            { group: 'Top', pages: ['a'] },
            {
              group: 'Learn',
              pages: [
                { group: 'First', pages: ['guides/one/x'] },
                { group: 'Second', pages: ['guides/two/y'] },
                'z',
              ],
            },
          ],
        },
      }),
    });
    const leads = site.addresses('', site.article('a.html')).at(-1) ?? '';
    assert.match(site.article(leads), /<h1>Learn<\/h1>/);
  });

  it('shows each page once, where it is listed first', async () => {
    const site = await renderDocs({
      'a.mdx': page('A'),
      'b.mdx': page('B'),
      'docs.json': json({
        navigation: {
          groups: [
            { group: 'One', pages: ['a'] },
            { group: 'Two', pages: ['b', 'a'] },
          ],
        },
      }),
    });
    assert.deepEqual(
      outline(site, 'a.html').filter((line) => line.includes('A ->')),
      ['  A -> a.html'],
    );
    assert.deepEqual(pagerOf(site, 'b.html'), ['prev a.html']);
  });

  it('costs as much for a page of a long group as for one of a short group', async () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p-${index}.md`, page(`P ${index}`)]),
      );
    const sized = async (count: number): Promise<number> => {
      const pages = Array.from({ length: count }, (_, index) => `p-${index}`).reverse();
      const site = await renderDocs({
        ...many(count),
        'docs.json': json({ navigation: { groups: [{ group: 'All of them', pages }] } }),
      });
      assert.match(
        site.text('p-100.html'),
        new RegExp(`href="all-of-them\\.html" class="more">All ${count} pages<`),
      );
      assert.equal(site.addresses('', site.article('all-of-them.html')).length, count + 1);
      return site.text('p-100.html').length;
    };
    const [small, large] = [await sized(200), await sized(400)];
    assert.ok(large < small * 1.05, `${small} and ${large}`);
  }).timeout(60_000);
});

describe('the navigation that mkdocs.yml lists', () => {
  const mkdocs = `
site_name: Acme
site_url: https://acme.example.com/
theme:
  name: material
  custom_dir: !ENV [THEME, overrides]
nav:
  - Home: index.md
  - user-guide/writing.md
  - 'User Guide':
      - 'Install it': user-guide/install.md
      - Advanced:
          - user-guide/deep.md
  - Forum: https://forum.example.com/
  - Gone: gone.md
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
`;
  const pages = {
    'index.md': page('Acme docs'),
    'user-guide/writing.md': page('Writing'),
    'user-guide/install.md': page('Installation'),
    'user-guide/deep.md': page('Deep'),
  };
  const below = (folder: string): Record<string, string> =>
    Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${folder}/${name}`, text]));

  it('has its sections, order and titles, from the folder above its docs', async () => {
    const site = await renderDocs({ 'mkdocs.yml': mkdocs, ...below('docs') });
    assert.deepEqual(outline(site, 'docs/user-guide/deep.html').slice(0, 6), [
      'Home -> ../index.html',
      'Writing -> writing.html',
      'User Guide -> index.html',
      '  Install it -> install.html',
      '  Advanced -> advanced.html',
      '    Deep -> deep.html',
    ]);
    assert.match(site.text('docs/user-guide/deep.html'), /href="https:\/\/forum\.example\.com\/"/);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('is read from right above the docs folder, if it names this folder', async () => {
    const above = await realpath(await mkdtemp(path.join(tmpdir(), 'docs-above-')));
    try {
      const docs = path.join(above, 'handbook');
      for (const [name, text] of Object.entries(pages)) {
        await mkdir(path.dirname(path.join(docs, name)), { recursive: true });
        await writeFile(path.join(docs, name), text);
      }
      await writeFile(path.join(above, 'mkdocs.yml'), `docs_dir: handbook\n${mkdocs}`);
      const named = await renderFolder(docs);
      assert.match(outline(named, 'index.html').join('\n'), /^Home -> index\.html\nWriting -> /);
      await writeFile(path.join(above, 'mkdocs.yml'), mkdocs);
      const other = await renderFolder(docs);
      assert.match(
        outline(other, 'index.html').join('\n'),
        /^Acme docs -> index\.html\nUser guide/,
      );
    } finally {
      await rm(above, { recursive: true });
    }
  });

  it('falls back to the folders and logs it if the YAML is broken', async () => {
    const site = await renderDocs({ ...pages, 'mkdocs.yml': 'nav: [unclosed\n' });
    assert.match(outline(site, 'index.html').join('\n'), /^Acme docs/);
    assert.match(site.log.text('warn'), /Can't use mkdocs\.yml: .+/);
  });
});

describe('the navigation of a Markdown list', () => {
  it('comes from _sidebar.md, which is not rendered as a page', async () => {
    const site = await renderDocs({
      'README.md': page('Acme'),
      'quickstart.md': page('Quick start'),
      'guide/more.md': `${page('More')}\n## Some part\n`,
      'zebra.md': page('Zebra'),
      '_sidebar.md': [
        '<!-- docs/_sidebar.md -->',
        '',
        '* [Home](/)',
        '* Getting started',
        '  * [Quick](quickstart.md "The page\'s title")',
        '  * [More of it](/guide/more)',
        '  * [A part](guide/more?id=some-part#some-part)',
        '* [Code](https://code.example.com)',
        '',
      ].join('\n'),
      '_navbar.md': '* [x](zebra.md)\n',
    });
    assert.deepEqual(outline(site, 'zebra.html'), [
      'Home -> index.html',
      'Getting started -> getting-started.html',
      '  Quick -> quickstart.html',
      '  More of it -> guide/more.html',
      '  A part -> guide/more.html#some-part',
      'Code -> https://code.example.com',
      'More pages -> pages.html',
      '  Zebra -> zebra.html',
    ]);
    assert.ok(!site.names.some((name) => name.includes('sidebar') || name.includes('navbar')));
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('comes from SUMMARY.md, with its headings as groups', async () => {
    const site = await renderDocs({
      'README.md': page('Book'),
      'install.md': page('Installing'),
      'usage/README.md': page('Using it'),
      'usage/cli.md': page('Command line'),
      'SUMMARY.md':
        '# Table of contents\n\n* [Introduction](README.md)\n\n## First steps\n\n* [Install](install.md)\n* [Usage](usage/README.md)\n  * [CLI](usage/cli.md)\n',
    });
    assert.deepEqual(outline(site, 'install.html'), [
      'Introduction -> index.html',
      'First steps -> first-steps.html',
      '  Install -> install.html',
      '  Usage:',
      '    Using it -> usage/index.html',
      '    CLI -> usage/cli.html',
    ]);
  });

  it('still renders a page called Summary', async () => {
    const site = await renderDocs({
      'a.md': page('A'),
      'SUMMARY.md': '# Summary\n\nAll in all.\n',
    });
    assert.ok(site.names.includes('SUMMARY.html'));
  });
});

describe("the navigation of VitePress's configuration", () => {
  const config = `
import { defineConfig, type DefaultTheme } from 'vitepress'
import { apiItems } from './api'

const guides = '/guide/'
process.env.LEAKED = 'yes'

export default defineConfig({
  title: 'Acme',
  base: '/acme/',
  srcDir: 'src',
  head: [['script', {}, \`console.log(\${process.version})\`]],
  themeConfig: {
    nav: nav(),
    sidebar: {
      '/guide/': { base: '/guide/', items: sidebarGuide() },
      '/reference/': [
        { text: 'Reference', link: '/reference/', items: apiItems as DefaultTheme.SidebarItem[] },
        { text: 'Code', link: 'https://code.example.com' },
      ] satisfies DefaultTheme.SidebarItem[],
    },
  },
})

function nav(): DefaultTheme.NavItem[] { return [{ text: 'Guide', link: guides }] }

function sidebarGuide(): DefaultTheme.SidebarItem[] {
  const first = { text: 'Start here', link: 'start' }
  return [
    { text: 'Introduction <Badge text="new" />', collapsed: false, items: [
      first,
      { text: \`\${'Mark'}down\`, link: 'markdown.html' },
      { text: 'Tables', link: 'markdown#tables' },
      ...[{ text: 'Deploy', link: 'deploy.md' }],
    ] },
  ]
}
`;
  const docs = {
    'src/index.md': page('Home'),
    'src/guide/deploy.md': page('Deploying'),
    'src/guide/markdown.md': `${page('Markdown')}\n## Tables\n`,
    'src/guide/start.md': page('Starting'),
    'src/reference/index.md': page('All of the API'),
    'src/reference/cli.md': page('CLI'),
    '.vitepress/config.mts': config,
    '.vitepress/api.ts':
      "export const apiItems = [{ text: 'Command line', link: '/reference/cli' }]\n",
    '.vitepress/theme/README.md': page('No page'),
  };
  const expected = [
    'Introduction -> ../guide/index.html',
    '  Start here -> ../guide/start.html',
    '  Markdown -> ../guide/markdown.html',
    '  Tables -> ../guide/markdown.html#tables',
    '  Deploy -> ../guide/deploy.html',
    'Reference:',
    '  All of the API -> index.html',
    '  Command line -> cli.html',
    'Code -> https://code.example.com',
  ];

  it('is read from the code without running it: functions, constants, spreads, imported files', async () => {
    delete process.env['LEAKED'];
    const site = await renderDocs(docs);
    assert.deepEqual(outline(site, 'src/reference/cli.html').slice(0, expected.length), expected);
    assert.equal(process.env['LEAKED'], undefined);
    assert.ok(!site.names.some((name) => name.includes('theme') && name.endsWith('.html')));
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('is also found in the folder docs of a project', async () => {
    const site = await renderDocs(
      Object.fromEntries(Object.entries(docs).map(([name, text]) => [`docs/${name}`, text])),
    );
    assert.deepEqual(
      outline(site, 'docs/src/reference/cli.html').slice(0, expected.length),
      expected,
    );
  });

  it('falls back to the folders and logs it if code generates the configuration', async () => {
    const site = await renderDocs({
      'a.md': page('A'),
      'b.md': page('B', 'order: 1\n'),
      '.vitepress/config.js':
        "import { generateSidebar } from 'vitepress-sidebar'\nexport default { themeConfig: { sidebar: generateSidebar() } }\n",
    });
    assert.deepEqual(outline(site, 'a.html'), ['B -> b.html', 'A -> a.html']);
    assert.match(
      site.log.text('info'),
      /config\.js computes its sidebar with code, which is not run/,
    );
  });

  it('falls back to the folders and logs it if the code cannot be parsed', async () => {
    const site = await renderDocs({
      'a.md': page('A'),
      '.vitepress/config.ts': 'export default {',
    });
    assert.match(site.log.text('warn'), /Can't use \.vitepress\/config\.ts: /);
  });

  // Shows faults.md H2.
  it('stops at endless recursion in the code', async () => {
    const site = await renderDocs({
      'a.md': page('A'),
      '.vitepress/config.js':
        'const more = () => [...more(), ...more()]\nconst x = { ...x }\nexport default { themeConfig: { sidebar: more(), x } }\n',
    });
    assert.ok(site.names.includes('a.html'));
  });

  it('has one list for each language', async () => {
    const items = (prefix: string): string =>
      `{ themeConfig: { sidebar: [{ text: 'All', items: [{ text: 'B', link: '${prefix}/b' }, { text: 'A', link: '${prefix}/a' }] }] } }`;
    const site = await renderDocs({
      'a.md': page('A'),
      'b.md': page('B'),
      'fr/a.md': page('A'),
      'fr/b.md': page('B'),
      '.vitepress/config.js': `export default { locales: { root: ${items('')}, fr: ${items('/fr')} } }\n`,
    });
    assert.deepEqual(outline(site, 'fr/a.html'), [
      'All -> all.html',
      '  B -> b.html',
      '  A -> a.html',
    ]);
  });
});

describe("the navigation of Docusaurus's sidebars", () => {
  const docs = {
    'docusaurus.config.ts':
      "import type { Config } from '@docusaurus/types';\nconst config: Config = { title: 'Acme', baseUrl: '/', presets: [['classic', { docs: { sidebarPath: './sidebars.ts' } }]] };\nexport default config;\n",
    'docs/intro.md': page('Intro', 'sidebar_label: Begin\n'),
    'docs/01-basics/02-second.md': page('Second'),
    'docs/01-basics/01-first.md': page('First'),
    'docs/extras/b.md': page('B'),
    'docs/extras/a.md': page('A'),
    'docs/extras/_category_.json': json({ label: 'Bonus', position: 3 }),
  };

  it('has its categories, documents, links and generated folders', async () => {
    const site = await renderDocs({
      ...docs,
      'sidebars.ts': `import type { SidebarsConfig } from '@docusaurus/plugin-content-docs';
const sidebars: SidebarsConfig = {
  tutorial: [
    'intro',
    { type: 'category', label: 'Basics', items: ['basics/second', { type: 'doc', id: 'basics/first', label: 'One' }] },
    { type: 'category', label: 'Extras', items: [{ type: 'autogenerated', dirName: 'extras' }] },
    { type: 'link', label: 'Code', href: 'https://code.example.com' },
  ],
};
export default sidebars;
`,
    });
    assert.deepEqual(outline(site, 'docs/intro.html'), [
      'Begin -> intro.html',
      'Basics -> 01-basics/index.html',
      '  Second -> 01-basics/02-second.html',
      '  One -> 01-basics/01-first.html',
      'Bonus -> extras/index.html',
      '  A -> extras/a.html',
      '  B -> extras/b.html',
      'Code -> https://code.example.com',
    ]);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('follows the folders and their categories if the sidebar is generated', async () => {
    const site = await renderDocs({
      ...docs,
      'docs/zoo/a.md': page('Zoo'),
      'docs/zoo/_category_.yml': 'label: Animals\nposition: 1\n',
      'sidebars.js': "module.exports = { all: [{ type: 'autogenerated', dirName: '.' }] };\n",
    });
    const groups = outline(site, 'docs/intro.html').filter((line) =>
      /^ {2}\S.*index\.html$/.test(line),
    );
    assert.deepEqual(groups, [
      '  Animals -> zoo/index.html',
      '  Bonus -> extras/index.html',
      '  Basics -> 01-basics/index.html',
    ]);
  });
});

describe('a configuration of a docs folder', () => {
  it('is read again for each site', async () => {
    const place = await DocsPlace.create({ 'a.md': page('A'), 'b.md': page('B') });
    try {
      assert.deepEqual(outline(await renderFolder(place.root), 'a.html'), [
        'A -> a.html',
        'B -> b.html',
      ]);
      await place.write('docs.json', json({ navigation: { pages: ['b', 'a'] } }));
      assert.deepEqual(outline(await renderFolder(place.root), 'a.html'), [
        'B -> b.html',
        'A -> a.html',
      ]);
    } finally {
      await place.remove();
    }
  });
});
