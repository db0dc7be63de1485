import { parse, type AnyNode, type CallExpression, type NewExpression, type Program } from 'acorn';
import { full } from 'acorn-walk';
import { own, type FoundAddress } from './findings';
import { styleAddresses } from './styleLinks';

export type ScriptAddresses =
  | { readonly isReadable: true; readonly found: readonly FoundAddress[] }
  /** `reason` is the parser's English message. `offset` is the position of the error. */
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

/** Global functions whose arguments are loaded. */
const loadedByCall: Readonly<Record<string, Kind>> = { fetch: 'fetch', importScripts: 'script' };

const windows = new Set(['window', 'self', 'globalThis', 'top', 'parent']);
const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Properties whose new value is loaded. `href` is missing because plain links have it too. */
const loadingProperties = new Set(['src', 'srcset', 'poster']);

/** Matches an address such as `./` and `../assets/`. */
const relativeFolder = /^(?!\w+:|\/\/)(?:.*\/)?\.{0,2}$/;

const ofDocument: Role = { isOfDocument: true };
const ofElement: Role = { isOfDocument: true, role: 'outside-only' };

/**
 * Returns the addresses that a script loads: imports, `fetch`, sockets, workers, beacons and `src` of
 * elements. An address counts if it is a literal or a constant of the same file, or if it starts with
 * one that contains the whole host. Nothing else is guessed.
 */
export function scriptAddresses(script: string): ScriptAddresses {
  try {
    return { isReadable: true, found: addressesOf(parseScript(script)) };
  } catch (error) {
    // Besides syntax errors, very deep code overflows the stack of the parser and the walk.
    const offset = error instanceof SyntaxError && 'pos' in error ? Number(error.pos) : 0;
    const reason = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : 'unknown';
    return { isReadable: false, reason: own(reason.slice(0, 200)), offset };
  }
}

/** Parses a script, as a module if it can be one. @throws {SyntaxError} or a {@link RangeError}. */
export function parseScript(script: string): Program {
  const settings = { ecmaVersion: 'latest', allowHashBang: true } as const;
  try {
    return parse(script, { ...settings, sourceType: 'module' });
  } catch (moduleError) {
    // Old sloppy scripts may use `with`, octal numbers and HTML comments.
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

/** Returns the addresses that {@link scriptAddresses} describes. */
export function addressesOf(program: Program): FoundAddress[] {
  const found: FoundAddress[] = [];
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
  return found;
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
    // Bundlers write the URL of a module's file like this. A folder is only the base of other addresses.
    const address = first && texts.of(first)?.text;
    if (address !== undefined && !relativeFolder.test(address)) add('fetch', first);
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

/** Returns the name of a global: `x` for `x`, `window.x` and similar forms. */
export function globalName(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
  return windows.has(node.object.name) ? propertyOf(node) : undefined;
}

/** Returns the name of a property of an object. */
export function propertyOf({ property }: { readonly property: AnyNode }): string | undefined {
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

/** Returns whether a text is a whole address, or a start with the whole host. */
function isAddress({ text, isWhole }: KnownText): boolean {
  return isWhole ? text.trim() !== '' : /^\s*(?:(?:https?|wss?):)?[/\\]{2}[^/?#]+[/?#]/i.test(text);
}

function roleOf({ isWhole }: KnownText): Role {
  return isWhole ? {} : { role: 'outside-only' };
}

/** Returns whether an import is an address. Import maps resolve bare names such as `react`. */
function isModuleAddress(text: KnownText | undefined): boolean {
  return text !== undefined && /^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(text.text);
}

function ownValue(record: Readonly<Record<string, Kind>>, name: string): Kind | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A text that a script certainly uses. `isWhole` is false if only its start is known. */
interface KnownText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Maximum depth of constants that are built from constants. */
const MAX_DEPTH = 20;

/** Known texts of a script: its literals, and constants that contain only known texts. */
export class ScriptTexts {
  readonly #constants = new Map<string, AnyNode>();
  readonly #timesBound = new Map<string, number>();

  /** Notes a node during the walk. `type` is the walk's name for it. */
  see(node: AnyNode, type: string): void {
    if (type === 'VariablePattern' && node.type === 'Identifier') {
      this.#timesBound.set(node.name, (this.#timesBound.get(node.name) ?? 0) + 1);
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      this.#constants.set(node.id.name, node.init);
    }
  }

  /** Returns the text of a node, or undefined if it is unknown. Call it after the whole walk. */
  of(node: AnyNode, depth = 0): KnownText | undefined {
    if (depth > MAX_DEPTH) return undefined;
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? { text: node.value, isWhole: true } : undefined;
      case 'TemplateLiteral':
        return this.#joined(
          node.quasis.flatMap((quasi, position) => {
            const expression = node.expressions[position];
            return expression ? [quasi, expression] : [quasi];
          }),
          depth,
        );
      case 'TemplateElement':
        return { text: node.value.cooked ?? '', isWhole: true };
      case 'BinaryExpression':
        return node.operator === '+' ? this.#joined([node.left, node.right], depth) : undefined;
      case 'Identifier':
        return this.#constant(node.name, depth);
      case 'NewExpression': {
        // new URL('https://host/x') is used like its address.
        const [address, base] = node.arguments;
        const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
        return isUrl && address && !base ? this.of(address, depth + 1) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Returns the text of a name that is bound exactly once in the whole file and never set again. */
  #constant(name: string, depth: number): KnownText | undefined {
    const value = this.#timesBound.get(name) === 1 ? this.#constants.get(name) : undefined;
    return value && this.of(value, depth + 1);
  }

  #joined(pieces: readonly AnyNode[], depth: number): KnownText {
    let text = '';
    for (const piece of pieces) {
      const known = this.of(piece, depth + 1);
      if (known === undefined) return { text, isWhole: false };
      text += known.text;
      if (!known.isWhole) return { text, isWhole: false };
    }
    return { text, isWhole: true };
  }
}
