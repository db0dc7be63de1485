/** The names of a package's API as a list, to compare two versions. */
import type { SectionPlace } from '../sections';
import type { ApiModule, ApiSymbol, PackageApi } from './apiModules';
import type { DeclarationKind } from './declarations';
import { type DocComment, readDocComment } from './docComment';
import type { Member } from './members';

export interface ApiName {
  /** Module that exports the name, such as `effect/Array`. */
  readonly module: string;
  /** Name as it is imported. A member has the name of its parent before its own: `Options.timeout`. */
  readonly name: string;
  readonly kind: DeclarationKind | 'member' | 'reference';
  /**
   * Text without comments, overloads in lines. That of a class or an interface has no members, which are entries
   * themselves.
   */
  readonly signature: string;
  /** Text of `@deprecated`, as Markdown. Can be empty. Undefined if the name isn't deprecated. */
  readonly deprecated: string | undefined;
  /** Default value by the doc comment. */
  readonly defaultValue: string | undefined;
  /** Whether the name can be imported. False for types that only appear in signatures, and for global names. */
  readonly isExported: boolean;
  /** Whether it is the module itself, by `export =`. Code then takes it under any name. */
  readonly isModule: boolean;
  /** Thing that it is another name for, with the same members: a name of a module, or `*` for the whole module. */
  readonly target: ApiTarget | undefined;
  readonly place: SectionPlace;
}

interface ApiTarget {
  readonly module: string;
  readonly name: string;
}

/** Returns the names of a package's API with their members. Names from other modules come last. */
export function apiNames(api: PackageApi): ApiName[] {
  const described = new Map<string, ApiName>();
  const names: ApiName[] = [];
  for (const { name: module, symbols } of api.modules) {
    for (const symbol of symbols) {
      const found = namesOf(module, symbol);
      const [own] = found;
      if (own) described.set(`${module}\n${symbol.name}`, own);
      // A symbol can have more members than a function takes arguments.
      for (const name of found) names.push(name);
    }
  }
  for (const module of api.modules)
    for (const name of referencesOf(module, described)) names.push(name);
  return names;
}

function namesOf(module: string, symbol: ApiSymbol): ApiName[] {
  const { name, aliases, declarations, exportDoc, access, place } = symbol;
  const [first] = declarations;
  if (!first) return [];
  const isDeprecated = declarations.every(({ docComment }) => docComment.deprecated !== undefined);
  const isExported = access === 'export' || access === 'export=';
  const docs = declarations.map(({ docComment }) => docComment);
  const own: ApiName = {
    module,
    name,
    kind: first.kind,
    signature: [...new Set(declarations.map(({ signature }) => signature))].join('\n'),
    deprecated: exportDoc.deprecated ?? (isDeprecated ? first.docComment.deprecated : undefined),
    defaultValue: docs.map(defaultOf).find((value) => value !== undefined),
    isExported,
    isModule: access === 'export=',
    target: undefined,
    place,
  };
  const target = { module, name };
  const names = [own, ...aliases.map((alias) => ({ ...own, name: alias, target }))];
  for (const declaration of declarations) {
    for (const [path, members] of membersByName(declaration.members)) {
      const [member] = members;
      if (!member) continue;
      const comments = members.map(({ doc }) => readDocComment(doc));
      names.push({
        module,
        name: `${name}.${path}`,
        kind: 'member',
        signature: members.map(({ signature }) => signature).join('\n'),
        deprecated: comments.every(({ deprecated }) => deprecated !== undefined)
          ? comments[0]?.deprecated
          : undefined,
        defaultValue: comments.map(defaultOf).find((value) => value !== undefined),
        isExported,
        isModule: false,
        target: undefined,
        place: { ...declaration.place, line: member.line },
      });
    }
  }
  return names;
}

/** Returns members with those in their own object types, by the path of their names. Overloads share a path. */
function membersByName(members: readonly Member[], prefix = ''): Map<string, Member[]> {
  const found = new Map<string, Member[]>();
  const add = (path: string, member: Member): void => {
    const known = found.get(path);
    if (known) known.push(member);
    else found.set(path, [member]);
  };
  for (const member of members) {
    const path = prefix + member.name;
    add(path, member);
    for (const [inner, nested] of membersByName(member.members, `${path}.`))
      for (const each of nested) add(inner, each);
  }
  return found;
}

/** Returns the names that a module takes from other modules and packages. */
function referencesOf(
  { name: module, references }: ApiModule,
  names: ReadonlyMap<string, ApiName>,
): ApiName[] {
  return references.map(({ name, module: other, as, exportDoc, place }) => {
    const described = names.get(`${other}\n${as}`);
    return {
      module,
      name,
      kind: described?.kind ?? ('reference' as const),
      signature: described?.signature ?? `${as} from ${other}`,
      deprecated: exportDoc.deprecated ?? described?.deprecated,
      defaultValue: described?.defaultValue,
      isExported: true,
      isModule: false,
      target: { module: other, name: as },
      place: described?.place ?? place,
    };
  });
}

/** Returns the default value that a doc comment gives in a tag or in its words. */
function defaultOf({ defaultValue, text }: DocComment): string | undefined {
  return (
    defaultValue ?? /\b[Dd]efaults?(?:\s+value)?(?:\s+(?:to|is)|:)\s+`([^`\n]+)`/.exec(text)?.[1]
  );
}
