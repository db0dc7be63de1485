import MarkdownIt, { type Token } from 'markdown-it';
import { sentenceSpans } from '../sentences';

/** A sentence, list item or table row of a reply that claims something. */
export interface Statement {
  /** Text as the reader sees it, without Markdown and citations. */
  readonly text: string;
  /** Positions of code spans in the text. */
  readonly code: readonly TextSpan[];
  /** Numbers of the sources that the statement cites, or that sentences near it cite for it. Can be empty. */
  readonly cited: readonly number[];
}

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A code block of a reply. */
export interface ReplyCode {
  /** First word after the fence, in lower case. */
  readonly language: string;
  readonly code: string;
}

interface ReplyParts {
  readonly statements: readonly Statement[];
  readonly codeBlocks: readonly ReplyCode[];
}

const markdown = new MarkdownIt({ html: true });

/** Returns the statements and the code blocks of a reply's Markdown, which can be compared with the docs. */
export function replyParts(text: string): ReplyParts {
  const reader = new ReplyReader();
  reader.read(markdown.parse(text, {}));
  return { statements: reader.statements(), codeBlocks: reader.codeBlocks };
}

/** A sentence with its own citations. It becomes a statement if it claims something. */
interface Draft extends Omit<Statement, 'cited'> {
  readonly own: readonly number[];
}

/** The sentences of a paragraph, list or table, which share their citations. */
interface Group {
  readonly drafts: Draft[];
  /** Numbers cited by the label, the lead-in or, for a list or table, the paragraph before the group. */
  readonly before: readonly number[];
}

/** Matches the label of a list of links, in the languages that the service writes. */
const readingLabel =
  /^(?:read more|see also|further reading|sources?|references|related|learn more|zum weiterlesen|siehe auch|quellen?|mehr dazu|weiterlesen)\b[^.]{0,20}$/i;

const listOrTable = /^(?:bullet_list|ordered_list|table)_open$/;

/** Returns the numbers that the last sentence of a group cites, or else those of all its sentences. */
function citedAtEnd(group: Group | undefined): readonly number[] {
  const own = (group?.drafts ?? []).map((draft) => draft.own);
  const last = own.at(-1) ?? [];
  return last.length > 0 ? last : own.flat();
}

class ReplyReader {
  readonly codeBlocks: ReplyCode[] = [];
  readonly #groups: Group[] = [];
  /** Numbers cited by the label, heading or lead-in above the current block. */
  #above: readonly number[] = [];
  #isReadingList = false;

  read(tokens: readonly Token[]): void {
    let group: Group | undefined;
    let isHeading = false;
    let isHead = false;
    let row: InlineText[] | undefined;
    for (const token of tokens) {
      switch (token.type) {
        case 'heading_open':
          isHeading = true;
          break;
        case 'heading_close':
          isHeading = false;
          break;
        case 'thead_open':
          isHead = true;
          break;
        case 'thead_close':
          isHead = false;
          break;
        case 'tr_open':
          row = [];
          break;
        case 'tr_close':
          if (row && group && !isHead) this.#addRow(group, row);
          row = undefined;
          break;
        case 'fence':
        case 'code_block':
          this.codeBlocks.push({
            language: /^[\w+#.-]+/.exec(token.info.trim())?.[0].toLowerCase() ?? '',
            code: token.content,
          });
          break;
        case 'inline':
          if (isHeading) {
            const heading = inlineText(token.children ?? []);
            this.#above = heading.citations.map(({ number }) => number);
            this.#isReadingList = readingLabel.test(heading.text.trim());
          } else if (row) row.push(inlineText(token.children ?? []));
          else this.#addText(group, inlineText(token.children ?? []));
          break;
        default:
          if (token.level === 0 && token.nesting === 1) group = this.#startGroup(token);
      }
    }
  }

  /**
   * Returns the statements of all groups. A sentence without its own citations gets those of the next
   * sentence that has any, of the previous one, or of what stands above the group.
   */
  statements(): Statement[] {
    return this.#groups.flatMap(({ drafts, before }) =>
      drafts.flatMap(({ text, code, own }, position) => {
        if (!isClaim(text, code)) return [];
        const next = drafts.slice(position + 1).find((draft) => draft.own.length > 0);
        const previous = drafts.slice(0, position).findLast((draft) => draft.own.length > 0);
        const cited = own.length > 0 ? own : (next?.own ?? previous?.own ?? before);
        return [{ text, code, cited }];
      }),
    );
  }

  #startGroup({ type }: Token): Group {
    const before = listOrTable.test(type) ? citedAtEnd(this.#groups.at(-1)) : [];
    const group: Group = { drafts: [], before: before.length > 0 ? before : this.#above };
    this.#groups.push(group);
    return group;
  }

  #addText(group: Group | undefined, inline: InlineText): void {
    const { text, citations } = inline;
    const plain = text.trim();
    if (citations.length > 0 && (plain.endsWith(':') || inline.isLabel)) {
      // The citation of the label "**Rate limits** [1]" is for the text below it.
      this.#above = citations.map(({ number }) => number);
    }
    if (inline.isLabel || plain.endsWith(':')) this.#isReadingList = readingLabel.test(plain);
    if (this.#isReadingList || inline.isLabel || !group) return;
    group.drafts.push(...draftsOf(inline));
  }

  #addRow(group: Group, cells: readonly InlineText[]): void {
    let text = '';
    const code: TextSpan[] = [];
    const own: number[] = [];
    for (const cell of cells) {
      if (text !== '') text += ' ';
      const start = text.length;
      code.push(...cell.code.map((span) => moved(span, start)));
      own.push(...cell.citations.map(({ number }) => number));
      text += cell.text;
    }
    group.drafts.push({ text: text.trimEnd(), code, own });
  }
}

