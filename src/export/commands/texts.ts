/** Texts about an export, shared by the tree, the status bar and the notifications. */
import { joined } from '../../common/text/strings';
import type { Translate } from '../../common/errors';
import { parseUrl } from '../../shared/links';
import { durationText, numberText, pageCountText, sizeText } from '../../shared/units';
import type { UnpackedBundle } from '../archive/unpack';
import type { DownloadProgress } from '../download/bundleDownload';
import { isExpired, type BundleLink } from '../download/bundleLink';
import type { ExportView } from '../job/exports';
import { LOCAL_API, type ExportRecord } from '../job/record';
import type { PageProgress } from '../workerTask';
import { resultLines } from './resultTexts';
import type { TaskProgress } from '../../common/windowUi';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A countdown shows seconds below this limit. */
const CLOSE_MS = 5 * MINUTE;

/** Returns a duration like {@link durationText}, or as `4:59` below five minutes. */
export function countdownText(ms: number, t: Translate): string {
  if (ms >= CLOSE_MS) return durationText(ms, t);
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns `118 pages` or `118 of 300 pages`, or undefined if the service gave no number. */
export function pagesText({ record, totalPages }: ExportView, t: Translate): string | undefined {
  const { pages } = record;
  if (pages === undefined) return undefined;
  if (totalPages !== undefined && totalPages >= pages && record.outcome === 'running') {
    return t('{0} of {1} pages', numberText(pages), numberText(totalPages));
  }
  return pageCountText(pages, t);
}

/** Returns how far a task is that goes through the pages of a site. */
export function pageProgress({ pages, totalPages }: PageProgress, t: Translate): TaskProgress {
  return {
    message: t('{0} of {1} pages', numberText(pages), numberText(totalPages)),
    percent: totalPages === 0 ? 0 : (pages / totalPages) * 100,
  };
}

/** Returns `42 %`. It is rounded down, so that 100 % appears only at the end. */
function percentText({ percent }: ExportView, t: Translate): string | undefined {
  return percent === undefined ? undefined : t('{0} %', Math.floor(percent));
}

/** Returns when the newest link expires, or undefined if that is unknown. */
export function linkExpiry({ link, record }: ExportView): number | undefined {
  return link ? link.expiresAt : record.linkExpiresAt;
}

/** Returns `link: 42 min left` or `link expired`, or undefined if no link is known. */
export function linkExpiryText(view: ExportView, now: number, t: Translate): string | undefined {
  const expiresAt = linkExpiry(view);
  if (expiresAt === undefined) return view.link && t('link without expiry');
  return expiresAt <= now
    ? t('link expired')
    : t('link: {0} left', countdownText(expiresAt - now, t));
}

/** Returns a sentence on when a new link expires. A link that is new and has expired shows that this machine's clock is wrong. */
export function newLinkText(link: BundleLink, now: number, t: Translate): string {
  if (link.expiresAt === undefined) return t('The service didn’t say when the link expires.');
  if (isExpired(link, now)) {
    return t(
      'By the clock of this machine, the link has expired. Check the clock, then get a new link.',
    );
  }
  return t('The link expires in {0}.', durationText(link.expiresAt - now, t));
}

/** Returns the job's state in one phrase. For a running job it is the service's own word. */
function stateText(view: ExportView, now: number, t: Translate): string {
  const { record, watch } = view;
  switch (record.outcome) {
    case 'completed':
      return t('completed');
    case 'failed':
      return t('failed');
    case 'unwatchable':
      return t('can’t be tracked');
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
      return t('waiting, next try in {0}', durationText(roundUp(watch.until - now), t));
    case 'stalled':
      return t('{0}, no change for {1}', status, durationText(now - watch.since, t));
  }
}

/** Returns the line beside an export's name. The important parts come first, since a narrow view cuts the rest. */
export function exportLine(view: ExportView, now: number, t: Translate): string {
  const { outcome } = view.record;
  return joined([
    stateText(view, now, t),
    ...(outcome === 'completed' ? resultLines(view.record, t).map(({ short }) => short) : []),
    outcome === 'completed' ? linkExpiryText(view, now, t) : undefined,
    outcome === 'running' ? percentText(view, t) : undefined,
    pagesText(view, t),
    timeText(view, now, t),
  ]);
}

/** Returns the line below the title of a progress notification. */
export function progressLine(view: ExportView, now: number, t: Translate): string {
  const { watch } = view;
  if (watch.name === 'waiting') {
    const seconds = durationText(roundUp(watch.until - now), t);
    return joined([t('waiting: {0}', watch.error.message), t('next try in {0}', seconds)]);
  }
  return joined([stateText(view, now, t), pagesText(view, t), percentText(view, t)]);
}

/** Returns the status bar's text about the watched jobs, or undefined if there are none. */
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
    return { text: `${icon} ${count}`, spoken: t('Watching {0}', count) };
  }
  const parts = [percentText(only, t), pagesText(only, t)];
  return {
    text: `${icon} ${joined([[t('Export'), parts[0]].filter(Boolean).join(' '), parts[1]])}`,
    spoken: joined([t('Static export of {0}', only.record.exportDomain), ...parts]),
  };
}

/** Returns the name of an export API for users: its host. */
export function apiName({ apiUrl }: Pick<ExportRecord, 'apiUrl'>, t: Translate): string {
  if (apiUrl === LOCAL_API) return t('the local docs service');
  return parseUrl(apiUrl)?.host ?? apiUrl;
}

/** Returns the milliseconds until a text about the export changes with time, or undefined for never. */
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

/** Returns a date with its time, such as `Jan 1, 2026, 10:00 AM`. */
export function dateTimeText(time: number, language: string): string {
  // A service may send a time beyond the range of dates.
  if (Math.abs(time) > 8.64e15) return '?';
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    time,
  );
}

function timeText({ record, watch }: ExportView, now: number, t: Translate): string | undefined {
  if (record.endedAt !== undefined) return durationText(record.endedAt - record.startedAt, t);
  // An unwatched job may have ended long ago.
  return watch.name === 'idle' ? undefined : durationText(now - record.startedAt, t);
}

const nextUnit = (age: number): number => (age < MINUTE ? SECOND : MINUTE);
const roundUp = (ms: number): number => Math.ceil(Math.max(0, ms) / SECOND) * SECOND;

/** Returns how far a download is, as a text and, if the size is known, in percent. */
export function downloadText(
  { receivedBytes, totalBytes, bytesPerSecond, state }: DownloadProgress,
  t: Translate,
): TaskProgress {
  const received = sizeText(receivedBytes);
  const amount =
    totalBytes === undefined ? received : t('{0} of {1}', received, sizeText(totalBytes));
  const percent = totalBytes ? (receivedBytes / totalBytes) * 100 : undefined;
  switch (state) {
    case 'receiving':
      return { message: t('{0}, {1}/s', amount, sizeText(bytesPerSecond)), percent };
    case 'renewing':
      return { message: t('{0}, renewing the link', amount), percent };
    case 'waiting':
      return { message: t('{0}, waiting for the server', amount), percent };
  }
}

/** Returns what was unpacked, and where. */
export function unpackedText(
  { files, bytes }: Pick<UnpackedBundle, 'files' | 'bytes'>,
  target: string,
  t: Translate,
): string {
  const size = sizeText(bytes);
  return files === 1
    ? t('Unpacked 1 file ({0}) into {1}.', size, target)
    : t('Unpacked {0} files ({1}) into {2}.', numberText(files), size, target);
}
