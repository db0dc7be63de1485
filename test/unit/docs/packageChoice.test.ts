import assert from 'node:assert/strict';
import { choosePackages } from '../../../src/docs/packageChoice';
import { parsePage } from '../../../src/docs/pages/page';
import { SetIndex } from '../../../src/docs/search/setIndex';
import type { InstalledPackage } from '../../../src/docs/sources/installed/installedDocs';

const aPackage = (name: string): InstalledPackage => ({
  id: `${name}@1.0.0`,
  name,
  importedAs: name,
  version: '1.0.0',
  folder: `/app/node_modules/${name}`,
  description: '',
  homepage: undefined,
  repository: undefined,
  webFolder: undefined,
  types: undefined,
  docs: [],
  isLinked: false,
  keptKey: name,
  stamp: '1',
});

/** Names that the packages of the tests export. */
const exported: Readonly<Record<string, readonly string[]>> = {
  query: ['QueryClient', 'useQuery', 'Options', 'parse'],
  schema: ['z', 'object', 'ZodError', 'Options', 'parse'],
  router: ['Link', 'useRouter', 'request', 'Options'],
  plain: [],
  guided: ['renderAll'],
};

function indexOf({ id, name }: InstalledPackage): SetIndex {
  const index = new SetIndex({ id, label: id });
  const names = exported[name] ?? [];
  const text = names.map((each) => `# ${each}\n\nDescribes ${each}.`).join('\n\n');
  const page = parsePage('index.d.ts', `# ${name}\n\nUse \`QueryClient\`.\n\n${text}\n`, new Map());
  const sections = page.sections.map((section) =>
    names.includes(section.heading)
      ? { ...section, place: { file: 'index.d.ts', line: 1 } }
      : section,
  );
  index.put({ ...page, route: `api/${name}`, sections });
  for (let guide = 0; name === 'guided' && guide < 60; guide++) {
    index.put(parsePage(`guides/${guide}.md`, '# renderAll\n\nCall `renderAll`.\n', new Map()));
  }
  return index;
}

const direct = ['query', 'schema', 'router', 'plain'].map(aPackage);

async function chosen(
  text: string,
  {
    code,
    owners,
    imports,
    known = direct,
  }: { code?: string; owners?: string[]; imports?: string[]; known?: InstalledPackage[] } = {},
): Promise<readonly string[]> {
  const found = await choosePackages(
    { text, owners, imports, code: code === undefined ? [] : [{ text: code }] },
    {
      direct: known,
      find: (name) =>
        Promise.resolve(
          [...known, ...['deep', 'wombat', 'describes'].map(aPackage)].find(
            (one) => one.name === name,
          ),
        ),
      importsOf: (source) => source.split(' '),
      indexesOf: (packages) =>
        Promise.resolve(new Map(packages.map((one) => [one.id, indexOf(one)]))),
    },
  );
  return found.map(({ name }) => name);
}

