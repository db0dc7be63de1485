import type { AnyNode, Program } from 'acorn';
import { full } from 'acorn-walk';
import { globalName, propertyOf, ScriptTexts } from '../../check/scriptFetches';

/** Actions of a script that a content security policy must allow. */
interface ScriptTraits {
  /** Whether the script runs text as code: `eval`, `new Function`, `setTimeout('…')`. */
  readonly evaluates: boolean;
  readonly compilesWasm: boolean;
  /** Whether the script adds `<style>` elements or `style` attributes, which a policy can't name by hash. */
  readonly buildsStyles: boolean;
  /** Whether the script creates addresses of data in memory (`blob:`). */
  readonly makesBlobs: boolean;
  readonly startsWorkers: boolean;
  /** Names of the elements that the script creates, in lower case. */
  readonly makes: ReadonlySet<string>;
  /** Number of requests whose address the script computes. */
  readonly unknownRequests: number;
}

const wasmMethods = new Set(['instantiate', 'instantiateStreaming', 'compile', 'compileStreaming']);
const timers = new Set(['setTimeout', 'setInterval']);
const requests = new Set(['fetch', 'WebSocket', 'EventSource', 'WebTransport', 'Request']);

/** Matches markup with styles in a text, which the script may insert into the page. */
const styledMarkup = /<style[\s>]|<[a-z][^>]*\sstyle\s*=/i;

/** Returns the traits of a script. Code counts even if it never runs. */
export function scriptTraits(program: Program): ScriptTraits {
  const texts = new ScriptTexts();
  const asked: AnyNode[] = [];
  const makes = new Set<string>();
  const seen = {
    evaluates: false,
    compilesWasm: false,
    buildsStyles: false,
    makesBlobs: false,
    startsWorkers: false,
  };

  const call = (callee: AnyNode, given: readonly AnyNode[], isNew: boolean): void => {
    const name = globalName(callee);
    const [first] = given;
    const text = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : '';
    if (name === 'eval' && !isNew && given.length > 0) seen.evaluates = true;
    // Many libraries try `Function('return this')` to find the global object, and have a fallback.
    if (name === 'Function' && given.length > 0 && text !== 'return this') seen.evaluates = true;
    if (name !== undefined && timers.has(name) && text !== '') seen.evaluates = true;
    if (name === 'Worker' || name === 'SharedWorker') seen.startsWorkers = true;
    if (name !== undefined && requests.has(name) && first) asked.push(first);
    if (callee.type !== 'MemberExpression') return;
    const property = propertyOf(callee);
    const object = globalName(callee.object);
    if (object === 'WebAssembly' && property !== undefined) {
      if (wasmMethods.has(property) || property === 'Module') seen.compilesWasm = true;
    }
    if (property === 'createObjectURL') seen.makesBlobs = true;
    if (property === 'createElement' && text !== '') makes.add(text.toLowerCase());
    if (property === 'setAttribute' && text.toLowerCase() === 'style') seen.buildsStyles = true;
    if (property === 'open' && /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(text) && given[1]) {
      asked.push(given[1]);
    }
  };

  full(program, (node, _state, type) => {
    texts.see(node, type);
    switch (node.type) {
      case 'CallExpression':
        call(node.callee, node.arguments, false);
        break;
      case 'NewExpression':
        call(node.callee, node.arguments, true);
        break;
      case 'Literal':
        if (typeof node.value === 'string' && styledMarkup.test(node.value))
          seen.buildsStyles = true;
        break;
      case 'TemplateElement':
        if (styledMarkup.test(node.value.raw)) seen.buildsStyles = true;
        break;
      default:
    }
  });

  return {
    ...seen,
    buildsStyles: seen.buildsStyles || makes.has('style'),
    makes,
    unknownRequests: asked.filter((node) => !isKnown(texts.of(node))).length,
  };
}

/** Returns whether enough of an address is known to say which host it leads to. */
function isKnown(text: ReturnType<ScriptTexts['of']>): boolean {
  if (text === undefined) return false;
  return (
    text.isWhole || /^\s*(?:(?:https?|wss?):)?\/\/[^/?#]+[/?#]|^\/[^/]|^\.{1,2}\//i.test(text.text)
  );
}
