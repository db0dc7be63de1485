import { ReportedError } from '../../common/errors';
import type { ReplyLanguage } from '../search/terms';

/** Reasons why a model gave no reply or only the beginning of one. */
export const modelFailures = [
  'no-consent',
  'no-quota',
  'refused',
  'not-found',
  'unreachable',
  'cut-off',
  'other',
] as const;

export type ModelFailure = (typeof modelFailures)[number];

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
  readonly experience: ModelExperience;
  /**
   * Streams the text that the model writes. Ends without an error only if the model has finished.
   * @throws {ModelError} for every failure, or the signal's reason if it aborts.
   */
  stream(messages: readonly ModelMessage[], signal: AbortSignal): AsyncIterable<string>;
}

/** Facts about a model that its earlier replies have shown. */
export interface ModelExperience {
  /** Whether its texts begin within a thought, because its server opens the thought for it. */
  opensThoughts: boolean;
  /** Milliseconds until the first text of its latest request, without thoughts. Undefined before the first one. */
  firstTextMs: number | undefined;
}

/** Returns the experience with a model that hasn't been asked yet. */
export function noExperience(): ModelExperience {
  return { opensThoughts: false, firstTextMs: undefined };
}

/** Windows below this have hardly any space for sections. Such models also write poor search queries. */
const SMALL_WINDOW_TOKENS = 2500;

/** Returns whether a model's window is too small for search queries and many sections. */
export function hasSmallWindow({ maxInputTokens }: { readonly maxInputTokens: number }): boolean {
  return maxInputTokens < SMALL_WINDOW_TOKENS;
}

/** A reader waits this long twice if the model writes search queries before the reply. */
const SLOW_MS = 5000;

/**
 * Returns whether a model should write the reply at once, from the sections of the service's own query, instead of
 * writing search queries first.
 */
export function needsOneCall(model: Pick<Model, 'maxInputTokens' | 'experience'>): boolean {
  const { firstTextMs = 0 } = model.experience;
  return hasSmallWindow(model) || firstTextMs > SLOW_MS;
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
