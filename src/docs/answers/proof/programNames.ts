/** Finds the names in programs that belong to the docs' product. The docs should have them. */
import type { DocsNames } from './docsNames';
import { ownData } from './formatNames';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Objects and modules of programming languages. Their members are not names of the docs' product. */
const builtInRoots = words(`
  Array ArrayBuffer Blob Boolean Buffer Date Error FormData Headers Intl JSON Map Math Number Object Promise
  Reflect Request Response RegExp Set String Symbol URL URLSearchParams WeakMap AbortController AbortSignal
  TextDecoder TextEncoder ReadableStream WritableStream TransformStream console crypto document fetch global
  globalThis import localStorage module navigator performance process require self super this window exports
  argparse asyncio base64 collections contextlib csv dataclasses datetime functools hashlib hmac io itertools
  json logging math os pathlib random re requests httpx shutil sqlite3 subprocess sys tempfile threading time
  typing unittest urllib uuid flask django fastapi
  bufio bytes context errors fmt http io ioutil log net os path rand regexp slog sort strconv strings sync t
  System Collections List Arrays Optional Thread Console Task File Path std Vec Box
`);

/** Members that values have in most languages and in the usual web frameworks. */
const commonMembers = words(`
  add addEventListener all allSettled append apply assign at bind body call catch charAt charCodeAt close code concat
  constructor copy count createServer data decode default delete dirname div dumps each emit encode end endsWith
  entries env error errors every exec exit filter finally find findIndex findLast first flat flatMap forEach format
  freeze from fromEntries get getReader getTime has hasOwnProperty header headers id includes index indexOf info
  instance is isArray isoformat items join json key keys last lastIndexOf len length listen load loads log lower
  map match matchAll message method name next now ok on once open options padEnd padStart params parse path pipe
  pop post print prototype push put query raise_for_status raw read readFile readFileSync readlines reduce
  releaseLock render replace replaceAll request res resolve result reverse route run send sendStatus set
  setHeader shift size slice some sort splice split stack start startsWith startswith endswith status statusCode
  stdin stderr stdout stop strftime stringify strip sub substring success test text then throw time toFixed
  toISOString toLocaleString toLowerCase toString toUpperCase trim trimEnd trimStart type unshift update upper
  use utcnow value values warn warning write writeFile writeFileSync writeHead Add Background Begin Body Close Done
  Err Error Errorf Exit Fatal Get Header Is As Join Len Listen Lock Marshal New Parse Print Printf Println
  Set Sprintf String Unlock Unmarshal Unwrap Wait Write WriteHeader ToString Equals GetType Length Count
  Select Where ToList unwrap expect clone iter into as_str to_string to_owned
`);

const keywords = words(`
  abstract and any as assert async await bool boolean break byte case catch chan char class const continue debugger
  declare def default defer del delete do double elif else end ensure enum except export extends extern false
  final finally float fn for foreach from func function global go goto if impl implements import in instanceof int
  interface is lambda let long loop match mod module mut namespace new nil None nonlocal not null number object of
  or package pass private protected pub public raise range readonly rescue return satisfies self static string
  struct super switch then this throw throws trait True False true try type typeof undefined unless until use using
  val var void when where while with yield self cls
`);

const token =
  /(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<dot>\?\.|\.|::|->)|(?<open>[([{])|(?<close>[)\]}])|(?<colon>:(?!:)|=(?![=>]))|(?<comma>[,;])|(?<newline>\n)|(?<other>[^\s])/gu;

const strings = String.raw`"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60`;

function withoutComments(code: string, language: string): string {
  const comments = /^(?:py|python|py3|pycon|ruby|rb)$/.test(language)
    ? String.raw`#[^\n]*`
    : String.raw`\/\/[^\n]*|\/\*[^]*?\*\/|(?<=^|\n)\s*#[^\n]*`;
  return code.replace(new RegExp(`(${strings})|${comments}`, 'g'), '$1');
}

interface Imports {
  /** Names imported from modules that the docs know, by their local names. A default import's name is empty. */
  readonly ofDocs: Map<string, string>;
  readonly ofOthers: Set<string>;
  /** Parts of module names that the docs don't have, although they have the first part. */
  readonly unknownModules: string[];
}

