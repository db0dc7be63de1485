import path from 'node:path';
import ts from 'typescript';
import type { EntryPoint } from '../../../../../src/docs/pages/types/entryPoints';

/** Returns the names that TypeScript lists as exports of each entry point, with a mark at deprecated ones. */
export function compilerNames(
  folder: string,
  entries: readonly EntryPoint[],
): Map<string, string[]> {
  const files = entries.map(({ file }) => path.join(folder, file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const isDeprecated = (node: ts.Declaration): boolean =>
    ts.getJSDocDeprecatedTag(node) !== undefined;
  const names = new Map<string, string[]>();
  for (const { name, file } of entries) {
    const source = program.getSourceFile(path.join(folder, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) continue;
    const listed = checker.getExportsOfModule(module).filter((each) => each.name !== 'prototype');
    names.set(
      name,
      listed.map((symbol) => {
        const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
        const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
        const declarations = target.declarations ?? [];
        const isOld =
          (isAlias && (symbol.declarations ?? []).some(isDeprecated)) ||
          (declarations.length > 0 && declarations.every(isDeprecated));
        return isOld ? `${symbol.name} (deprecated)` : symbol.name;
      }),
    );
  }
  return names;
}
