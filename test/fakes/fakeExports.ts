import { Emitter } from '../../src/common/event';
import type { BundleLink, LinkSource } from '../../src/export/download/bundleLink';
import type { ExportRecord } from '../../src/export/job/record';
import type { Exports, ExportTarget, ExportView } from '../../src/export/job/exports';
import type { NewResult, ResultKind } from '../../src/export/job/results';
import { anExport } from '../builders/exports';

/** Returns the view of a watched export. A test gives only the fields that matter to it. */
export function aView(
  record: Partial<ExportRecord> = {},
  view: Partial<Omit<ExportView, 'record'>> = {},
): ExportView {
  return { record: anExport(record), watch: { name: 'watching' }, ...view };
}

/** Exports that act as the test says, and record the calls. */
export class FakeExports implements Exports {
  readonly #changed = new Emitter<string>();
  readonly #ended = new Emitter<ExportView>();
  readonly onDidChange = this.#changed.event;
  readonly onDidEnd = this.#ended.event;
  readonly calls: string[] = [];
  list: readonly ExportView[] = [];
  /** Implementation of `start`. */
  onStart: (target: ExportTarget, signal: AbortSignal) => Promise<ExportView> = () =>
    Promise.reject(new Error('No start was planned'));

  constructor(...views: ExportView[]) {
    this.list = views;
  }

  /** Adds the view, or replaces the one with the same ID, and fires the change event. */
  put(view: ExportView): void {
    const { id } = view.record;
    const others = this.list.filter(({ record }) => record.id !== id);
    this.list = [view, ...others].sort((a, b) => b.record.startedAt - a.record.startedAt);
    this.#changed.fire(id);
  }

  /** Does the same as `put`, and fires the event for its end. */
  end(view: ExportView): void {
    this.put(view);
    this.#ended.fire(view);
  }

  restore(): Promise<void> {
    this.calls.push('restore');
    return Promise.resolve();
  }

  async start(target: ExportTarget, signal: AbortSignal): Promise<ExportView> {
    const { apiUrl, exportDomain, label, paths = [] } = target;
    const options = [label, ...paths].filter((option) => option !== undefined);
    this.calls.push(['start', apiUrl, exportDomain, ...options].join(' '));
    const view = await this.onStart(target, signal);
    this.put(view);
    return view;
  }

  watch(id: string): Promise<void> {
    this.calls.push(`watch ${id}`);
    this.#change(id, (view) => ({
      ...view,
      record: { ...view.record, outcome: 'running' },
      watch: { name: 'watching' },
    }));
    return Promise.resolve();
  }

  stopWatching(id: string): void {
    this.calls.push(`stopWatching ${id}`);
    this.#change(id, (view) => ({ ...view, watch: { name: 'idle' } }));
  }

  forget(id: string): Promise<void> {
    this.calls.push(`forget ${id}`);
    this.list = this.list.filter(({ record }) => record.id !== id);
    this.#changed.fire(id);
    return Promise.resolve();
  }

  bundleLink(): Promise<BundleLink> {
    return Promise.reject(new Error('No link was planned'));
  }

  linkSource(): LinkSource {
    throw new Error('No link was planned');
  }

  noteFiles(): Promise<void> {
    return Promise.reject(new Error('No files were planned'));
  }

  noteResult<Kind extends ResultKind>(
    bundle: string,
    kind: Kind,
    result: NewResult<Kind>,
  ): Promise<void> {
    this.calls.push(`noteResult ${bundle} ${kind} ${JSON.stringify(result)}`);
    return Promise.resolve();
  }

  #change(id: string, change: (view: ExportView) => ExportView): void {
    const view = this.list.find(({ record }) => record.id === id);
    if (view) this.put(change(view));
  }
}
