import { termsOf } from '../search/terms';

/** Kinds of a question, which say what its answer must have. A question can be of several kinds. */
export interface QuestionKind {
  /** Asks for a number: how many, how long, which limit. */
  readonly isAmount: boolean;
  /** Kind of unit that the number has, if the question says so. */
  readonly unit?: 'time' | 'bytes';
  /** Terms that follow "how many". The answer has a number right before one of them. */
  readonly counted: readonly string[];
  /** Asks for a time or an event: when, until when. */
  readonly isWhen: boolean;
  readonly isDefault: boolean;
  /** Asks what something is or means. */
  readonly isDefinition: boolean;
  /** Asks how to do something. */
  readonly isHowTo: boolean;
  /** Asks whether something is so. */
  readonly isYesNo: boolean;
  readonly isReason: boolean;
  /** Asks for a name: which option, what command. */
  readonly isName: boolean;
  /** Asks for all of a kind: which events are there. */
  readonly isList: boolean;
}

const time =
  /\b(?:how (?:long|often|old|soon|fresh)|time ?outs?|how much time|expir\w*|expiry|lifetime|retention|kept|duration|wie (?:lange|oft|schnell|alt)|gültig\w*|dauert?|frist|ablauf\w*)\b/i;
const bytes =
  /\b(?:how (?:large|big)|file size|body size|payload size|biggest|largest|wie groß|dateigröße|größte[nrs]?)\b/i;
const amount =
  /\b(?:how (?:many|much|long|large|big|often|old|far|high)|number of|limits?|max(?:imum)?|min(?:imum)?|at most|at least|quota|size|port|(?:which|what) (?:[\w.]+ )?versions?|welche (?:[\w.]+-?)?version|threshold|cost|price|wie (?:viele?|lange|groß|oft|hoch|alt)|anzahl|höchstens|mindestens|maximal\w*|minimal\w*|grenze|limit|kostet?)\b/i;
const counting = /\b(?:how many|wie viele?)\s+((?:[\p{L}\p{N}-]+\s*){1,3})/iu;
const when = /\b(?:when|wann)\b/i;
const isDefaultQuestion =
  /\b(?:defaults?|by default|out of the box|if i (?:don'?t|do not) (?:set|pass|specify)|unless|standard(?:mäßig|wert)?|vorgabe|voreinstellung|voreingestellt)\b/i;
const definition =
  /^\s*(?:so |and |und )?(?:what(?:'s| is| are)? (?:an? |the )?(?:[\p{L}\p{N}_.-]+ ?){1,3}\??\s*$|what do(?:es)? .+ (?:mean|do|stand for)|what(?:'s| is) (?:meant by|the (?:meaning|purpose|point|idea) of)|was (?:ist|sind|bedeutet|heißt|macht)\b|wofür (?:ist|steht)|(?:explain|define|meaning of|erkläre?)\b)/iu;
const howTo =
  /\b(?:how (?:do|can|could|should|would|must|to|does one)|how'd|way to|what(?:'s| is) the (?:best |right |proper )?way|where (?:do|can|should) i|i (?:want|need|would like|have|'d like) to|steps?|wie (?:kann|mache?|muss|soll|lässt|kauf|prüf|wechs|leg|stornier|bekomm|richt|erstell|verwend|nutz|füg|setz|lös|install|aktivier|konfigurier)\w*|womit|wo (?:kann|finde|stelle)|ich (?:möchte|will|muss))\b/i;
const yesNo =
  /^\s*(?:so |and |und |but |aber )?(?:can|could|does|do|did|is|are|am|was|will|would|should|must|may|has|have|kann|können|darf|ist|sind|gibt es|geht|muss|wird|werden|hat|haben|unterstützt|funktioniert|lässt)\b/i;
const reason = /\b(?:why|how come|reason|warum|weshalb|wieso|grund)\b/i;
const name =
  /\b(?:which|what) (?:is the )?(?:name of the )?(?:[\p{L}-]+ )?(?:option|setting|flag|command|header|method|function|hook|event|field|parameter|argument|property|variable|status|code|error|package|module|plugin|library|helper|api|key|scope|role|format|name|class|type|value)s?\b|\bwelche[nrsm]? (?:option|einstellung|befehl|kopfzeile|methode|funktion|ereignis|feld|parameter|variable|status|code|fehler|paket|format|rolle|wert)\w*/iu;

const list =
  /\b(?:(?:which|what) [\p{L}\p{N} -]{2,40}s (?:are there|are available|are supported|exist|can i)\b|are there|(?:list|overview) of|all (?:the )?[\p{L}-]+s\b|welche .{2,40} (?:gibt|sind|kann|können|stehen)|alle [\p{L}-]+n\b)|^\s*(?:the )?[\p{L}\p{N} -]{0,30}\b(?:codes|options|settings|events|formats|values|roles|scopes|statuses|hooks|methods|flags|variables|types|parameters|commands)\b(?: (?:of|for|in) .{1,40})?\s*\??\s*$/iu;

/** Returns the kinds of a question. */
export function questionKind(question: string): QuestionKind {
  const isTime = time.test(question);
  const isBytes = bytes.test(question);
  const isAmount = amount.test(question) || isTime || isBytes;
  return {
    isAmount,
    ...(isTime ? { unit: 'time' as const } : isBytes ? { unit: 'bytes' as const } : {}),
    counted: termsOf(counting.exec(question)?.[1] ?? '').map(({ text }) => text),
    isWhen: when.test(question),
    isDefault: isDefaultQuestion.test(question),
    isDefinition: definition.test(question) && !isAmount,
    isHowTo: howTo.test(question),
    isYesNo: yesNo.test(question),
    isReason: reason.test(question),
    isName: name.test(question),
    isList: list.test(question),
  };
}

const amountUnits = {
  time: /\d[\d.,]*[\s\u00a0-]?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?)\b|\b(?:an hour|a minute|a day|a week|never|forever|immediately|at once|sofort|nie)\b/i,
  bytes: /\d[\d.,]*[\s\u00a0-]?(?:[kmgt]i?b|bytes?|kilobytes?|megabytes?|gigabytes?)\b/i,
};
const numeral =
  /(?<![\p{L}\p{N}_/.-])\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|unlimited|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|unbegrenzt)\b/iu;
const defining =
  /^(?:(?:an?|the|ein|eine|der|die|das) )?[^,;:]{2,50}? (?:is|are|means?|refers? to|lets?|allows?|describes?|represents?|contains?|provides?|holds?|turns?|ist|sind|bedeutet|beschreibt|enthält|lässt)\b/i;
const imperative =
  /^(?:to |um )|^(?:first,? |then,? |simply |just |instead,? )?(?:use|set|call|pass|add|run|send|create|put|import|install|export|configure|enable|disable|define|specify|provide|return|make|write|wrap|register|declare|listen|read|open|choose|select|turn|give|wait|check|compare|rotate|void|validate|upload|start|ask|subscribe|keep|store|define|invoke|attach|mark|override|extend|apply|include|replace|convert|throw|catch|handle|implement|rufen|setzen|verwenden|nutzen|legen|geben|senden|wechseln|speichern|antworten|prüfen|wählen|installieren|fügen|öffnen|laden|merken|lehnen|warten) /i;
const verdict =
  /\b(?:can(?:not|['’]t)?|could|may|must(?: not)?|is(?: not|n['’]t)?|are(?: not|n['’]t)?|do(?:es)?(?: not|n['’]t)|never|always|only|no|not|yes|supported|supports?|allowed|required|optional|automatically|by default|possible|impossible|works?|kann|können|darf|muss|nicht|kein\w*|nur|immer|nie|unterstützt|erlaubt|möglich)\b/i;
const because =
  /\b(?:because|since|so that|in order to|otherwise|therefore|prevents?|avoids?|ensures?|which (?:stops|prevents|catches|means)|due to|as a result|weil|da|damit|sonst|denn|deshalb|verhindert)\b/i;

const enumerating = /[^,]+,[^,]+(?:,[^,]+)*,? (?:and|or|und|oder|sowie) /i;
/** Matches a sentence that says where the answer is instead of giving it. */
const crossReference =
  /\b(?:see|described|listed|lists|explained|covered|documented|siehe|beschrieben|steht|stehen|finden)\b[^.]{0,60}\]\(|\]\([^)]*\)[^.]{0,20}\b(?:says|describes|lists|explains|has|shows|covers)\b/i;

