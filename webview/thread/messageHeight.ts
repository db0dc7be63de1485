/**
 * Estimates the height of a message from the length of its text. The scrollbar uses it until the
 * message is laid out.
 */
import type { MessagePart, MessageView } from '../../src/shared/uiMessage';

interface TextShape {
  readonly characters: number;
  readonly lines: number;
  readonly blankLines: number;
}

/**
 * Sizes in pixels for VS Code's default fonts and our styles. They are rough, because only sums
 * over many messages matter.
 */
const CHARACTER_WIDTH = 6.4;
const LINE_HEIGHT = 19.5;
/** A blank line of Markdown is the space between two blocks. */
const BLANK_HEIGHT = 8;
const QUESTION_FRAME = 18;
const MAX_QUESTION_TEXT = 300;
const REPLY_FRAME = 32;
const LIST_TITLE = 32;
const LIST_ROW = 27;
const MAX_SOURCE_ROWS = 7;
const LINE_PART = 28;
/**
 * Number of characters from which the length of lines is estimated. Reading a whole thread would
 * delay its first paint.
 */
const SAMPLE_LENGTH = 500;

const shapes = new WeakMap<MessagePart | MessageView, TextShape>();

/** @param width width of the column of messages in CSS pixels. */
export function estimatedHeight(message: MessageView, width: number): number {
  if (message.role === 'user') {
    const text = textHeight(shapeOf(message, message.text), width - QUESTION_FRAME);
    const chips = message.contextItems.length > 0 ? LINE_PART : 0;
    return Math.min(text, MAX_QUESTION_TEXT) + QUESTION_FRAME + chips;
  }
  let sources = 0;
  let files = 0;
  let height = REPLY_FRAME;
  for (const part of message.parts) {
    if (part.type === 'text') height += textHeight(shapeOf(part, part.text), width) + BLANK_HEIGHT;
    else if (part.type === 'source-url') sources++;
    else if (part.type === 'file') files++;
    else if (part.type !== 'step-start') height += LINE_PART;
  }
  // A reply without a source says so in a line.
  height += sources > 0 ? LIST_TITLE + Math.min(sources, MAX_SOURCE_ROWS) * LIST_ROW : LINE_PART;
  if (files > 0) height += LIST_TITLE + files * LIST_ROW;
  return message.error ? height + 2 * LINE_PART : height;
}

/**
 * Returns the estimated shape of a text, computed once per part. A part that changes becomes
 * another object.
 */
function shapeOf(owner: MessagePart | MessageView, text: string): TextShape {
  const known = shapes.get(owner);
  if (known) return known;
  const sample = text.slice(0, SAMPLE_LENGTH);
  let breaks = 0;
  let blankLines = 0;
  for (let at = sample.indexOf('\n'); at >= 0; at = sample.indexOf('\n', at + 1)) {
    breaks++;
    if (sample.charCodeAt(at + 1) === 10) blankLines++;
  }
  const share = text.length / Math.max(1, sample.length);
  const [lines, blank] = [1 + breaks * share, blankLines * share];
  const shape = { characters: text.length, lines, blankLines: blank };
  shapes.set(owner, shape);
  return shape;
}

function textHeight({ characters, lines, blankLines }: TextShape, width: number): number {
  const written = Math.max(1, lines - blankLines);
  const perLine = Math.max(8, width / CHARACTER_WIDTH);
  // The last row of a wrapped line is half full on average.
  const rows = Math.max(written, characters / perLine + Math.min(written, 1) / 2);
  const broken = characters / written > perLine / 2 ? written / 4 : 0;
  return (rows + broken) * LINE_HEIGHT + blankLines * BLANK_HEIGHT;
}
