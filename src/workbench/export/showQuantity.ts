import { translate } from '../notifications';

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes as people read them, in units of 1000: `4.2 MB`. */
export function showSize(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`;
}

/** A span of time in its two largest units at most: `42 min`, `1 h 5 min`, `40 s`. */
export function showTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return translate('{0} s', seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return translate('{0} min', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return minutes % 60 === 0
      ? translate('{0} h', hours)
      : translate('{0} h {1} min', hours, minutes % 60);
  }
  return translate('{0} days', Math.round(hours / 24));
}
