/** Lines of the *Exports* tree, without VS Code's types. */
import { plain } from '../../common/text/safeText';
import { joined } from '../../common/text/strings';
import type { Translate } from '../../common/errors';
import { durationText, numberText, sizeText } from '../../shared/units';
import { resultLines, type ResultLine, type ResultState } from '../commands/resultTexts';
import type { ExportedSite, OpenedSite } from '../commands/storedSites';
import {
  apiName,
  countdownText,
  dateTimeText,
  exportLine,
  linkExpiry,
  pagesText,
} from '../commands/texts';
import { describeExportError } from '../exportErrors';
import type { ExportView } from '../job/exports';
import { errorOfRecord, type ExportRecord } from '../job/record';
import type { ResultKind } from '../job/results';
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
  readonly language: string;
  /** Returns whether this window has a check report of the site. */
  readonly hasReport: (siteFolder: string) => boolean;
  /** Returns the address at which a site is deployed, if the user has given it. */
  readonly deployedAt: (site: ExportedSite) => string | undefined;
}

/**
 * Returns the line of an export.
 * @param isGrouped whether it is below the line of its site, which has the name of the site then.
 */
export function exportTreeLine(
  view: ExportView,
  context: LineContext,
  isGrouped = false,
): TreeLine {
  const { record } = view;
  const { translate: t, now } = context;
  const site = plain(joined([record.exportDomain, record.label]));
  const label = isGrouped
    ? plain(record.label ?? dateTimeText(record.startedAt, context.language))
    : site;
  const description = plain(exportLine(view, now, t));
  return {
    label,
    description,
    tooltip: details(view, context)
      .map(({ title, text }) => `${title}: ${text}`)
      .join('\n'),
    ...iconOf(view, context),
    contextValue: contextValueOf(view, context),
    spoken: t('Static export of {0}', joined([site, description])),
  };
}

/** Returns the line of a site with its exports, newest first. */
export function groupTreeLine(
  site: ExportedSite,
  exports: readonly ExportView[],
  context: LineContext,
): TreeLine {
  const { translate: t } = context;
  const label = plain(site.exportDomain);
  const count = exports.length === 1 ? t('1 export') : t('{0} exports', numberText(exports.length));
  const description = plain(joined([count, apiName(site, t)]));
  const deployed = context.deployedAt(site);
  return {
    label,
    description,
    tooltip: plain([label, description, deployed].filter(Boolean).join('\n')),
    icon: 'globe',
    contextValue: deployed === undefined ? 'group' : 'group;deployed',
    spoken: t('Exports of {0}', joined([label, description])),
  };
}

/** One row below an export. `name` identifies it there. */
interface Detail {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** State of a result. Absent for all other details. */
  readonly state?: ResultState;
  /** More about a result, for its tooltip. */
  readonly about?: string;
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
    ['version', t('Version'), optionText(record, 'label', record.label, t)],
    ['paths', t('Paths'), optionText(record, 'paths', pathsText(record, t), t)],
    ['started', t('Started'), dateText(record.startedAt, context)],
    ['ended', t('Ended'), endText(view, context)],
    ['linkExpires', t('Link valid until'), linkEnd(view, context)],
    ['archive', t('Archive'), record.archive?.path],
    ['archiveSize', t('Size'), record.archive && sizeText(record.archive.sizeBytes)],
    ['sha256', t('SHA-256'), record.archive?.sha256],
    ['folder', t('Folder'), record.siteFolder],
    ['deployed', t('Deployed at'), context.deployedAt(record)],
    ['api', t('Export API'), apiName(record, t)],
    ['job', t('Job'), record.jobId],
  ];
  return [
    ...resultLines(record, t).map((line) => resultDetail(line, context)),
    ...rows.flatMap(([name, title, text]) =>
      text === undefined || text === '' ? [] : [{ name, title, text: plain(text) }],
    ),
  ];
}

export function detailTreeLine({ name, title, text, state, about }: Detail): TreeLine {
  return {
    label: title,
    description: text,
    tooltip: about === undefined ? text : `${text}\n${about}`,
    ...(state && resultIcons[state]),
    contextValue: state === undefined ? 'detail' : `detail;${name};${state}`,
    spoken: `${title}: ${text}`,
  };
}

const resultIcons = {
  good: { icon: 'pass', colour: 'testing.iconPassed' },
  trouble: { icon: 'warning', colour: 'problemsWarningIcon.foreground' },
  stale: { icon: 'history', colour: 'disabledForeground' },
} as const satisfies Record<ResultState, { icon: string; colour: string }>;

const resultTitles = {
  check: 'Check',
  diff: 'Comparison',
  questions: 'Questions',
} as const satisfies Record<ResultKind, string>;

function resultDetail({ kind, text, state, at }: ResultLine, context: LineContext): Detail {
  const { translate: t } = context;
  const date = dateText(at, context);
  const about =
    state === 'stale'
      ? t('Result of {0}. The archive has been replaced since.', date)
      : t('Result of {0}', date);
  return { name: kind, title: t(resultTitles[kind]), text: plain(text), state, about };
}

/** Paths that are listed. The job's record has all. */
const MAX_PATHS = 5;

function pathsText({ paths = [] }: ExportRecord, t: Translate): string | undefined {
  const shown = paths.slice(0, MAX_PATHS).join(', ');
  const more = paths.length - MAX_PATHS;
  return more > 0 ? t('{0} and {1} more', shown, numberText(more)) : shown;
}

/** Returns an option of the start request, and that the service did not take it if so. */
function optionText(
  { leftOut = [] }: ExportRecord,
  name: 'label' | 'paths',
  text: string | undefined,
  t: Translate,
): string | undefined {
  return text !== undefined && text !== '' && leftOut.includes(name)
    ? t('{0} (the service doesn’t take it)', text)
    : text;
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
function contextValueOf(view: ExportView, { hasReport, deployedAt }: LineContext): string {
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
    ...(deployedAt(record) === undefined ? [] : ['deployed']),
    ...(record.results?.diff ? ['compared'] : []),
  ].join(';');
}

function iconOf(
  { record, watch }: ExportView,
  { translate }: LineContext,
): { readonly icon: string; readonly colour?: string } {
  switch (record.outcome) {
    case 'completed': {
      const states = resultLines(record, translate).map(({ state }) => state);
      if (states.includes('trouble')) return resultIcons.trouble;
      const isGood = states.length > 0 && states.every((state) => state === 'good');
      return { ...resultIcons.good, icon: isGood ? 'pass-filled' : 'pass' };
    }
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
