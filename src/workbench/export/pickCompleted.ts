import type { ExportView } from '../../staticExport/exports';
import { translate } from '../notifications';
import type { BundlePorts } from './bundlePorts';

/** The export that a command is about, if it has a bundle to get. */
export function pickCompleted(ports: BundlePorts, node: unknown): Promise<ExportView | undefined> {
  return ports.pickExport(
    node,
    ({ record }) => record.outcome === 'completed',
    translate('No export is completed yet, so there is no bundle to get.'),
  );
}
