import { parse, type AnyNode, type CallExpression, type NewExpression, type Program } from 'acorn';
import { full } from 'acorn-walk';
import { own, type FoundAddress } from './foundAddress';
import { ScriptTexts, type KnownText } from './scriptTexts';
import { styleAddresses } from './styleLinks';

export type ScriptAddresses =
  | { readonly isReadable: true; readonly found: readonly FoundAddress[] }
  /** `reason` is the parser's, in English; `offset` is where it gave up. */
  | { readonly isReadable: false; readonly reason: string; readonly offset: number };

type Kind = FoundAddress['kind'];
type Role = Pick<FoundAddress, 'role' | 'isOfDocument'>;

/** Constructors whose first argument is loaded. */
const loadedByNew: Readonly<Record<string, Kind>> = {
  WebSocket: 'fetch',
  EventSource: 'fetch',
  WebTransport: 'fetch',
  Request: 'fetch',
  Audio: 'media',
  Worker: 'worker',
  SharedWorker: 'worker',
};

/** Functions, bare or of the window, whose arguments are loaded. */
const loadedByCall: Readonly<Record<string, Kind>> = { fetch: 'fetch', importScripts: 'script' };

const windows = new Set(['window', 'self', 'globalThis', 'top', 'parent']);
const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Properties that load what they are set to. `href` also is a plain link's. */
const loadingProperties = new Set(['src', 'srcset', 'poster']);

const ofDocument: Role = { isOfDocument: true };
const ofElement: Role = { isOfDocument: true, role: 'outside-only' };

/**
 * What a script loads by addresses that stand in it: imports, `fetch`, sockets, workers, beacons,
 * elements' `src`. An address counts if it is a literal, a constant of the same file, or starts with
 * one that holds the whole host; nothing beyond that is guessed.
 */
export function scriptAddresses(script: string): ScriptAddresses {
  try {
    const found: FoundAddress[] = [];
    collect(parseScript(script), found);
    return { isReadable: true, found };
  } catch (error) {
    // Besides syntax errors: the parser and the walk run out of stack on absurdly deep code.
    const offset = error instanceof SyntaxError && 'pos' in error ? Number(error.pos) : 0;
    const reason = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : 'unknown';
    return { isReadable: false, reason: own(reason.slice(0, 200)), offset };
  }
}

function parseScript(script: string): Program {
  const settings = { ecmaVersion: 'latest', allowHashBang: true } as const;
  try {
    return parse(script, { ...settings, sourceType: 'module' });
  } catch (moduleError) {
    // What only old, sloppy scripts may write: `with`, octal numbers, HTML comments.
    try {
      return parse(script, {
        ...settings,
        sourceType: 'script',
        allowReturnOutsideFunction: true,
      });
    } catch (scriptError) {
      const isModule = /\b(?:import|export)\b/.test(script);
      throw isModule ? moduleError : scriptError;
    }
  }
}

function collect(program: Program, found: FoundAddress[]): void {
  const texts = new ScriptTexts();
  const candidates: AnyNode[] = [];
  full(program, (node, _state, type) => {
    texts.see(node, type);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'CallExpression':
      case 'NewExpression':
      case 'AssignmentExpression':
        candidates.push(node);
        break;
      default:
    }
  });

  const add = (kind: Kind, node: AnyNode | null | undefined, role: Role = {}): void => {
    const text = node ? texts.of(node) : undefined;
    if (!node || text === undefined || !isAddress(text)) return;
    const { start, end } = node;
    found.push({ kind, address: own(text.text), start, end, ...role, ...roleOf(text) });
  };
  for (const node of candidates) {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
        if (isModuleAddress(node.source ? texts.of(node.source) : undefined)) {
          add('import', node.source);
        }
        break;
      case 'CallExpression':
        addCall(node, texts, add);
        break;
      case 'NewExpression':
        addNew(node, texts, add, found);
        break;
      case 'AssignmentExpression':
        if (node.left.type === 'MemberExpression') {
          const property = propertyOf(node.left);
          if (property !== undefined && loadingProperties.has(property)) {
            add('fetch', node.right, ofElement);
          }
        }
        break;
      default:
    }
  }
}

type Add = (kind: Kind, node: AnyNode | null | undefined, role?: Role) => void;

function addCall({ callee, arguments: given }: CallExpression, texts: ScriptTexts, add: Add): void {
  const [first, second] = given;
  const name = globalName(callee);
  const kind = name === undefined ? undefined : ownValue(loadedByCall, name);
  if (kind !== undefined) {
    if (name === 'importScripts') given.forEach((argument) => add(kind, argument));
    else add(kind, first, ofDocument);
    return;
  }
  if (callee.type !== 'MemberExpression') return;
  const method = first ? texts.of(first)?.text : undefined;
  switch (propertyOf(callee)) {
    case 'sendBeacon':
      add('beacon', first, ofDocument);
      break;
    case 'open':
      if (method !== undefined && httpMethods.has(method.toUpperCase())) {
        add('fetch', second, ofDocument);
      }
      break;
    case 'setAttribute':
      if (method !== undefined && loadingProperties.has(method.toLowerCase())) {
        add('fetch', second, ofElement);
      }
      break;
    case 'addModule':
      add('worker', first, ofDocument);
      break;
    case 'register':
      if (
        callee.object.type === 'MemberExpression' &&
        propertyOf(callee.object) === 'serviceWorker'
      ) {
        add('worker', first, ofDocument);
      }
      break;
    default:
  }
}

function addNew(
  { callee, arguments: given }: NewExpression,
  texts: ScriptTexts,
  add: Add,
  found: FoundAddress[],
): void {
  const name = globalName(callee);
  const [first, second] = given;
  if (name === undefined) return;
  if (name === 'URL' && second?.type === 'MemberExpression' && isImportMetaUrl(second)) {
    // How bundlers write the address of a file that belongs to the module.
    add('fetch', first);
    return;
  }
  if (name === 'FontFace') {
    const source = second ? texts.of(second) : undefined;
    if (!second || source?.isWhole !== true) return;
    for (const { address } of styleAddresses(source.text)) {
      found.push({ kind: 'font', address, start: second.start, end: second.end, ...ofElement });
    }
    return;
  }
  const kind = ownValue(loadedByNew, name);
  if (kind !== undefined) add(kind, first, ofDocument);
}

/** `x` of `x`, of `window.x` and of the like. */
function globalName(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
  return windows.has(node.object.name) ? propertyOf(node) : undefined;
}

function propertyOf({ property }: { readonly property: AnyNode }): string | undefined {
  if (property.type === 'Identifier') return property.name;
  return property.type === 'Literal' && typeof property.value === 'string'
    ? property.value
    : undefined;
}

function isImportMetaUrl(node: AnyNode): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'MetaProperty' &&
    propertyOf(node) === 'url'
  );
}

/** A start of an address tells where it leads once it holds the host. */
function isAddress({ text, isWhole }: KnownText): boolean {
  return isWhole ? text.trim() !== '' : /^\s*(?:(?:https?|wss?):)?[/\\]{2}[^/?#]+[/?#]/i.test(text);
}

function roleOf({ isWhole }: KnownText): Role {
  return isWhole ? {} : { role: 'outside-only' };
}

/** A bare name (`react`) is resolved by an import map, whose addresses are checked by themselves. */
function isModuleAddress(text: KnownText | undefined): boolean {
  return text !== undefined && /^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(text.text);
}

function ownValue(record: Readonly<Record<string, Kind>>, name: string): Kind | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