const date =
  /\b(?:19|20)\d\d\b|\b\d{1,2}\.? (?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)/i;
const temporal =
  /\b(?:after|before|within|until|once|when|as soon as|at once|immediately|nach|vor|bis|sobald|innerhalb|sofort|wenn)\b/i;

const numberBefore =
  /(?<![\p{L}\p{N}_/.-])(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)\s+((?:[\p{L}-]+\s*){1,3})/giu;

/** Returns whether a number stands right before one of the terms, as in "16 endpoints". */
function isCounted(terms: readonly string[], sentence: string): boolean {
  for (const [, after = ''] of sentence.matchAll(numberBefore)) {
    if (termsOf(after).some(({ text }) => terms.includes(text))) return true;
  }
  return false;
}

const linkText = /\[([^\]]*)\]\([^)]*\)/g;

/** Returns whether a short sentence has little besides a link, as in "See the [labels page](…)." */
function isMostlyLink(sentence: string): boolean {
  const text = sentence.replace(linkText, '$1');
  if (text.length > 60) return false;
  const linked = [...sentence.matchAll(linkText)].reduce(
    (sum, [, label = '']) => sum + label.length,
    0,
  );
  return linked > 0 && text.length - linked < 25;
}

/** Returns how well the form of a sentence fits the question, as a factor around 1. */
export function formFactor(kind: QuestionKind, sentence: string): number {
  let factor = 1;
  if (kind.isAmount) {
    const hasUnit = kind.unit !== undefined && amountUnits[kind.unit].test(sentence);
    if (hasUnit) factor *= 1.7;
    else factor *= numeral.test(sentence) ? (kind.unit === undefined ? 1.6 : 0.9) : 0.6;
  }
  if (kind.counted.length > 0 && isCounted(kind.counted, sentence)) factor *= 1.5;
  if (kind.isWhen) {
    if (amountUnits.time.test(sentence) || date.test(sentence)) factor *= 1.5;
    else if (!temporal.test(sentence)) factor *= 0.85;
  }
  if (kind.isDefault) factor *= isDefaultQuestion.test(sentence) ? 1.6 : 0.8;
  if (kind.isDefinition && defining.test(sentence)) factor *= 1.35;
  if (kind.isHowTo) {
    if (imperative.test(sentence)) factor *= 1.3;
    else if (sentence.includes('`')) factor *= 1.15;
  }
  if (kind.isYesNo) factor *= verdict.test(sentence) ? 1.2 : 0.85;
  if (kind.isReason && because.test(sentence)) factor *= 1.35;
  if (kind.isList && !enumerating.test(sentence)) return 0;
  if (crossReference.test(sentence) || isMostlyLink(sentence)) factor *= 0.5;
  if (kind.isName && sentence.includes('`')) factor *= 1.2;
  return factor;
}
