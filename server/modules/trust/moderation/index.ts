import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countMessage, countTicketMessage } from './abuse-limits.ts';
export { viewPostContent } from './admin/content.ts';
export { applyDecision as applyCaseDecision, restoreAfterDeadline } from './admin/decide.ts';
export { findKnownCopies } from './admin/duplicates.ts';
export { countCopyright, countOpenCases, countRefunds } from './admin/inbox.ts';
export { openCaseForPost, openCaseForUser } from './admin/open-case.ts';
export { findCaseId, listContentCases, listUserCases, searchCases } from './admin/related-cases.ts';
export { changeQueue as changeCaseQueue } from './admin/workflow.ts';
export { addMessage, appealBlock } from './appeals.ts';
export { type ClaimView, type CopyrightView, registerCopyrightHook } from './copyright-hook.ts';
export { attachPictures, loadPictures, openOwnPicture, type StoredPicture, storeCasePicture } from './pictures.ts';
export { accessSubject, type SubjectDetails } from './report-subjects.ts';
export {
  addEntry,
  type CaseDecisionRow,
  type CaseRow,
  type CaseSubject,
  deleteSenders,
  findCase,
  findDecision,
  listEntries,
  lockCase,
  NO_SUBJECT,
  openCase,
  openWaitingCases,
  reopenCase,
  toCaseRow,
  updateCase,
} from './store.ts';

export const featureModule = { ...manifest, register };
