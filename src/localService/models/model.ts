import { ReportedError } from '../../common/errors';
import type { ReplyLanguage } from '../search/terms';
import type { ModelFailure } from '../server/parentChannel';

/** A message to a model. `system` only has this service's instructions and no text from outside. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** A language model that the reader chose. */
export interface Model {
  /** Name to show, with the host of an endpoint: `llama3.2 at localhost:11434`. */
  readonly label: string;
  /** Maximum tokens of one request. */
  readonly maxInputTokens: number;
  /**
   * Streams the text that the model writes. Ends without an error only if the model has finished.
   * @throws {ModelError} for every failure, or the signal's reason if it aborts.
   */
  stream(messages: readonly ModelMessage[], signal: AbortSignal): AsyncIterable<string>;
}

/** Reasons of failures that this process finds, in addition to the reasons that the host sends. */
type OwnFailure =
  | 'timed-out'
  | 'redirected'
  | 'not-an-api'
  | 'empty'
  | 'too-long'
  | 'echo'
  | 'context-too-long'
  | 'length-limit';

export type ModelErrorCode = ModelFailure | OwnFailure;

/** A failure of a model. The reply shows its message, and the log its code. */
export class ModelError extends ReportedError {
  override readonly name = 'ModelError';

  constructor(
    override readonly code: ModelErrorCode,
    details: ReportedError['details'] = {},
  ) {
    super(code, details);
  }
}

/** Texts for the causes, shown in parentheses in sentences such as "The model … didn't answer (…)". */
const english: Readonly<Record<ModelErrorCode, string>> = {
  'no-consent': 'VS Code has no permission to use it',
  'no-quota': 'its quota is used up, or it gets too many requests',
  refused: 'it refused the request',
  'not-found': 'no such model there',
  unreachable: "can't connect",
  'cut-off': 'the connection ended too early',
  other: 'it had an error',
  'timed-out': 'timed out',
  redirected: 'it redirects to another address',
  'not-an-api': 'it is not an OpenAI-compatible API',
  empty: 'the reply was empty',
  'too-long': 'the reply was too long',
  echo: 'it repeated its instructions',
  'context-too-long': 'the question is too long for it',
  'length-limit': 'it reached its own limit of length',
};

const german: Readonly<Record<ModelErrorCode, string>> = {
  'no-consent': 'VS Code darf es nicht benutzen',
  'no-quota': 'sein Kontingent ist aufgebraucht, oder es bekommt zu viele Anfragen',
  refused: 'es lehnt die Anfrage ab',
  'not-found': 'dort gibt es kein solches Modell',
  unreachable: 'keine Verbindung',
  'cut-off': 'die Verbindung endete zu früh',
  other: 'es meldet einen Fehler',
  'timed-out': 'Zeitüberschreitung',
  redirected: 'es leitet an eine andere Adresse weiter',
  'not-an-api': 'dort ist keine OpenAI-kompatible API',
  empty: 'die Antwort war leer',
  'too-long': 'die Antwort war zu lang',
  echo: 'es hat seine Anweisungen wiederholt',
  'context-too-long': 'die Frage ist zu lang dafür',
  'length-limit': 'seine eigene Längengrenze ist erreicht',
};

interface WriterTexts {
  /** Returns the line above the quotes that replace a reply of the model. */
  fellBack(label: string, code: ModelErrorCode): string;
  /** Returns the line below a reply that is cut off. */
  cutOff(label: string, code: ModelErrorCode): string;
  /** Returns the line below a reply that cites no section. */
  readonly uncited: string;
}

/** Lines that the service adds to the text of a model. */
export const writerTexts: Readonly<Record<ReplyLanguage, WriterTexts>> = {
  en: {
    fellBack: (label, code) =>
      `*The model ${label} didn't answer (${english[code]}). These are quotes from the docs.*`,
    cutOff: (label, code) =>
      `*The reply is cut off here: the model ${label} didn't finish (${english[code]}).*`,
    uncited: '*The model cited no page for this reply. Check it against the docs.*',
  },
  de: {
    fellBack: (label, code) =>
      `*Das Modell ${label} hat nicht geantwortet (${german[code]}). Das hier sind Zitate aus der Dokumentation.*`,
    cutOff: (label, code) =>
      `*Die Antwort bricht hier ab: Das Modell ${label} wurde nicht fertig (${german[code]}).*`,
    uncited:
      '*Das Modell hat zu dieser Antwort keine Seite angegeben. Bitte mit der Dokumentation vergleichen.*',
  },
};

/** Returns the error as a `ModelError`, so that every failure has a message. */
export function toModelError(error: unknown): ModelError {
  return error instanceof ModelError ? error : new ModelError('other', { cause: error });
}
