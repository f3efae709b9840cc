/** A closing account is hidden like a blocked one until a log-in restores it or it is erased to a pseudonym. */
import { createHmac } from 'node:crypto';
import { USERNAME_RESERVED_DAYS } from '@stagedoor/contract/identity/account-deletion.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import './events.ts';
import { deleteFingerprints } from './account-fingerprints.ts';
import { unblockAccountInTx } from './blocking.ts';
import { forgetDevices } from './known-devices.ts';
import { dropSessions } from './sessions.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const UNUSABLE_PASSWORD_HASH = '!';

/** Suspends the account. Returns the work to do after the commit. */
export async function suspendForDeletion(ctx: Context, tx: DbTransaction, user: store.User): Promise<() => void> {
  const { id, type, username } = user;
  await store.updateUser(tx, id, { is_blocked: true, is_deletion_pending: true });
  await tx.emit('account.blocked', { userId: id, type, username, reason: 'closing' });
  const ended = await store.deleteSessions(tx, id);
  return () => {
    dropSessions(ctx, ended);
    ctx.sessions.invalidate({ userIds: [id] });
    ctx.realtime.disconnect({ userIds: [id] });
  };
}

export async function restoreFromDeletion(tx: DbTransaction, userId: string): Promise<void> {
  await store.updateUser(tx, userId, { is_deletion_pending: false });
  await unblockAccountInTx(tx, userId);
}

/** Makes the closing final: neither a log-in nor an operator restores the account. Idempotent. */
export async function markErasing(tx: DbTransaction, userId: string): Promise<void> {
  await store.updateUser(tx, userId, {
    is_blocked: true,
    is_deletion_pending: false,
    is_deletion_held: false,
    is_erasing: true,
  });
}

function hashUsername({ config }: Pick<Context, 'config'>, username: string): Buffer {
  return createHmac('sha256', config.deriveKey('reserved usernames')).update(username.toLowerCase()).digest();
}

const RESERVE_USERNAME: SqlStatement = {
  name: 'accounts-reserve-username',
  text: 'insert into reserved_usernames (name_hash, until) values ($1, $2) on conflict (name_hash) do update set until = excluded.until',
};
const FIND_RESERVED_USERNAME: SqlStatement = {
  name: 'accounts-find-reserved-username',
  text: 'select 1 as is_retired from reserved_usernames where name_hash = $1 and until > $2',
};
const DELETE_TOKENS: SqlStatement = {
  name: 'accounts-forget-tokens',
  text: 'delete from mail_tokens where user_id = $1',
};

/** The name of a closed account stays reserved for a year. */
export async function isReservedUsername(
  ctx: Pick<Context, 'config' | 'clock'>,
  db: Executor,
  username: string,
): Promise<boolean> {
  return (await db.run(FIND_RESERVED_USERNAME, [hashUsername(ctx, username), ctx.clock.now()])).length > 0;
}

/** Erases personal data and leaves a pseudonym that the ledger refers to. Idempotent. */
export async function eraseAccount(ctx: Context, tx: DbTransaction, userId: string): Promise<void> {
  const user = await store.lockUser(tx, userId);
  if (!user) return;
  // No registered username can equal this, because usernames have no hyphen.
  const pseudonym = `closed-${userId}`;
  if (user.username === pseudonym) return;
  const until = new Date(ctx.clock.now().getTime() + USERNAME_RESERVED_DAYS * DAY_MS);
  await tx.run(RESERVE_USERNAME, [hashUsername(ctx, user.username), until]);
  await store.deleteSessions(tx, userId);
  await store.replaceRecoveryCodes(tx, userId, []);
  await forgetDevices(tx, userId);
  await deleteFingerprints(tx, userId);
  await tx.run(DELETE_TOKENS, [userId]);
  await store.updateUser(tx, userId, {
    username: pseudonym,
    email: `${userId}@closed.invalid`,
    name: texts.closedAccount,
    password_hash: UNUSABLE_PASSWORD_HASH,
    avatar_key: null,
    avatar_thumbhash: null,
    is_blocked: true,
    is_deletion_pending: false,
    is_erasing: true,
    blocked_until: null,
    blocked_message: '',
    email_verified_at: null,
    consented_at: null,
    referral_code: null,
    two_factor_secret: null,
    two_factor_enabled_at: null,
    two_factor_last_step: null,
    last_seen_at: null,
    break_until: null,
  });
}
