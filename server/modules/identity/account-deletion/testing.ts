export { eraseUser, startDueDeletions } from './service.ts';
export { listDeletionSteps } from './steps.ts';
