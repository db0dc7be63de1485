import type { Token } from 'markdown-it';
import type { Style } from './style';
import type { Segment, Word } from './wrappedLine';

export interface InlineOptions {
  readonly style: Style;
  /** Returns the number of a link's page in the list of sources. */
  readonly numberOf: (url: string, title: string) => number;
}

/** Text of a link that only cites a source. */
const citation = /^\[?\d{1,3}\]?$/;

/**
 * Converts the inline tokens of a paragraph into words. A link is followed by the number of its
 * page.
 */
export function inlineWords(
  tokens: readonly Token[],
  options: InlineOptions,
  base?: (word: string) => string,
): Word[] {
  const words = new WordBuilder();
  const { style } = options;
  const styles: ((word: string) => string)[] = base ? [base] : [];
  const add = (text: string, own?: (word: string) => string): void => {
    const all = own ? [own, ...styles.toReversed()] : styles.toReversed();
    words.text(text, (word) => all.reduce((result, apply) => apply(result), word));
  };
  // Without escape sequences, only the marks of Markdown can show emphasis.
  const mark = (text: string): void => {
    if (!style.isColored) words.text(text);
  };
  const nested = (type: string, apply: (word: string) => string, text: string): void => {
    if (type.endsWith('_open')) {
      mark(text);
      styles.push(apply);
    } else {
      styles.splice(styles.lastIndexOf(apply), 1);
      mark(text);
    }
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    switch (token?.type) {
      case 'text':
        add(token.content);
        break;
      case 'code_inline':
        if (style.isColored) add(token.content, style.code);
        else add(`\`${token.content}\``);
        break;
      case 'softbreak':
        words.space();
        break;
      case 'hardbreak':
        words.break();
        break;
      case 'strong_open':
      case 'strong_close':
        nested(token.type, style.bold, '**');
        break;
      case 'em_open':
      case 'em_close':
        nested(token.type, style.italic, '*');
        break;
      case 's_open':
      case 's_close':
        nested(token.type, style.strike, '~~');
        break;
      case 'image': {
        const url = String(token.attrGet('src') ?? '');
        add(token.content);
        words.text(` [${options.numberOf(url, token.content)}]`, style.dim);
        break;
      }
      case 'link_open': {
        const end = closingLink(tokens, index);
        const inside = tokens.slice(index + 1, end);
        addLink(inside, String(token.attrGet('href') ?? ''), token.markup === 'autolink');
        index = end;
        break;
      }
      default:
        if (token) add(token.content);
    }
  }
  return words.end();

  function addLink(inside: readonly Token[], url: string, isAutolink: boolean): void {
    const text = inside.map(({ content }) => content).join('');
    if (isAutolink) {
      add(text, style.underline);
      return;
    }
    const number = `[${options.numberOf(url, citation.test(text) ? '' : text)}]`;
    if (citation.test(text)) {
      words.text(number, style.dim);
      return;
    }
    for (const { segments, isAfterBreak, hasSpace } of spaced(
      inlineWords(inside, options, style.underline),
    )) {
      if (isAfterBreak) words.break();
      if (hasSpace) words.space();
      for (const segment of segments) {
        words.text(segment.text, (word) =>
          styles
            .toReversed()
            .reduce((result, apply) => apply(result), segment.style?.(word) ?? word),
        );
      }
    }
    words.text(` ${number}`, style.dim);
  }
}

function spaced(words: readonly Word[]): (Word & { readonly hasSpace: boolean })[] {
  return words.map((word, index) => ({ ...word, hasSpace: index > 0 }));
}

function closingLink(tokens: readonly Token[], start: number): number {
  const end = tokens.findIndex((token, index) => index > start && token.type === 'link_close');
  return end < 0 ? tokens.length : end;
}

/** Collects text as words. A word can have pieces of different styles. */
class WordBuilder {
  readonly #words: Word[] = [];
  #segments: Segment[] = [];
  #isAfterBreak = false;

  text(text: string, style?: (word: string) => string): void {
    text.split(/([ \t\n]+)/).forEach((piece, index) => {
      if (index % 2 === 1) this.space();
      else if (piece !== '') this.#segments.push({ text: piece, ...(style ? { style } : {}) });
    });
  }

  space(): void {
    if (this.#segments.length === 0) return;
    const segments = this.#segments;
    this.#words.push(this.#isAfterBreak ? { segments, isAfterBreak: true } : { segments });
    this.#segments = [];
    this.#isAfterBreak = false;
  }

  break(): void {
    this.space();
    this.#isAfterBreak = true;
  }

  end(): Word[] {
    this.space();
    return this.#words;
  }
}