describe('choosePackages', () => {
  it('asks the package that exports a name of the question', async () => {
    assert.deepEqual(await chosen('How long does a QueryClient keep data?'), ['query']);
    assert.deepEqual(await chosen('does useRouter() work in a worker?'), ['router']);
    assert.deepEqual(await chosen('z.object: how do I make a key optional?'), ['schema']);
    assert.deepEqual(await chosen('`QueryClient.clear` or not?'), ['query']);
  });

  it('asks the package that exports a name, however many of its guides speak of it', async () => {
    const guided = [...direct, aPackage('guided')];
    assert.deepEqual(await chosen('Does renderAll() wait?', { known: guided }), ['guided']);
  });

  it('asks all packages if many export the name, or none does', async () => {
    const all = ['query', 'schema', 'router', 'plain'];
    assert.deepEqual(await chosen('What are the fields of `Options`?'), all);
    assert.deepEqual(await chosen('How does useNothing() end?'), all);
    assert.deepEqual(await chosen('How do I cache?'), all);
    assert.deepEqual(await chosen('request.hostname: what is in it?'), all);
  });

  it('takes no name of a file or of a product for a name that a package exports', async () => {
    const all = ['query', 'schema', 'router', 'plain'];
    assert.deepEqual(await chosen('How do I read a file in Link.js?'), all);
    assert.deepEqual(await chosen('In Link.tsx, how do I cache?'), all);
    assert.deepEqual(await chosen('Does `router` work in QueryClient.ts?'), ['router']);
    assert.deepEqual(await chosen('Does Link.json wait?'), ['router']);
  });

  it('asks a package that others brought along, too, if no docs have its name as a word', async () => {
    const all = ['query', 'schema', 'router', 'plain'];
    assert.deepEqual(await chosen('does Wombat support negation?'), ['wombat', ...all]);
    assert.deepEqual(await chosen('wombat with useRouter()?'), ['wombat', 'router']);
    assert.deepEqual(await chosen('wombat?', { code: 'schema plain' }), [
      'wombat',
      'schema',
      'plain',
    ]);
    assert.deepEqual(await chosen('What describes a shipment?'), all);
    assert.deepEqual(await chosen('How deep is it in src/wombat.ts?'), all);
    assert.deepEqual(await chosen('wombat or `router`?'), ['router']);
  });

  it('asks both packages if two of more export the name', async () => {
    assert.deepEqual(await chosen('What does parse() return?'), ['query', 'schema']);
  });

  it('takes a name in a file that imports packages for one of them', async () => {
    const question = 'What does parse() return?';
    assert.deepEqual(await chosen(question, { code: 'schema router' }), ['schema']);
    assert.deepEqual(await chosen(question, { code: 'plain' }), ['plain']);
    assert.deepEqual(await chosen('Why useQuery()?', { code: 'schema router' }), [
      'schema',
      'router',
    ]);
  });

  it('asks the packages that the code uses by the imports of its file', async () => {
    const given = { code: '', imports: ['query', 'ghost'] };
    assert.deepEqual(await chosen('What is the default of staleTime?', given), ['query']);
    assert.deepEqual(await chosen('Does `router` cache?', given), ['router']);
  });

  const stackOf = (...files: readonly string[]): string =>
    ['PoolError: none', ...files.map((file) => `    at run (/app/${file}:4:7)`)].join('\n');

  it('asks the direct packages in the stack of an error, in the question and beside it', async () => {
    const stack = stackOf(
      'node_modules/.pnpm/deep@2.0.0/node_modules/deep/lib/a.js',
      'node_modules/router/lib/useQuery.js',
      'src/main.js',
    );
    assert.deepEqual(await chosen(`${stack}\n\nwhat is this?`), ['router']);
    assert.deepEqual(await chosen('Why useQuery()?', { code: stack }), ['router']);
    assert.deepEqual(await chosen('Why?', { code: stack.replaceAll('/', '\\') }), ['router']);
  });

  it('asks another package in the stack of an error if no direct one is there', async () => {
    const stack = stackOf('node_modules/@none/of/a.js', 'node_modules/deep/a.js');
    assert.deepEqual(await chosen('Why?', { code: stack }), ['deep']);
  });

  it('prefers a package that the question names to those of a stack', async () => {
    const code = stackOf('node_modules/router/lib/a.js');
    assert.deepEqual(await chosen('Why does `schema` do this?', { code }), ['schema']);
  });

  it('prefers a package that the question names', async () => {
    assert.deepEqual(await chosen('Can `router` share a QueryClient?'), ['router']);
  });

  it('asks beside a named package the one that exports a name which its docs don’t have', async () => {
    assert.deepEqual(await chosen('Can `router` be used with useQuery()?'), ['router', 'query']);
    assert.deepEqual(await chosen('`router` with wombat() and ZodError'), ['router', 'schema']);
    assert.deepEqual(await chosen('Does `router` have useNothing()?'), ['router']);
    assert.deepEqual(await chosen('Can `schema` parse() a query?'), ['schema']);
  });

  it('asks the package that owns a problem first, also one that the project doesn’t ask for', async () => {
    const owners = ['ghost', 'deep'];
    assert.deepEqual(await chosen('How do I fix this error?', { code: 'schema', owners }), [
      'deep',
    ]);
    assert.deepEqual(await chosen('How do I fix this?', { code: 'schema', owners: ['ghost'] }), [
      'schema',
    ]);
  });

  it('asks nothing that isn’t installed', async () => {
    assert.deepEqual(await chosen('`ghost` or ghost@2?', { known: [] }), []);
  });
});
