/** Lines for the person whose agent calls a tool: what it does, and what is about to be sent. */
import type { Translate } from '../common/errors';
import { cutText } from '../common/text/strings';
import { fencedCode, textToMarkdown } from '../chat/history/embeddedMarkdown';
import { plainLine } from '../shared/characters';
import type { SentQuestion } from './sentQuestion';
import type { DocsTarget } from './toolCall';
import {
  type AskInput,
  askInputSchema,
  checkClaimsInputSchema,
  readPageInputSchema,
  searchInputSchema,
  type ToolDefinition,
} from './toolDefinitions';
import { parseInput } from './toolInput';

/** Characters of a question or a query in the line that is shown while a tool runs. */
const MAX_SHOWN_LENGTH = 80;
/** Characters of the code that a confirmation shows. Nobody reads more in a dialog. */
const MAX_SHOWN_CODE = 2000;

/** Texts of a dialog. `markdown` holds everything foreign as code or escaped. */
export interface Confirmation {
  readonly title: string;
  readonly markdown: string;
}

/** Returns a line of plain text that says what a call does. */
export function invocationLine(
  method: ToolDefinition['method'],
  input: unknown,
  translate: Translate,
): string {
  try {
    switch (method) {
      case 'ask':
        return translate('Asking the docs: {0}', shown(parseInput(askInputSchema, input).question));
      case 'search':
        return translate(
          'Searching the docs: {0}',
          shown(parseInput(searchInputSchema, input).query),
        );
      case 'readPage':
        return translate(
          'Reading the docs: {0}',
          shown(parseInput(readPageInputSchema, input).page),
        );
      case 'checkClaims':
        return translate(
          'Checking against the docs: {0}',
          shown(parseInput(checkClaimsInputSchema, input).text),
        );
    }
  } catch {
    // The call itself refuses the input and says why.
    return translate('Asking the docs');
  }
}

/** Returns the question of a call as it was given, or undefined for input that the call refuses. */
export function questionIn(input: unknown): AskInput | undefined {
  try {
    return parseInput(askInputSchema, input);
  } catch {
    return undefined;
  }
}

/** Returns the dialog that shows exactly what is sent, before it spends a credit. */
export function askConfirmation(
  { question, code = '', path, redacted }: SentQuestion,
  { label }: DocsTarget,
  translate: Translate,
): Confirmation {
  const site = plainLine(label);
  const parts = [
    translate(
      'Asking spends a credit of your organization. This question is sent to {0}:',
      textToMarkdown(site),
    ),
    fencedCode(question, 'text'),
  ];
  if (code.trim() !== '') {
    const from = path === undefined ? '' : ` (${textToMarkdown(path)})`;
    parts.push(
      code.length > MAX_SHOWN_CODE
        ? translate('{0} characters of code are sent with it{1}. They begin:', code.length, from)
        : translate('This code is sent with it{0}:', from),
      fencedCode(cutText(code, MAX_SHOWN_CODE), 'text'),
    );
  }
  if (redacted.length > 0) {
    parts.push(translate('Secrets were replaced: {0}.', textToMarkdown(redacted.join(', '))));
  }
  return { title: translate('Ask {0}?', site), markdown: parts.join('\n\n') };
}

function shown(text: string): string {
  const line = plainLine(text);
  return line.length <= MAX_SHOWN_LENGTH ? line : `${cutText(line, MAX_SHOWN_LENGTH - 1)}…`;
}
