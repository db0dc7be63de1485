/** Lines of the *Exports* tree, without VS Code's types. */
import type { Translate } from '../../common/errors';
import { durationText, sizeText } from '../../shared/units';
import type { OpenedSite } from '../commands/storedSites';
import {
  apiName,
  countdownText,
  exportLine,
  joined,
  linkExpiry,
  pagesText,
  plain,
} from '../commands/texts';
import { describeExportError } from '../exportErrors';
import type { ExportView } from '../job/exports';
import { errorOfRecord } from '../job/record';
import type { RunningPreview } from '../preview/previews';

/** One line of the tree. All texts are plain. */
export interface TreeLine {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly colour?: string;
  /** Value of `viewItem` in the menus of `package.json`. */
  readonly contextValue: string;
  /** Text for screen readers. */
  readonly spoken: string;
}

export interface LineContext {
  readonly now: number;
  readonly translate: Translate;
  /** Language of dates. */
  readonly language: string;
  /** Returns whether this window has a check report of the site. */
  readonly hasReport: (siteFolder: string) => boolean;
}

/** Returns the line of an export. */
export function exportTreeLine(view: ExportView, context: LineContext): TreeLine {
  const { record } = view;
  const { translate: t, now } = context;
  const label = plain(record.exportDomain);
  const description = plain(exportLine(view, now, t));
  return {
    label,
    description,
    tooltip: details(view, context)
      .map(({ title, text }) => `${title}: ${text}`)
      .join('\n'),
    ...iconOf(view),
    contextValue: contextValueOf(view, context),
    spoken: t('Static export of {0}', joined([label, description])),
  };
}

/** One row below an export. `name` identifies it there. */
export interface Detail {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** Returns the known details of an export, the most important ones first. */
export function details(view: ExportView, context: LineContext): readonly Detail[] {
  const { record, watch } = view;
  const { translate: t } = context;
  const failure = errorOfRecord(record);
  const trouble = watch.name === 'waiting' ? watch.error.message : undefined;
  const rows: readonly (readonly [name: string, title: string, text: string | undefined])[] = [
    ['error', t('Error'), failure && describeExportError(failure, t).message],
    ['trouble', t('Waiting'), trouble],
    ['status', t('Status'), record.status],
    ['pages', t('Pages'), pagesText(view, t)],
    ['started', t('Started'), dateText(record.startedAt, context)],
    ['ended', t('Ended'), endText(view, context)],
    ['linkExpires', t('Link valid until'), linkEnd(view, context)],
    ['archive', t('Archive'), record.archive?.path],
    ['archiveSize', t('Size'), record.archive && sizeText(record.archive.sizeBytes)],
    ['sha256', t('SHA-256'), record.archive?.sha256],
    ['folder', t('Folder'), record.siteFolder],
    ['api', t('Export API'), apiName(record, t)],
    ['job', t('Job'), record.jobId],
  ];
  return rows.flatMap(([name, title, text]) =>
    text === undefined || text === '' ? [] : [{ name, title, text: plain(text) }],
  );
}

export function detailTreeLine({ title, text }: Detail): TreeLine {
  return {
    label: title,
    description: text,
    tooltip: text,
    contextValue: 'detail',
    spoken: `${title}: ${text}`,
  };
}

/** Returns the line of a site that was opened from disk. */
export function siteTreeLine(site: OpenedSite, context: LineContext): TreeLine {
  const label = plain(site.label);
  return {
    label,
    description: plain(site.folder),
    tooltip: site.folder,
    icon: 'folder-opened',
    contextValue: `site;site${context.hasReport(site.folder) ? ';report' : ''}`,
    spoken: context.translate('Opened bundle {0}', label),
  };
}

/** Returns the line of a running preview. */
export function previewTreeLine(preview: RunningPreview, context: LineContext): TreeLine {
  const label = plain(preview.label);
  const { host } = new URL(preview.url);
  return {
    label: context.translate('Preview of {0}', label),
    description: host,
    tooltip: preview.siteFolder,
    icon: 'broadcast',
    colour: 'charts.green',
    contextValue: 'preview',
    spoken: context.translate('Preview of {0} at {1}', label, host),
  };
}

/** Returns the words, separated by `;`, that the menus in `package.json` match. */
function contextValueOf(view: ExportView, { hasReport }: LineContext): string {
  const { record, watch } = view;
  const isOpen = record.outcome === 'running' || record.outcome === 'unwatchable';
  return [
    'export',
    record.outcome,
    ...(watch.name !== 'idle' ? ['watching'] : isOpen ? ['watchable'] : []),
    ...(record.errorCode === 'unknown-job' ? ['gone'] : []),
    ...(view.link ? ['link'] : []),
    ...(record.archive ? ['archive'] : []),
    ...(record.siteFolder === undefined ? [] : ['site']),
    ...(record.siteFolder !== undefined && hasReport(record.siteFolder) ? ['report'] : []),
  ].join(';');
}

function iconOf({ record, watch }: ExportView): {
  readonly icon: string;
  readonly colour?: string;
} {
  switch (record.outcome) {
    case 'completed':
      return { icon: 'pass', colour: 'testing.iconPassed' };
    case 'failed':
      return { icon: 'error', colour: 'testing.iconFailed' };
    case 'unwatchable':
      return { icon: 'question', colour: 'problemsWarningIcon.foreground' };
    case 'running':
      break;
  }
  switch (watch.name) {
    case 'idle':
      return { icon: 'eye-closed', colour: 'disabledForeground' };
    case 'watching':
      return { icon: 'sync~spin', colour: 'charts.blue' };
    case 'waiting':
      return { icon: 'warning', colour: 'problemsWarningIcon.foreground' };
    case 'stalled':
      return { icon: 'watch', colour: 'problemsWarningIcon.foreground' };
  }
}

function endText({ record }: ExportView, context: LineContext): string | undefined {
  const { endedAt, startedAt } = record;
  if (endedAt === undefined) return undefined;
  const duration = durationText(endedAt - startedAt, context.translate);
  return context.translate('{0}, after {1}', dateText(endedAt, context), duration);
}

function linkEnd(view: ExportView, context: LineContext): string | undefined {
  const { translate: t, now } = context;
  const expiresAt = linkExpiry(view);
  if (expiresAt === undefined) return view.link && t('unknown');
  const date = dateText(expiresAt, context);
  return expiresAt <= now
    ? t('{0} (expired)', date)
    : t('{0} ({1} left)', date, countdownText(expiresAt - now, t));
}

function dateText(time: number, { language }: LineContext): string {
  // A service may send a time beyond the range of dates.
  if (Math.abs(time) > 8.64e15) return '?';
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(time);
}
