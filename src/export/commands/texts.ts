/** How an export is put into words, in the tree, the status bar and notifications alike. */
import type { Translate } from '../../common/errors';
import { parseUrl } from '../../common/parseUrl';
import { LOCAL_API, type ExportRecord } from '../../staticExport/exportRecord';
import type { ExportView } from '../../staticExport/exports';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this a countdown shows its seconds. */
const CLOSE_MS = 5 * MINUTE;

/** What joins the pieces of a line. */
const SEPARATOR = ' · ';

/** `45 s`, `3 min`, `1 h 5 min`, `2 d 3 h`; never more than two units. */
export function durationText(ms: number, t: Translate): string {
  const rest = Math.max(0, ms);
  if (rest < MINUTE) return t('{0} s', Math.floor(rest / SECOND));
  if (rest < HOUR) return t('{0} min', Math.floor(rest / MINUTE));
  if (rest < DAY) {
    const minutes = Math.floor((rest % HOUR) / MINUTE);
    const hours = Math.floor(rest / HOUR);
    return minutes === 0 ? t('{0} h', hours) : t('{0} h {1} min', hours, minutes);
  }
  const hours = Math.floor((rest % DAY) / HOUR);
  const days = Math.floor(rest / DAY);
  return hours === 0 ? t('{0} d', days) : t('{0} d {1} h', days, hours);
}

/** As {@link durationText}, with seconds (`4:59`) once it is close. */
export function countdownText(ms: number, t: Translate): string {
  if (ms >= CLOSE_MS) return durationText(ms, t);
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `118 pages`, `118 of 300 pages`; undefined where the service told no number. */
export function pagesText({ record, totalPages }: ExportView, t: Translate): string | undefined {
  const { pages } = record;
  if (pages === undefined) return undefined;
  if (totalPages !== undefined && totalPages >= pages && record.outcome === 'running') {
    return t('{0} of {1} pages', pages, totalPages);
  }
  return pages === 1 ? t('1 page') : t('{0} pages', pages);
}

/** `42 %`, rounded down, so that 100 % is only said at the end. */
export function percentText({ percent }: ExportView, t: Translate): string | undefined {
  return percent === undefined ? undefined : t('{0} %', Math.floor(percent));
}

/** When the newest link expires, as far as it is known. */
export function linkExpiry({ link, record }: ExportView): number | undefined {
  return link ? link.expiresAt : record.linkExpiresAt;
}

/** `link: 42 min left`, `link expired`; undefined where there is no link that anyone knows of. */
export function linkText(view: ExportView, now: number, t: Translate): string | undefined {
  const expiresAt = linkExpiry(view);
  if (expiresAt === undefined) return view.link && t('link without an end');
  return expiresAt <= now
    ? t('link expired')
    : t('link: {0} left', countdownText(expiresAt - now, t));
}

/** The job's state in one phrase: the service's own word for what is under way. */
export function stateText(view: ExportView, now: number, t: Translate): string {
  const { record, watch } = view;
  switch (record.outcome) {
    case 'completed':
      return t('completed');
    case 'failed':
      return t('failed');
    case 'unwatchable':
      return t('cannot be watched');
    case 'running':
      break;
  }
  const status = record.status ?? t('started');
  switch (watch.name) {
    case 'idle':
      return t('{0}, not watched', status);
    case 'watching':
      return status;
    case 'waiting':
      return t('waiting: next try in {0}', durationText(roundUp(watch.until - now), t));
    case 'stalled':
      return t('{0}, no change for {1}', status, durationText(now - watch.since, t));
  }
}

/** The line beside an export's name: first what is acted upon, as a narrow view cuts the rest. */
export function exportLine(view: ExportView, now: number, t: Translate): string {
  const { outcome } = view.record;
  return joined([
    stateText(view, now, t),
    outcome === 'completed' ? linkText(view, now, t) : undefined,
    outcome === 'running' ? percentText(view, t) : undefined,
    pagesText(view, t),
    timeText(view, now, t),
  ]);
}

/** What a progress notification says below its title. */
export function progressLine(view: ExportView, now: number, t: Translate): string {
  const { watch } = view;
  if (watch.name === 'waiting') {
    const seconds = durationText(roundUp(watch.until - now), t);
    return joined([t('waiting: {0}', watch.error.message), t('next try in {0}', seconds)]);
  }
  return joined([stateText(view, now, t), pagesText(view, t), percentText(view, t)]);
}

/** What the status bar says about the jobs that are watched; undefined while there are none. */
export function statusBarText(
  views: readonly ExportView[],
  t: Translate,
): { readonly text: string; readonly spoken: string } | undefined {
  const watched = views.filter(({ watch }) => watch.name !== 'idle');
  const [only] = watched;
  if (!only) return undefined;
  const isWaiting = watched.every(({ watch }) => watch.name === 'waiting');
  const icon = isWaiting ? '$(warning)' : '$(sync~spin)';
  if (watched.length > 1) {
    const count = t('{0} exports', watched.length);
    return { text: `${icon} ${count}`, spoken: t('{0} static exports are watched', count) };
  }
  const parts = [percentText(only, t), pagesText(only, t)];
  return {
    text: `${icon} ${joined([[t('Export'), parts[0]].filter(Boolean).join(' '), parts[1]])}`,
    spoken: joined([t('Static export of {0}', only.record.exportDomain), ...parts]),
  };
}

/** The export API's host, as a person knows it. */
export function apiName({ apiUrl }: Pick<ExportRecord, 'apiUrl'>, t: Translate): string {
  if (apiUrl === LOCAL_API) return t('the local docs service');
  return parseUrl(apiUrl)?.host ?? apiUrl;
}

/** Milliseconds until a text about the export changes by itself; undefined for never. */
export function nextChangeMs(view: ExportView, now: number): number | undefined {
  const { record, watch } = view;
  if (record.outcome === 'running') {
    if (watch.name === 'waiting') return SECOND;
    return watch.name === 'idle' ? undefined : nextUnit(now - record.startedAt);
  }
  const expiresAt = record.outcome === 'completed' ? linkExpiry(view) : undefined;
  if (expiresAt === undefined || expiresAt <= now) return undefined;
  return expiresAt - now <= HOUR ? SECOND : MINUTE;
}

/** As it is in labels and lines: `$(name)` would become an icon. */
export function plain(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** The pieces that there are, in one line. */
export function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(SEPARATOR);
}

function timeText({ record, watch }: ExportView, now: number, t: Translate): string | undefined {
  if (record.endedAt !== undefined) return durationText(record.endedAt - record.startedAt, t);
  // Of a job that nobody watches it is not known whether it still runs.
  return watch.name === 'idle' ? undefined : durationText(now - record.startedAt, t);
}

const nextUnit = (age: number): number => (age < MINUTE ? SECOND : MINUTE);
const roundUp = (ms: number): number => Math.ceil(Math.max(0, ms) / SECOND) * SECOND;
