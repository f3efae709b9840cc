import { manifest } from './manifest.ts';
import { register } from './scheduled-jobs.ts';

export { arePayoutsAllowed, countAlarms, listAlarms } from './alarms.ts';
export { type CheckReport, checkLedger, formatCheckReport, type SumsReport } from './check.ts';
export { FULL_AFTER_MS, runLedgerCheckNow, toDifferences } from './nightly-check.ts';
export {
  countOpenByKind,
  countOpenDifferences,
  type DifferenceRow,
  type FoundDifference,
  findIncompleteSince,
  findLastRun,
  findRunState,
  listDifferences,
  listExplanations,
  listRuns,
  listUnresolvedDifferences,
  runExclusiveComparison,
  saveExplanation,
  saveRun,
  toDifferenceState,
} from './reconciliation-findings.ts';

export const featureModule = { ...manifest, register };
