import * as v from 'valibot';
import type { Clock } from '../../common/ports';
import type { Exports, ExportView } from '../../staticExport/exports';
import { exportLine } from './exportTexts';
import type { ExportUi } from './exportUi';
import type { ExportNode } from './openedSites';

const nodeSchema = v.variant('kind', [
  v.object({ kind: v.literal('export'), id: v.string() }),
  v.object({ kind: v.literal('detail'), id: v.string(), name: v.string() }),
  v.object({ kind: v.literal('site'), folder: v.string() }),
  v.object({ kind: v.literal('preview'), id: v.string() }),
]);

/** A command's argument, if it is a node of the tree. */
export function parseExportNode(argument: unknown): ExportNode | undefined {
  const parsed = v.safeParse(nodeSchema, argument);
  return parsed.success ? parsed.output : undefined;
}

interface PickExportPorts {
  readonly exports: Pick<Exports, 'list'>;
  readonly ui: ExportUi;
  readonly clock: Pick<Clock, 'now'>;
}

/** Which exports a command is for. */
export interface ExportQuestion {
  readonly fits: (view: ExportView) => boolean;
  /** Said where none fits. */
  readonly none: string;
  readonly title?: string;
}

/**
 * The export that a command is about: the node's, the only one that fits, or the one that the
 * person chooses.
 * @param node what the tree or a caller handed to the command.
 * @returns undefined if the person left, or was told that there is none.
 */
export async function pickExport(
  { exports, ui, clock }: PickExportPorts,
  node: unknown,
  { fits, none, title }: ExportQuestion,
): Promise<ExportView | undefined> {
  const known = parseExportNode(node);
  if (known?.kind === 'export' || known?.kind === 'detail') {
    const view = exports.list.find(({ record }) => record.id === known.id);
    // Menus may lag behind: what does not fit any more is told like what is gone.
    if (!view || !fits(view)) void ui.inform(none);
    return view && fits(view) ? view : undefined;
  }
  const fitting = exports.list.filter(fits);
  if (fitting.length === 0) {
    void ui.inform(none);
    return undefined;
  }
  if (fitting.length === 1) return fitting[0];
  const id = await ui.choose(
    title ?? ui.translate('Which export?'),
    fitting.map((view) => ({
      label: view.record.exportDomain,
      description: exportLine(view, clock.now(), ui.translate),
      value: view.record.id,
    })),
  );
  return exports.list.find(({ record }) => record.id === id);
}
