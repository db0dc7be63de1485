/** What the *Exports* tree shows, without VS Code's types. */
import type { Translate } from '../../common/errors';
import { describeExportError } from '../../staticExport/exportErrors';
import type { ExportView } from '../../staticExport/exports';
import { errorOfRecord } from '../../staticExport/exportRecord';
import { sizeText } from '../../staticExport/sizeText';
import {
  apiName,
  countdownText,
  durationText,
  exportLine,
  joined,
  linkExpiry,
  pagesText,
  plain,
} from './exportTexts';
import type { OpenedSite, RunningPreview } from './openedSites';

/** One line of the tree. Every text is plain. */
export interface TreeLine {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** Name of a codicon, and of a theme colour. */
  readonly icon?: string;
  readonly colour?: string;
  /** `viewItem` of the manifest's menus. */
  readonly contextValue: string;
  /** What a screen reader says. */
  readonly spoken: string;
}

export interface LineContext {
  readonly now: number;
  readonly translate: Translate;
  /** For dates. */
  readonly language: string;
  /** True if a check report of the site root is at hand. */
  readonly hasReport: (siteFolder: string) => boolean;
}

/** The line of an export. */
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

/** One row below an export; `name` is its identity there. */
export interface Detail {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** What is known about an export, in the order in which it matters. */
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

/** The line of a site that was opened from disk. */
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

/** The line of a preview that runs. */
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

/** Names, separated by `;`, that the manifest's menus look for. */
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
  if (expiresAt === undefined) return view.link && t('the service did not say');
  const date = dateText(expiresAt, context);
  return expiresAt <= now
    ? t('{0} (expired)', date)
    : t('{0} ({1} left)', date, countdownText(expiresAt - now, t));
}

function dateText(time: number, { language }: LineContext): string {
  // A time that no calendar knows may come from a service.
  if (Math.abs(time) > 8.64e15) return '?';
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(time);
}
