/** A fence at the end of a growing text: its code is shown without parsing the text again. */
import type { RenderedBlock } from './rendered';
import { codeLanguage, type Block } from './parser';

export interface OpenFence {
  readonly language: string;
  /** Where its first line of code begins in the tail. */
  readonly codeStart: number;
  readonly closingLine: RegExp;
}

/** @param tail the text from the fence's opening line on. */
export function findOpenFence(block: Block | undefined, tail: string): OpenFence | undefined {
  const [token] = block?.tokens ?? [];
  if (token?.type !== 'fence' || tail.startsWith(' ')) return undefined;
  const codeStart = tail.indexOf('\n') + 1;
  if (codeStart === 0) return undefined;
  const marker = token.markup.charAt(0);
  const closingLine = new RegExp(`^ {0,3}${marker}{${token.markup.length},}[ \\t]*$`);
  const lines = tail.slice(codeStart).split('\n');
  if (lines.slice(0, -1).some((line) => closingLine.test(line))) return undefined;
  return { language: codeLanguage(token), codeStart, closingLine };
}

export function shownCode({ language, codeStart }: OpenFence, tail: string): RenderedBlock {
  let code = tail.slice(codeStart);
  // What may become the closing line is not shown as code meanwhile.
  const lastLine = code.lastIndexOf('\n') + 1;
  if (/^ {0,3}(?:`+|~+)[ \t]*$/.test(code.slice(lastLine))) code = code.slice(0, lastLine);
  return { kind: 'code', language, code: code.endsWith('\n') ? code.slice(0, -1) : code };
}
