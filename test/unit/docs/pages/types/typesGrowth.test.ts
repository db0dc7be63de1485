import assert from 'node:assert/strict';
import { readPackageApi } from '../../../../../src/docs/pages/types/apiModules';
import { apiPages } from '../../../../../src/docs/pages/types/apiPages';
import { memoryPackage } from '../../../../fakes/memoryPackage';

/** Returns the number of turns that reading takes, which grows with the work, and the number of sections. */
async function work(text: string): Promise<{ turns: number; sections: number }> {
  let turns = 0;
  const pause = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const files = memoryPackage({ name: 'pkg', exports: './index.d.ts' }, { 'index.d.ts': text });
  const pages = await apiPages(await readPackageApi(files, pause), pause);
  return { turns, sections: pages.flatMap(({ sections }) => sections).length };
}

// These texts would take minutes if the work grew with the square of their length, so the layer's limit ends them.
describe('the API of hostile declarations', () => {
  for (const [what, piece, end] of [
    ['one long line', 'export interface A { /** Text. */ b: { c: `${string}` }; d(): void }', ''],
    ['overloads', '/** Text. */ export declare function a(b: 1): void;\n', ''],
    [
      'overloads, each with its own docs',
      '/** Text %. */ export declare function a(b: 1): void;\n',
      '',
    ],
    ['open brackets', 'export type A = ((([[[{{{<<<', ''],
    ['closing brackets', 'export type A = 1)))]]]}}}>>>;', ''],
    ['namespaces in one another', 'export namespace A { ', ''],
    ['object types in one another', '{ /** Text. */ a: ', ''],
    ['comments without an end', '/** @param {@link a `b <c ', ''],
    ['docs full of marks', '{@link ` < * _ [a]( ', ' */ export declare const a: 1;'],
    ['templates without an end', '`${"${`', ''],
    ['slashes that begin nothing', '(/[', ''],
    ['slashes that begin nothing in templates', '`${(/[}`;', ''],
    ['empty lines in a comment', ' \n', ' */ export declare const a: 1;'],
    [
      'names that export each other',
      'export { a as a% };\nimport { a% as a } from "./index";\n',
      '',
    ],
  ] as const) {
    it(`is read in linear time: ${what}`, async () => {
      const start = end === '' ? '' : '/** ';
      const count = Math.ceil(400_000 / piece.length);
      let text = start;
      for (let index = 0; index < count; index++) text += piece.replaceAll('%', `${index}`);
      const { turns } = await work(text + end);
      assert.ok(turns < 2_000_000);
    });
  }

  it('is read in linear time: a link without an end in a default', async () => {
    for (const mark of [' ', '|']) {
      const comment = `/** @default {@link a${mark.repeat(99_000)} */`;
      const texts = Array.from(
        { length: 10 },
        (_, at) => `${comment} export declare const a${at}: 1;`,
      );
      assert.equal((await work(texts.join('\n'))).sections, 10);
    }
  });

  it('gives other work a turn while a long file is read', async () => {
    const { turns, sections } = await work('export declare const a: 1;\n'.repeat(1000));
    assert.ok(turns > 100, `${turns} turns`);
    assert.equal(sections, 1);
  });
});
