import { DisposableStore } from '../../common/disposable';
import type { ExportFeature, ExportFeaturePorts } from './exportPorts';

/** Makes everything of static export, and restores nothing yet. */
export function createExportFeature(ports: ExportFeaturePorts): ExportFeature {
  const store = new DisposableStore();
  void ports;
  return {
    tree: { getChildren: () => [], getTreeItem: () => ({}) },
    setTreeVisible: () => undefined,
    run: () => Promise.resolve(),
    restore: () => Promise.resolve(),
    dispose: () => store.dispose(),
  };
}
