import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { storeConsent } from './consent.ts';
import './events.ts';
import { presentUserSummary, type UserSummary } from './present.ts';
import * as store from './store.ts';

const LOAD_USERS: SqlStatement = {
  name: 'accounts-users',
  text: 'select id, type, username, name, avatar_key from users where id = any($1::uuid[])',
};

type UserSummaryRow = { id: UserId; type: UserType; username: string; name: string; avatar_key: string | null };

/** Unknown ids are absent from the result. */
export async function findUserSummaries(db: Executor, ids: Iterable<string>): Promise<Map<string, UserSummary>> {
  const uniqueIds = [...new Set(ids)];
  if (uniqueIds.length === 0) return new Map();
  const rows = await db.run<UserSummaryRow>(LOAD_USERS, [uniqueIds]);
  return new Map(rows.map((row) => [row.id, presentUserSummary(row)]));
}

/** The row contains secrets, so responses use presentUserSummary. `isLocked` locks it until the transaction ends. */
export const findUser = (db: Executor, id: string, { isLocked = false } = {}): Promise<store.User | undefined> =>
  isLocked ? store.lockUser(db, id) : store.findUserById(db, id);
/** A prepared statement for pages that only check whether a user exists, is a creator and is not blocked. */
export const findUserState = store.findUserState;
export const findUserByName = store.findUserByLogin;

/** Throws NOT_FOUND. */
export async function requireUser(db: Executor, id: string): Promise<store.User> {
  const user = await store.findUserById(db, id);
  if (!user) throw new AppError('NOT_FOUND');
  return user;
}

export type NewAccount = {
  type: UserType;
  username: string;
  email: string;
  /** The default is the username. */
  name?: string;
  /** Call hashPassword before the transaction begins, because it is slow. */
  passwordHash: string;
  isEmailVerified: boolean;
  hasConsented?: boolean;
  referralCode?: string;
  browserAccountIds?: string[];
  themeCode?: string | undefined;
  avatarKey?: string;
  createdAt?: Date;
  /** Without roles an operator has no permissions. */
  roles?: readonly OperatorRole[];
};

/**
 * Creates an account, emits `account.created` and returns the id. Fails with a unique violation if the username or
 * address is taken. The caller validates their format.
 */
export async function createAccount(ctx: Context, tx: DbTransaction, account: NewAccount): Promise<string> {
  const id = createId(ctx.clock);
  const createdAt = account.createdAt ?? ctx.clock.now();
  const { type, username } = account;
  const referralCode = account.referralCode === '' ? null : (account.referralCode ?? null);
  await store.insertUser(tx, {
    id,
    type,
    username,
    email: account.email,
    name: account.name ?? username,
    password_hash: account.passwordHash,
    avatar_key: account.avatarKey ?? null,
    email_verified_at: account.isEmailVerified ? createdAt : null,
    consented_at: account.hasConsented ? createdAt : null,
    referral_code: referralCode,
    created_at: createdAt,
    operator_roles: [...(account.roles ?? [])],
  });
  if (type === 'creator') await store.insertCreator(tx, id, createdAt);
  if (account.hasConsented) await storeConsent(ctx, tx, id, createdAt);
  const { browserAccountIds = [] } = account;
  const created = {
    userId: id,
    type,
    username,
    referralCode,
    ...(browserAccountIds.length > 0 && { browserAccountIds }),
    ...(account.themeCode !== undefined && { themeCode: account.themeCode }),
  };
  await tx.emit('account.created', created);
  return id;
}

/** Absent fields stay unchanged. */
export async function updateProfileFields(
  tx: Executor,
  userId: string,
  changes: { name?: string; avatar?: { key: string; thumbhash: string | null } | null },
): Promise<void> {
  await store.updateUser(tx, userId, {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.avatar === undefined
      ? {}
      : { avatar_key: changes.avatar?.key ?? null, avatar_thumbhash: changes.avatar?.thumbhash ?? null }),
  });
}
