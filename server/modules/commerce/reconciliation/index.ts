import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { getProcessorTotals, listProcessorDays, type ProcessorDay, type ProcessorTotals } from './days.ts';
export { explainDifference, viewDifferences, viewReconciliationRuns } from './differences.ts';
export { addProcessorDays, findLastExportTime, toProcessorDay } from './exports.ts';
export { type ExportSource, reconcile } from './reconcile.ts';
export { bookSettlement } from './settlements.ts';

export const featureModule = { ...manifest, register };
