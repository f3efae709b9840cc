import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { RestrictedActivity, Restrictions } from '@stagedoor/contract/shared/restrictions.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import './events.ts';
import { dropSessions } from './sessions.ts';
import * as store from './store.ts';

/** `reason` is visible to operators only, `message` is shown at log-in. Without `until` the block is permanent. */
export type BlockInput = { reason: string; until?: Date | null; message?: string };

/**
 * Blocks an account: ends its sessions and refuses log-ins and payments. Blocking again replaces the end. Returns the
 * ended sessions for {@link finishBlocking}. Throws NOT_FOUND.
 */
export async function blockAccountInTx(
  tx: DbTransaction,
  userId: string,
  { reason, until = null, message = '' }: BlockInput,
): Promise<string[]> {
  const user = await store.lockUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  await store.updateUser(tx, userId, {
    is_blocked: true,
    // A user who had requested to close the account must not be able to lift this block by logging in.
    is_deletion_pending: false,
    is_deletion_held: user.is_deletion_pending || user.is_deletion_held,
    blocked_until: until,
    blocked_message: message,
  });
  if (!user.is_blocked) await tx.emit('account.blocked', { userId, type: user.type, username: user.username, reason });
  return store.deleteSessions(tx, userId);
}

/** Call after {@link blockAccountInTx} has committed. */
export function finishBlocking(ctx: Context, userId: string, endedSessionIds: readonly string[], reason: string): void {
  dropSessions(ctx, endedSessionIds);
  ctx.sessions.invalidate({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
  ctx.security.note({ kind: 'accountBlocked', userId });
  ctx.log.warn({ userId, reason }, 'an account was blocked');
}

/** Blocks an account permanently. Throws NOT_FOUND. */
export async function blockAccount(ctx: Context, userId: string, reason: string): Promise<void> {
  const endedSessionIds = await ctx.db.transaction((tx) => blockAccountInTx(tx, userId, { reason }));
  finishBlocking(ctx, userId, endedSessionIds, reason);
}

/** Unblocks an account, unless it is about to close or being erased. Returns whether it did. Throws NOT_FOUND. */
export async function unblockAccountInTx(tx: DbTransaction, userId: string): Promise<boolean> {
  const user = await store.lockUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  if (!user.is_blocked || user.is_deletion_pending || user.is_erasing) return false;
  const unblocked = { is_blocked: false, is_deletion_held: false, blocked_until: null, blocked_message: '' };
  await store.updateUser(tx, userId, unblocked);
  await tx.emit('account.unblocked', { userId, type: user.type, username: user.username });
  return true;
}

/**
 * Reverses a block. An account that was about to close is so again, unless the block has already expired. Returns
 * whether it was unblocked. Throws NOT_FOUND.
 */
export async function reverseBlock(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  userId: string,
): Promise<boolean> {
  const user = await store.lockUser(tx, userId);
  if (!user?.is_deletion_held || !isBlockedAt(user, clock.now())) return unblockAccountInTx(tx, userId);
  const deletionPending = {
    is_deletion_pending: true,
    is_deletion_held: false,
    blocked_until: null,
    blocked_message: '',
  };
  await store.updateUser(tx, userId, deletionPending);
  return false;
}

/** Call after the unblocking has committed. */
export function logUnblocking({ security }: Pick<Context, 'security'>, userId: string): void {
  security.note({ kind: 'accountUnblocked', userId });
}

/** Ends a block that has expired, unless the account is being erased. Returns whether it did. */
export async function unblockIfExpired(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { id, blocked_until: until, is_erasing: isErasing }: Pick<store.User, 'id' | 'blocked_until' | 'is_erasing'>,
): Promise<boolean> {
  if (isErasing || until === null || until > clock.now()) return false;
  return unblockAccountInTx(tx, id);
}

const DELETE_EXPIRED_RESTRICTIONS: SqlStatement = {
  name: 'accounts-delete-expired-restrictions',
  text: `update users u set restrictions = (select jsonb_object_agg(l.key, l.value) from jsonb_each_text(u.restrictions) l where l.value::timestamptz > $1)
    where u.restrictions is not null and exists (select from jsonb_each_text(u.restrictions) l where l.value::timestamptz <= $1)`,
};

export async function unblockExpired(ctx: Pick<Context, 'db' | 'clock' | 'security'>): Promise<void> {
  await ctx.db.run(DELETE_EXPIRED_RESTRICTIONS, [ctx.clock.now()]);
  const expired = await ctx.db.query
    .selectFrom('users')
    .select('id')
    .where('blocked_until', '<=', ctx.clock.now())
    .execute();
  for (const { id } of expired) {
    const isUnblocked = await ctx.db.transaction(async (tx) => {
      const user = await store.lockUser(tx, id);
      return user && unblockIfExpired(ctx, tx, user);
    });
    if (isUnblocked) logUnblocking(ctx, id);
  }
}

/** Restricts an account from an activity. With null as `until` the restriction is lifted. Throws NOT_FOUND. */
export async function restrictActivity(
  tx: DbTransaction,
  userId: string,
  activity: RestrictedActivity,
  until: Date | null,
): Promise<void> {
  const user = await store.lockUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  const { [activity]: _, ...others } = getRestrictions(user);
  const restrictions: Restrictions = until === null ? others : { ...others, [activity]: until.toISOString() };
  await store.updateUser(tx, userId, {
    restrictions: Object.keys(restrictions).length === 0 ? null : JSON.stringify(restrictions),
  });
}

/** An expired restriction counts as lifted even while it is stored. */
export function findRestrictionEnd(
  user: Pick<store.User, 'restrictions'>,
  activity: RestrictedActivity,
  now: Date,
): string | undefined {
  const until = getRestrictions(user)[activity];
  return until !== undefined && new Date(until) > now ? until : undefined;
}

/** An expired block counts as lifted even while it is stored. */
export function isBlockedAt(
  user: Pick<store.User, 'is_blocked' | 'is_deletion_pending' | 'is_erasing' | 'blocked_until'>,
  now: Date,
): boolean {
  const isExpired = user.blocked_until !== null && user.blocked_until <= now;
  return user.is_blocked && (user.is_deletion_pending || user.is_erasing || !isExpired);
}

/** The result includes expired restrictions. */
export function getRestrictions({ restrictions }: Pick<store.User, 'restrictions'>): Restrictions {
  return typeof restrictions === 'object' && restrictions !== null ? restrictions : {};
}
