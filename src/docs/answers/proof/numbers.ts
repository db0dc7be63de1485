/** Reads and compares the numbers of prose with their units, in English and German notation. */

type UnitKind = 'time' | 'bytes' | 'percent';

export interface Unit {
  readonly kind: UnitKind;
  /** Number of seconds, bytes or percent in one unit. */
  readonly size: number;
}

export interface Quantity {
  /** Possible values. `10.000` has two, because English and German read it differently. */
  readonly values: readonly number[];
  readonly unit?: Unit;
  /** Whether the number counts something instead of having a unit, as in "60 requests". */
  readonly isCount?: boolean;
  readonly written: string;
}

const time = (size: number): Unit => ({ kind: 'time', size });
const bytes = (size: number): Unit => ({ kind: 'bytes', size });
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const unitWords: readonly (readonly [Unit, string])[] = [
  [time(1e-3), 'ms msec millisecond milliseconds millisekunde millisekunden'],
  [time(1), 's sec secs second seconds sekunde sekunden sek'],
  [time(MINUTE), 'min mins minute minutes minuten'],
  [time(HOUR), 'h hr hrs hour hours stunde stunden std'],
  [time(DAY), 'd day days tag tage tagen'],
  [time(7 * DAY), 'week weeks woche wochen'],
  [time(30 * DAY), 'month months monat monate monaten'],
  [time(365 * DAY), 'year years jahr jahre jahren'],
  [bytes(1), 'byte bytes'],
  [bytes(1e3), 'kb kib kilobyte kilobytes'],
  [bytes(1e6), 'mb mib megabyte megabytes'],
  [bytes(1e9), 'gb gib gigabyte gigabytes'],
  [bytes(1e12), 'tb tib terabyte terabytes'],
  [{ kind: 'percent', size: 1 }, '% percent prozent'],
];

const units = new Map<string, Unit>();
for (const [unit, words] of unitWords) for (const word of words.split(' ')) units.set(word, unit);

/** Returns the unit that a word means, or undefined. */
export function unitOf(word: string): Unit | undefined {
  return units.get(word.toLowerCase());
}

/** Pattern of a unit after a number. Longer words come first, so that `min` does not match as another unit. */
export const unitPattern = [...units.keys()]
  .sort((one, other) => other.length - one.length)
  .join('|');

const counts = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const germanCounts = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(
  ' ',
);
const numberWords = new Map<string, number>([
  ...counts.map((word, value): [string, number] => [word, value]),
  ...germanCounts.map((word, value): [string, number] => [word, value]),
  ['once', 1],
  ['twice', 2],
  ['thrice', 3],
  ['einmal', 1],
  ['zweimal', 2],
  ['dreimal', 3],
  ['half', 0.5],
  ['dozen', 12],
  ['fifteen', 15],
  ['twenty', 20],
  ['thirty', 30],
  ['sixty', 60],
  ['hundred', 100],
  ['thousand', 1000],
]);

/** Returns the value of a number that is written as a word, or undefined. */
export function numberWord(word: string): number | undefined {
  return numberWords.get(word.toLowerCase());
}

/** Returns the values that a number can have, written as in `10,000`, `10.000`, `1.5` or `1,5`. */
export function valuesOf(written: string): number[] {
  const plain = written.replace(/[\s\u00a0\u202f_']/g, '');
  const values = new Set<number>();
  const isGrouped = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.exec(plain);
  if (isGrouped) values.add(Number(plain.replace(/[.,]/g, '')));
  if (/^\d+$/.test(plain)) values.add(Number(plain));
  if (/^\d+[.,]\d+$/.test(plain)) values.add(Number(plain.replace(',', '.')));
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(plain)) values.add(Number(plain.replaceAll(',', '')));
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(plain)) {
    values.add(Number(plain.replaceAll('.', '').replace(',', '.')));
  }
  return [...values];
}

/**
 * Returns whether two quantities are the same. A bare number can have any of the units that its
 * surroundings name (`timeout_ms: 30000` is 30 s). If they name none, only the value counts.
 */
export function isSameQuantity(
  one: Quantity,
  other: Quantity,
  unitsNearOne: readonly Unit[],
  unitsNearOther: readonly Unit[],
): boolean {
  if (!one.unit && !other.unit) return share(one.values, other.values);
  if (one.unit && other.unit) return isSameIn(one, one.unit, other, other.unit);
  if (one.isCount === true || other.isCount === true) return false;
  const ones = one.unit ? [one.unit] : unitsNearOne;
  const others = other.unit ? [other.unit] : unitsNearOther;
  if (ones.length === 0 || others.length === 0) return share(one.values, other.values);
  return ones.some((unit) => others.some((further) => isSameIn(one, unit, other, further)));
}

function share(one: readonly number[], other: readonly number[]): boolean {
  return one.some((value) => other.includes(value));
}

function isSameIn(one: Quantity, unit: Unit, other: Quantity, further: Unit): boolean {
  if (unit.kind !== further.kind) return false;
  const ratio = unit.kind === 'bytes' ? bytesRatios(unit, further) : [unit.size / further.size];
  return one.values.some((value) =>
    other.values.some((wanted) =>
      ratio.some((factor) => Math.abs(value * factor - wanted) <= Math.abs(wanted) * 1e-9),
    ),
  );
}

/** Returns the possible ratios of two units, because 1 MB has 1,000 or 1,024 KB. */
function bytesRatios(one: Unit, other: Unit): number[] {
  const ratio = one.size / other.size;
  return [ratio, 1024 ** Math.round(Math.log(ratio) / Math.log(1000))];
}
