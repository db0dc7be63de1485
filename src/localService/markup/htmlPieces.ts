import { Parser } from 'htmlparser2';
import { parse, postprocess, preprocess } from 'micromark';
import type { ElementWriter } from './elementWriter';
import { findPlainHtml } from './plainHtml';

/** HTML in a piece of Markdown, by its place. */
export interface HtmlPiece {
  readonly start: number;
  readonly end: number;
  /** Whether it is a block, whose text is no Markdown. */
  readonly isFlow: boolean;
}

/** Finds the HTML of a piece of Markdown; what stands in code is none. */
export function findHtml(source: string): HtmlPiece[] {
  return findPlainHtml(source) ?? parseHtml(source);
}

/** Finds the HTML of any Markdown by the grammar. */
export function parseHtml(source: string): HtmlPiece[] {
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(source, 'utf8', true)),
  );
  return events.flatMap(([change, { type, start, end }]) =>
    change === 'exit' && (type === 'htmlFlow' || type === 'htmlText')
      ? [{ start: start.offset, end: end.offset, isFlow: type === 'htmlFlow' }]
      : [],
  );
}

/** Reads the HTML of one page, piece by piece: a tag in one closes what another opened. */
export class HtmlReader {
  readonly #parser: Parser;
  #isFlow = false;

  constructor(page: ElementWriter) {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => {
          const tag = {
            name: nameOf(name),
            attributes: new Map(Object.entries(attributes)),
            isFlow: false,
          };
          page.open(tag, false);
        },
        onclosetag: (name) => {
          page.close((open) => open === nameOf(name));
        },
        ontext: (text) => {
          if (this.#isFlow) page.plain(text);
        },
      },
      { lowerCaseTags: false, recognizeSelfClosing: true },
    );
  }

  read({ isFlow }: HtmlPiece, html: string): void {
    this.#isFlow = isFlow;
    this.#parser.write(html);
  }
}

/** `DIV` is `div`, and `Card` a component. */
function nameOf(name: string): string {
  return /^[A-Z][\w.]*[a-z]/.test(name) ? name : name.toLowerCase();
}