function moved({ start, end }: TextSpan, by: number): TextSpan {
  return { start: start + by, end: end + by };
}

interface InlineText {
  /** Visible text, without citations. */
  readonly text: string;
  readonly code: readonly TextSpan[];
  /** Citations, each with its position in the text. */
  readonly citations: readonly { readonly at: number; readonly number: number }[];
  /** Whether the text is only a title: bold words or links, and citations. */
  readonly isLabel: boolean;
}

const citationMark = /[[【]\s*\^?(\d{1,3}(?:\s*,\s*\^?\d{1,3})*)\s*[\]】]/g;

function inlineText(children: readonly Token[]): InlineText {
  let text = '';
  let outside = '';
  let titleDepth = 0;
  const code: TextSpan[] = [];
  const citations: { at: number; number: number }[] = [];
  const add = (piece: string): void => {
    const isAfterCitation = citations.at(-1)?.at === text.length;
    if (isAfterCitation && /^[.,;:!?)]/.test(piece)) {
      // Removing the citation of "10 MB [1]." must not leave a space before the period.
      text = text.trimEnd();
    }
    text += piece;
    if (titleDepth === 0) outside += piece;
  };
  for (let position = 0; position < children.length; position++) {
    const child = children[position];
    if (!child) break;
    const next = children[position + 1];
    switch (child.type) {
      case 'link_open':
        if (next?.type === 'text' && /^\d{1,3}$/.test(next.content)) {
          citations.push({ at: text.length, number: Number(next.content) });
          position += 2;
        } else titleDepth++;
        break;
      case 'strong_open':
        titleDepth++;
        break;
      case 'link_close':
      case 'strong_close':
        titleDepth--;
        break;
      case 'code_inline':
        code.push({ start: text.length, end: text.length + child.content.length });
        add(child.content);
        break;
      case 'softbreak':
      case 'hardbreak':
        add(' ');
        break;
      case 'text': {
        let end = 0;
        for (const match of child.content.matchAll(citationMark)) {
          add(child.content.slice(end, match.index));
          end = match.index + match[0].length;
          for (const [number] of (match[1] ?? '').matchAll(/\d+/g)) {
            citations.push({ at: text.length, number: Number(number) });
          }
        }
        add(child.content.slice(end));
        break;
      }
      case 'image':
        add(child.content);
        break;
      default:
    }
  }
  return { text, code, citations, isLabel: text !== '' && /^[\s:.,;–-]*$/.test(outside) };
}

function draftsOf({ text, code, citations }: InlineText): Draft[] {
  let masked = text;
  for (const { start, end } of code) {
    // A capital lets a sentence begin with code, as in "That's all. `x` is optional."
    masked = masked.slice(0, start) + 'X'.padEnd(end - start, 'x') + masked.slice(end);
  }
  return sentenceSpans(masked).map(({ start, end }) => {
    const raw = text.slice(start, end);
    const indent = raw.length - raw.trimStart().length;
    return {
      text: raw.trim(),
      code: code
        .filter((span) => span.start >= start && span.end <= end)
        .map((span) => moved(span, -start - indent)),
      own: citations
        .filter(({ at }) => (at > start || start === 0) && (at <= end || end === text.length))
        .map(({ number }) => number),
    };
  });
}

/** Patterns of sentences around an answer that claim nothing about the product. */
const aroundAnswer = [
  /^(?:hi|hello|hey|sure|certainly|of course|absolutely|great|good question|yes|no|okay|thanks|thank you|hallo|guten tag|gerne|natürlich|klar|sicher|ja|nein|danke)\b[^.]{0,24}[.!]?$/i,
  /\b(?:let me know|feel free|i hope|hope this|happy to help|if you (?:have|need|want) (?:any |more )?(?:other |further |more )?(?:questions|details|help)|i can(?:'t|not)? (?:help|see|find|tell)|i (?:found|could) (?:nothing|not)|i don't know)\b/i,
  /\b(?:lass(?:en sie)? (?:es )?mich wissen|ich hoffe|gerne helfe|helfe ich|ich (?:habe|konnte|kann) .{0,60}(?:nichts?|nicht|kein\w*)\b)/i,
  /\b(?:docs?|documentation|sections?|sources?|excerpts?|pages?|texts?)\b[^.]{0,40}\b(?:do(?:es)? not|do(?:es)?n't|say nothing|says nothing|never) ?(?:say|mention|cover|specify|describe|state|show|explain|document|provide|include|list|tell|give|contain)?/i,
  /\b(?:dokumentation|doku|abschnitte?n?|quellen?|auszüge?n?|seiten?|texte?)\b[^.]{0,60}\b(?:nicht|nichts|keine?[nrms]?)\b/i,
  /^(?:here (?:is|are|'s)|here's|below (?:is|are)|the following|for example|see (?:also )?(?:the )?(?:section|page|docs|example)|hier (?:ist|sind|finden)|das folgende|zum beispiel|siehe)\b[^.]{0,80}[.:]?$/i,
];
/** Matches words that show that such a sentence does claim something. */
const turn = /\b(?:but|however|although|instead|aber|jedoch|stattdessen|obwohl|sondern)\b/i;

const MIN_CLAIM_WORDS = 3;

function isClaim(text: string, code: readonly TextSpan[]): boolean {
  if (!/\p{L}/u.test(text) || /[?:]\s*$/.test(text)) return false;
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)];
  if (words.length < MIN_CLAIM_WORDS && code.length === 0 && !/\d/.test(text)) return false;
  if (turn.test(text)) return true;
  return !aroundAnswer.some((pattern) => pattern.test(text));
}
