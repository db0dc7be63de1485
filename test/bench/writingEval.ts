/** Asks the questions of a set as people write them: with a spelling mistake, or within a longer message. */
import messages from './retrieval/messages.json';
import type { QuestionSet } from './retrievalEval';

/**
 * The ways in which a question is written: as it is in its set, with one mistake in its longest plain word, or within one
 * of 40 messages with a greeting, a story, or what the person works with. Nothing is chosen on the closed messages.
 */
export const writingForms = ['plain', 'misspelt', 'open message', 'closed message'] as const;
export type WritingForm = (typeof writingForms)[number];

/** Returns a number that depends on the text only (FNV-1a). */
function numberOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
  }
  return hash;
}

/** A word of five letters or more that is no part of a name of code, a path or an address. */
const plainWord = /(?<![\w`.\-/@$:])[A-Za-z][a-z]{4,}(?![\w`.\-/(:])/g;

/** Swaps two letters of the longest plain word, or leaves out, doubles or changes one. The first letter stays. */
function misspelt(question: string): string {
  const [word] = [...question.matchAll(plainWord)].toSorted(
    ([one], [other]) => other.length - one.length,
  );
  if (!word) return question;
  const [text] = word;
  const number = numberOf(question);
  const at = 1 + ((number >>> 4) % (text.length - 2));
  const [before, letter = '', next = '', after] = [
    text.slice(0, at),
    text[at],
    text[at + 1],
    text.slice(at + 2),
  ];
  const mistakes = [
    next + letter,
    next,
    letter + letter + next,
    String.fromCharCode(97 + ((letter.charCodeAt(0) - 96) % 26)) + next,
  ];
  const wrong = before + (mistakes[number % mistakes.length] ?? '') + after;
  return question.slice(0, word.index) + wrong + question.slice(word.index + text.length);
}

/** Puts a question into one of the messages, with a small first letter and without its mark. */
function within(templates: readonly string[], question: string): string {
  const template = templates[numberOf(question) % templates.length] ?? '{q}';
  const start = /^(?:[A-Z][a-z]|[AI] )/.test(question) ? question[0]?.toLowerCase() : question[0];
  const inside = (start ?? '') + question.slice(1).replace(/[?.!]+\s*$/, '');
  return template.replace('{q}', () => inside);
}

/** Returns the questions of a set in another way of writing. The first questions of threads stay. */
export function writtenAs(form: WritingForm, set: QuestionSet): QuestionSet {
  const write = (question: string): string => {
    if (form === 'plain') return question;
    if (form === 'misspelt') return misspelt(question);
    return within(form === 'open message' ? messages.open : messages.closed, question);
  };
  return {
    answerable: set.answerable.map((one) => ({ ...one, q: write(one.q) })),
    unanswerable: set.unanswerable.map(write),
    followups: set.followups.map((one) => ({ ...one, follow: write(one.follow) })),
    withCode: set.withCode.map((one) => ({ ...one, q: write(one.q) })),
  };
}