function importsOf(code: string, docs: DocsNames): Imports {
  const imports: Imports = { ofDocs: new Map(), ofOthers: new Set(), unknownModules: [] };
  const add = (module: string, names: readonly (readonly [string, string])[]): void => {
    const pieces = module.split(/[/.]/).filter((piece) => /[\p{L}]/u.test(piece));
    const isKnown = !module.startsWith('.') && docs.hasName(pieces[0]?.replace(/^@/, '') ?? '');
    const isBuiltIn = module.startsWith('node:') || builtInRoots.has(pieces[0] ?? '');
    if (!isKnown || isBuiltIn) {
      for (const [, local] of names) imports.ofOthers.add(local);
      return;
    }
    imports.unknownModules.push(
      ...pieces.map((piece) => piece.replace(/^@/, '')).filter((piece) => !docs.hasName(piece)),
    );
    for (const [name, local] of names) imports.ofDocs.set(local, name);
  };
  const named = (list: string): (readonly [string, string])[] =>
    list
      .split(',')
      .map((item) => item.trim().replace(/^type\s+/, ''))
      .filter((item) => /^[\p{L}_$]/u.test(item))
      .map((item) => {
        const [name = '', local = name] = item.split(/\s+as\s+|\s*:\s*/);
        return [name.trim(), local.trim()] as const;
      });
  const quoted = String.raw`["']([^"'\n]+)["']`;
  for (const [, clause = '', module = ''] of code.matchAll(
    new RegExp(String.raw`\bimport\s+(?:type\s+)?([^"';]+?)\s+from\s+${quoted}`, 'g'),
  )) {
    const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
    const outside = clause.replace(/\{[^}]*\}/, '').replace(/\*\s+as\s+/, '');
    add(module, [
      ...named(braces),
      // The reader chooses the name of a default import, so the docs need not have it.
      ...named(outside).map(([, local]) => ['', local] as const),
    ]);
  }
  for (const [, clause = '', module = ''] of code.matchAll(
    new RegExp(
      String.raw`\b(?:const|let|var)\s+(\{[^}]*\}|[\w$]+)\s*=\s*(?:await\s+)?(?:require|import)\(${quoted}\)`,
      'g',
    ),
  )) {
    const isObject = clause.startsWith('{');
    add(module, isObject ? named(clause.slice(1, -1)) : [['', clause]]);
  }
  for (const [, module = '', list = ''] of code.matchAll(
    /^[ \t]*from\s+([\w.]+)\s+import\s+\(?([^)\n]+)/gm,
  )) {
    add(module, named(list));
  }
  for (const [, list = ''] of code.matchAll(
    /^[ \t]*import\s+([\w.]+(?:\s+as\s+\w+)?(?:,\s*[\w.]+)*)\s*;?\s*$/gm,
  )) {
    for (const [module, local] of named(list)) {
      add(module, [['', local === module ? (module.split('.')[0] ?? '') : local]]);
    }
  }
  return imports;
}

