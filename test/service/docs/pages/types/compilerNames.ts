import path from 'node:path';
import ts from 'typescript';
import type { EntryPoint } from '../../../../../src/docs/pages/types/entryPoints';

/** Maximum number of namespaces in one another. */
const MAX_DEPTH = 4;

/**
 * Returns the names that TypeScript lists as exports of each entry point, with a mark at deprecated ones.
 * @param isDeep whether names in namespaces are listed, too, such as `z.string`.
 */
export function compilerNames(
  folder: string,
  entries: readonly EntryPoint[],
  isDeep = false,
): Map<string, string[]> {
  const files = entries.map(({ file }) => path.join(folder, file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    // The exports of a module don't depend on the library, which is larger than most packages.
    noLib: true,
  });
  const checker = program.getTypeChecker();
  const isDeprecated = (node: ts.Declaration): boolean =>
    ts.getJSDocDeprecatedTag(node) !== undefined;
  const listedIn = (module: ts.Symbol, prefix: string, outer: readonly ts.Symbol[]): string[] =>
    checker
      .getExportsOfModule(module)
      .filter((each) => each.name !== 'prototype')
      // A class that is a namespace, too, lists its static members.
      .filter((each) => prefix === '' || (each.flags & ts.SymbolFlags.ClassMember) === 0)
      .flatMap((symbol) => {
        const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
        const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
        const declarations = target.declarations ?? [];
        const isOld =
          (isAlias && (symbol.declarations ?? []).some(isDeprecated)) ||
          (declarations.length > 0 && declarations.every(isDeprecated));
        const name = prefix + symbol.name;
        const isSpace = isDeep && (target.flags & ts.SymbolFlags.Module) !== 0;
        const inner =
          isSpace && outer.length < MAX_DEPTH && !outer.includes(target)
            ? listedIn(target, `${name}.`, [...outer, target])
            : [];
        return [isOld ? `${name} (deprecated)` : name, ...inner];
      });
  const names = new Map<string, string[]>();
  for (const { name, file } of entries) {
    const source = program.getSourceFile(path.join(folder, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (module) names.set(name, listedIn(module, '', [module]));
  }
  return names;
}
