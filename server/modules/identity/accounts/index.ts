import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { startAccountBreak } from './account-break.ts';
export { storeBrowserFingerprints, storeCardFingerprint } from './account-fingerprints.ts';
export { findBlockedUserByProof } from './blocked-login-proof.ts';
export {
  blockAccount,
  blockAccountInTx,
  findRestrictionEnd,
  finishBlocking,
  getRestrictions,
  isBlockedAt,
  logUnblocking,
  restrictActivity,
  reverseBlock,
  unblockAccountInTx,
} from './blocking.ts';
export { registerConsentHandler } from './consent.ts';
export {
  addPostCount,
  addViewCounts,
  adjustFollowerCount,
  adjustMediaCount,
  removePostCount,
  updateCreatorRow,
} from './creators.ts';
export { eraseAccount, markErasing, suspendForDeletion } from './deletion.ts';
export { isSameMailbox } from './email-alias.ts';
export { countAttempt, releaseAttempt } from './login-throttle.ts';
export { createStaffCodeMail } from './mails.ts';
export { listOperators, lockOperators, type OperatorAccount, setOperatorRoles } from './operators.ts';
export { hashPassword } from './passwords.ts';
export { toAvatarUrl, type UserSummary } from './present.ts';
export { proveIdentity, reauthenticate } from './reauthentication.ts';
export {
  clearCookies,
  dropSessions,
  endDelegation,
  listSessionsForExport,
  setCookies,
  switchDelegation,
} from './sessions.ts';
export { createStaffCode, expireStaffCodes, hasStaffCode, resetSecondFactor } from './staff-codes.ts';
export { STAFF_NAMES, STAFF_TITLES } from './staff-names.ts';
export { findUserByLogin } from './store.ts';
export { searchUsers } from './user-search.ts';
export {
  createAccount,
  findUser,
  findUserByName,
  findUserState,
  findUserSummaries,
  type NewAccount,
  requireUser,
  updateProfileFields,
} from './users.ts';
export { getViewer } from './viewer.ts';

export const featureModule = { ...manifest, register };
