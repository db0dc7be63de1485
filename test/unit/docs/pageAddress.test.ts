import assert from 'node:assert/strict';
import { findPage } from '../../../src/docs/pageAddress';
import { type PageAddresses, sourceUrl } from '../../../src/docs/pages/links';
import { readPackageApi } from '../../../src/docs/pages/types/apiModules';
import { apiPages } from '../../../src/docs/pages/types/apiPages';
import { SetIndex } from '../../../src/docs/search/setIndex';
import { noSiteConfig } from '../../../src/docs/siteConfig/siteConfig';
import { memoryPackage } from '../../fakes/memoryPackage';

const noPause = (): Promise<void> => Promise.resolve();

const fileAddresses: PageAddresses = {
  write: (href) => href,
  writeFile: (file, fragment) => `${file}#${fragment}`,
  read: () => undefined,
};

describe('The addresses of what a package exports from another one', () => {
  const dep = memoryPackage(
    { name: 'dep', exports: { '.': './types/dep.d.ts', './more': './types/more.d.ts' } },
    {
      'types/dep.d.ts': '/** Opens the valve. */\nexport declare function open(): void;\n',
      'types/more.d.ts': '\n/** Turns the wheel. */\nexport declare function turn(): void;\n',
    },
  );
  const files = {
    'index.d.ts':
      "/** Own name. */\nexport declare const own: 1;\nexport * from 'dep';\nexport * as dep from 'dep';\nexport * as more from 'dep/more';\n",
  };
  const pkg = memoryPackage({ name: 'pkg', exports: './index.d.ts' }, files, { dep });

  it('name files that the package has, and lead back to the section', async () => {
    const index = new SetIndex({ id: 'pkg@1.0.0', label: 'pkg@1.0.0' });
    for (const page of await apiPages(await readPackageApi(pkg, noPause), noPause)) index.put(page);
    const source = {
      read: () => Promise.resolve(undefined),
      readIncludes: () => Promise.resolve(new Map<string, string>()),
      readConfig: () => Promise.resolve(noSiteConfig),
      readFile: () => Promise.resolve(undefined),
    };
    const found: string[] = [];
    for (const page of index.pages()) {
      for (const section of page.sections) {
        const address = sourceUrl(page, section, fileAddresses);
        found.push(`${page.title} › ${section.heading}: ${address}`);
        const led = await findPage({ index, source }, fileAddresses, address);
        assert.equal(led?.page.title, page.title, address);
        assert.equal(led.fragment, `#${section.slug}`, address);
      }
    }
    assert.deepEqual(found, [
      'pkg › own: index.d.ts#L2',
      'pkg › open: index.d.ts#open',
      'pkg › dep: index.d.ts#L4',
      'pkg › more: index.d.ts#L5',
      'pkg.dep › Exports from pkg: index.d.ts#Exports-from-pkg',
      'pkg.more › turn: index.d.ts#turn',
    ]);
  });
});
