import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { viewPostContent } from './admin/content.ts';
export { applyDecision as applyCaseDecision } from './admin/decide.ts';
export { findKnownCopies } from './admin/duplicates.ts';
export { countCopyright, countOpenCases, countRefunds } from './admin/inbox.ts';
export { openCaseForPost, openCaseForUser } from './admin/open-case.ts';
export { findCaseId, listContentCases, listUserCases, searchCases } from './admin/related-cases.ts';
export { changeQueue as changeCaseQueue } from './admin/workflow.ts';

export const featureModule = { ...manifest, register };