const definition =
  /\b(?:const|let|var|function\*?|class|def|func|fn|type|interface|enum|struct|trait|val)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|\b(?:const|let|var)\s*[{[]([^}\]=]*)[}\]]|^[ \t]*([\p{L}_$][\p{L}\p{N}_$, ]*?)\s*(?::=|=(?!=))|\bfor\s*\(?\s*(?:const|let|var|await)?\s*([\p{L}_$][\p{L}\p{N}_$, ]*?)\s+(?:in|of|:=)\b|\b(?:as|except\s+[\w.]+\s+as|catch\s*\()\s*\(?([\p{L}_$][\p{L}\p{N}_$]*)|\(([^()]*)\)\s*(?::[^={]*)?(?:=>|\{|:\s*$|->)|\b([\p{L}_$][\p{L}\p{N}_$]*)\s*=>/gmu;

/** Returns the names that code defines, each with the code of its value. */
function definitionsOf(code: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of code.matchAll(definition)) {
    const lists = match.slice(1).filter(Boolean);
    const end = match.index + match[0].length;
    const line = code.slice(end, end + 300).split(/\n\s*\n|;/, 1)[0] ?? '';
    const value = /^\s*(?::[^=\n]*)?(?::?=)?\s*([^]*)/.exec(line)?.[1] ?? '';
    for (const list of lists) {
      for (const [name] of list.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
        if (!found.has(name)) found.set(name, value);
      }
    }
  }
  return found;
}

/** Returns the names of members, options and imports in a program that belong to the docs' product. */
export function programNames(source: string, language: string, docs: DocsNames): string[] {
  const written = withoutComments(source, language);
  const imports = importsOf(written, docs);
  const code = written.replace(new RegExp(strings, 'g'), '""');
  const defined = definitionsOf(code.replace(/^\s*(?:import|from)\b[^\n]*$/gm, ''));
  const isOfDocs = originTest(imports, defined, docs);
  const found = new Set(imports.unknownModules);
  for (const name of imports.ofDocs.values()) if (name !== '') found.add(name);
  for (const name of membersAndOptions(code, isOfDocs)) {
    if (!defined.has(name)) found.add(name);
  }
  return [...found].filter((name) => !keywords.has(name));
}

/** Returns a function that tells whether a name refers to something of the docs' product. */
function originTest(
  imports: Imports,
  defined: ReadonlyMap<string, string>,
  docs: DocsNames,
): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const isOfDocs = (name: string): boolean => {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, false);
    const result = decide(name);
    known.set(name, result);
    return result;
  };
  const decide = (name: string): boolean => {
    if (imports.ofDocs.has(name)) return true;
    if (imports.ofOthers.has(name) || builtInRoots.has(name) || keywords.has(name)) return false;
    const value = defined.get(name);
    if (value === undefined) return docs.hasName(name);
    const [maker] = [...value.matchAll(/(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*/gu)]
      .map(([word]) => word)
      .filter((word) => !keywords.has(word));
    return maker !== undefined && maker !== name && isOfDocs(maker);
  };
  return isOfDocs;
}

/** An open bracket of a call or a literal. */
interface OpenBracket {
  readonly bracket: string;
  /** Whether the call or literal belongs to the docs' product. */
  readonly isOfDocs: boolean;
  /** Number of literals around this bracket inside the call. */
  readonly depth: number;
}

/** Maximum depth of a literal whose keys are options. The keys of deeper literals are data. */
const MAX_OPTION_DEPTH = 2;

function membersAndOptions(code: string, isOfDocs: (name: string) => boolean): string[] {
  const found: string[] = [];
  const brackets: OpenBracket[] = [];
  let isChain = false;
  let last = '';
  let name = '';
  let key = '';
  for (const match of code.matchAll(token)) {
    const part = match.groups ?? {};
    if (part['name'] !== undefined) {
      if (/^(?:\?\.|\.|::|->)$/.test(last)) {
        if (isChain && !commonMembers.has(part['name'])) found.push(part['name']);
      } else isChain = isOfDocs(part['name']);
      name = part['name'];
    } else if (part['open'] !== undefined) {
      const around = brackets.at(-1);
      const isBehindName = last === name;
      const isFree = ownData.test(key);
      brackets.push({
        bracket: part['open'],
        isOfDocs: isBehindName ? isChain : around?.isOfDocs === true && !isFree,
        depth: part['open'] === '(' || isBehindName ? 0 : (around?.depth ?? 0) + 1,
      });
      key = '';
    } else if (part['close'] !== undefined) {
      isChain = brackets.pop()?.isOfDocs === true;
    } else if (part['colon'] !== undefined) {
      const around = brackets.at(-1);
      if (last === name) {
        key = name;
        const isOption =
          around?.isOfDocs === true &&
          around.depth <= MAX_OPTION_DEPTH &&
          (part['colon'] === ':' ? around.bracket === '{' : around.bracket === '(');
        if (isOption) found.push(name);
      }
    } else if (part['comma'] !== undefined) key = '';
    if (part['newline'] === undefined) last = match[0];
  }
  return found;
}
