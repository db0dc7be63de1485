import assert from 'node:assert/strict';
import { ownersOfProblems } from '../../../../src/chat/context/problemOwners';

describe('ownersOfProblems', () => {
  for (const [source, code, owner] of [
    ['eslint', '@typescript-eslint/no-floating-promises', '@typescript-eslint/eslint-plugin'],
    ['eslint', 'react-hooks/exhaustive-deps', 'eslint-plugin-react-hooks'],
    ['eslint', '@acme/house/no-cats', '@acme/eslint-plugin-house'],
    ['eslint', 'n/no-missing-import', 'eslint-plugin-n'],
    ['eslint', 'no-unused-vars', 'eslint'],
    ['ESLint', 'eqeqeq', 'eslint'],
    ['stylelint', 'scss/no-global-function-names', 'stylelint-scss'],
    ['stylelint', 'color-no-hex', 'stylelint'],
    ['biome', 'lint/suspicious/noExplicitAny', '@biomejs/biome'],
    ['prisma', undefined, 'prisma'],
    ['ts', '2345', undefined],
    ['Ruff ../x', 'E501', undefined],
    ['', 'react/jsx-key', undefined],
  ] as const) {
    it(`names ${owner ?? 'no package'} for ${code ?? 'a problem'} of ${source || 'nobody'}`, () => {
      assert.deepEqual(ownersOfProblems([{ source, code }]), owner === undefined ? [] : [owner]);
    });
  }

  const declared = (...declaredIn: string[]) => ownersOfProblems([{ source: 'ts', declaredIn }]);

  it('names the packages that declare the symbol, in any layout of packages', () => {
    assert.deepEqual(declared('/w/node_modules/zod/v4/index.d.ts'), ['zod']);
    assert.deepEqual(
      declared('/w/node_modules/.pnpm/@acme+sdk@1.0.0/node_modules/@acme/sdk/dist/a.d.ts'),
      ['@acme/sdk'],
    );
    assert.deepEqual(declared('/w/src/own.ts', '/w/node_modules'), []);
  });

  it('names the package that types are for before that of the types', () => {
    assert.deepEqual(declared('/w/node_modules/@types/express/index.d.ts'), [
      'express',
      '@types/express',
    ]);
    assert.deepEqual(declared('/w/node_modules/@types/acme__sdk/index.d.ts'), [
      '@acme/sdk',
      '@types/acme__sdk',
    ]);
  });

  it('names nobody for what the language declares', () => {
    assert.deepEqual(declared('/w/node_modules/typescript/lib/lib.dom.d.ts'), []);
  });

  it('names each package once, the declaration’s first, and ten at most', () => {
    const file = '/w/node_modules/zod/index.d.ts';
    const rule = { source: 'eslint', code: 'zod/prefer' };
    assert.deepEqual(ownersOfProblems([{ ...rule, declaredIn: [file, file] }, rule]), [
      'zod',
      'eslint-plugin-zod',
    ]);
    const many = Array.from({ length: 50 }, (_, index) => `/w/node_modules/p${index}/i.d.ts`);
    assert.equal(declared(...many).length, 10);
  });
});
