/** Accounts: who people are, how they prove it, where they are logged in. What other rooms may call is exported here. */

/** @public What an operator does about a person. */
export { blockAccount } from './blocking.ts';
export { hashPassword } from './passwords.ts';
export {
  blockSpending,
  createAccount,
  findPeople,
  findUser,
  isSpendingBlocked,
  type NewAccount,
  requireUser,
  updatePerson,
} from './people.ts';
export { avatarUrl, type Person } from './present.ts';
export { register } from './routes.ts';
export { clearCookies } from './sessions.ts';
export { viewerOf } from './viewer.ts';
