import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countAttempt, releaseAttempt } from './attempts.ts';
export { beginAway } from './away.ts';
export { provenBlocked } from './blocked-proof.ts';
export {
  afterBlocking,
  afterUnblocking,
  blockAccount,
  blockWithin,
  isBlockedAt,
  keepFrom,
  keptFrom,
  limitedOf,
  takeBlockBack,
  unblockWithin,
} from './blocking.ts';
export { beginClosing, beginErasing, eraseAccount } from './closing.ts';
export { onConsent } from './consent.ts';
export { changeCreator, countFollower, countMedia, countPost, countPostOut, countViews } from './creators.ts';
export { findPeopleLike } from './look-up.ts';
export { isSameMailbox } from './mailbox.ts';
export { changeOperator, listOperators, lockOperators, markProven, type Operator } from './operators.ts';
export { hashPassword } from './passwords.ts';
export {
  createAccount,
  findNamed,
  findPeople,
  findUser,
  type NewAccount,
  requireUser,
  updatePerson,
} from './people.ts';
export { avatarUrl, type Person } from './present.ts';
export { proveAgain } from './proof.ts';
export { actInstead, clearCookies, endActing, forgetSessions, sessionsOf, setCookies } from './sessions.ts';
export { noteBrowser, noteCard } from './signals.ts';
export { STAFF_NAMES } from './staff-names.ts';
export { findUserByLogin } from './store.ts';
export { viewerOf } from './viewer.ts';

export const room = { ...manifest, register };
