import assert from 'node:assert/strict';
import {
  concernsDocs,
  isNamedLike,
  matchingPackages,
  notablePackages,
  packagesUsedIn,
  type NamingProblem,
} from '../../../../src/chat/context/coveredPackages';

const sdk = { name: '@parcelwren/sdk', symbols: ['ApiError', 'Parcelwren'] };

const aProblem = (given: Partial<NamingProblem> = {}): NamingProblem => ({
  message: 'Type string is not assignable to type number.',
  source: 'ts',
  code: '2322',
  lines: '  const count: number = name;',
  ...given,
});

describe('isNamedLike', () => {
  const pairs: [name: string, site: string, isAlike: boolean][] = [
    ['@acme/sdk', 'acme · docs.example.com', true],
    ['github.com/acme/client-go', 'Acme Docs', true],
    ['express', 'acme · docs.example.com', false],
    ['docs-api', 'acme · docs.example.com', false],
    ['2345', 'Sample docs · 127.0.0.1:2345', false],
    ['127', 'Sample docs · 127.0.0.1:2345', false],
    ['@acme/sdk', '', false],
  ];
  for (const [name, site, isAlike] of pairs) {
    it(`says ${isAlike ? 'yes' : 'no'} to ${name} for “${site}”`, () => {
      assert.equal(isNamedLike(name, site), isAlike);
    });
  }
});

describe('notablePackages', () => {
  it('leaves out packages that only build and test a project', () => {
    const text = [
      "import { it } from 'vitest';",
      "import { ApiError } from '@parcelwren/sdk';",
      "import { Client as Parcelwren, to } from '@parcelwren/sdk';",
    ].join('\n');
    assert.deepEqual(notablePackages('typescript', text), [sdk]);
  });

  it('reads only the beginning of a large file', () => {
    const text = `${'// x\n'.repeat(20_000)}import { Parcelwren } from '@parcelwren/sdk';\n`;
    assert.deepEqual(notablePackages('typescript', text), []);
  });
});

describe('packagesUsedIn', () => {
  const start = `import { useQuery as query } from '@tanstack/react-query';
import * as z from 'zod/v4';
import './styles.css';
`;

  it('are those whose imported names the piece has', () => {
    assert.deepEqual(packagesUsedIn('typescript', start, 'return query({ queryKey });'), [
      '@tanstack/react-query',
    ]);
    assert.deepEqual(packagesUsedIn('typescript', start, 'z.string(); queryClient;'), ['zod']);
  });

  it('are all of the file if the piece has none of their names', () => {
    assert.deepEqual(packagesUsedIn('typescript', start, 'staleTime: 60_000,'), [
      '@tanstack/react-query',
      'zod',
    ]);
    assert.deepEqual(packagesUsedIn('plaintext', start, 'query'), []);
  });
});

describe('concernsDocs', () => {
  const concerning: [string, Partial<NamingProblem>][] = [
    ['whose message names the package', { message: "Module '@parcelwren/sdk' has no member 'X'." }],
    ['whose line uses what is imported from it', { lines: 'const client = new Parcelwren(5);' }],
    ['whose source is the package', { source: '@parcelwren/sdk' }],
    [
      'whose related place is in the package',
      { relatedPaths: ['/work/node_modules/@parcelwren/sdk/dist/index.d.ts'] },
    ],
    ['whose code leads to the site', { link: 'https://acme.dev/rules/no-raw' }],
    ['whose source is named like the site', { source: 'acme-lint' }],
  ];
  for (const [what, given] of concerning) {
    it(`says yes to a problem ${what}`, () => {
      assert.equal(concernsDocs(aProblem(given), [sdk], 'acme · docs.example.com'), true);
    });
  }

  const foreign: [string, Partial<NamingProblem>][] = [
    ['that names nothing of it', {}],
    ['whose message has the name only as a part of another', { message: 'ParcelwrenBase is bad' }],
    [
      'whose message names the package behind a whole log',
      { message: `${'x '.repeat(5000)}Parcelwren` },
    ],
  ];
  for (const [what, given] of foreign) {
    it(`says no to a problem ${what}`, () => {
      assert.equal(concernsDocs(aProblem(given), [sdk], 'acme · docs.example.com'), false);
    });
  }

  it('says no while the docs cover none of the packages', () => {
    const problem = aProblem({ message: "Module '@parcelwren/sdk' has no member 'X'." });
    assert.equal(concernsDocs(problem, [], 'acme'), false);
  });
});

describe('matchingPackages', () => {
  const packages = ['express', '@acme/next-plugin', 'next-auth', '@tanstack/next', 'next'].map(
    (name) => ({ name }),
  );
  const found = (query: string): string[] =>
    matchingPackages(packages, query).map(({ name }) => name);

  it('lists the package of the name first, then those whose name or own name begins with it', () => {
    assert.deepEqual(found('Next'), ['@tanstack/next', 'next', '@acme/next-plugin', 'next-auth']);
    assert.deepEqual(found('auth'), ['next-auth']);
    assert.deepEqual(found('@acme/'), ['@acme/next-plugin']);
  });

  it('keeps all in their order without a query, and lists none for an unknown name', () => {
    assert.deepEqual(
      found(''),
      packages.map(({ name }) => name),
    );
    assert.deepEqual(found('ghost'), []);
  });
});
