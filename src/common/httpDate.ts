/** Two-digit years of the obsolete RFC 850 form, such as `Sunday, 06-Nov-94 08:49:37 GMT`. */
const shortYear = /(\d{1,2}-[A-Za-z]{3}-)(\d\d)(?=\s)/;

/** A date that names its zone: by letters, as `GMT`, or by an offset. */
const zoned = /(?:[A-Za-z]|[+-]\d\d:?\d\d)$/;

/**
 * Reads an HTTP date in any of its three forms. All of them are in UTC, also the one of `asctime`,
 * which names no zone and which `Date.parse` alone would take for a time of this machine's zone.
 * @param now resolves two-digit years: to the century in which they are at most 50 years ahead.
 * @returns milliseconds since the epoch; undefined for what is no date with a time.
 * @see RFC 9110 § 5.6.7
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  // A date has a month and a time in it; Date.parse alone would take "1.5" and "-1" for dates.
  if (!/[A-Za-z]{3}.*\d\d:\d\d:\d\d/.test(text)) return undefined;
  const trimmed = text.trim();
  const whole = trimmed.replace(
    shortYear,
    (_, day: string, year: string) => `${day}${fullYear(Number(year), now)}`,
  );
  const time = Date.parse(zoned.test(whole) ? whole : `${whole} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

function fullYear(year: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
}
