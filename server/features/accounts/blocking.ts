import type { Activity, Limited } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import './events.ts';
import { forgetSessions } from './sessions.ts';
import * as store from './store.ts';

/** `reason` is visible to operators only, `words` is shown at log-in. Without `until` the block is permanent. */
export type Block = { reason: string; until?: Date | null; words?: string };

/**
 * Blocks an account: ends its sessions and refuses log-ins and payments. Blocking again replaces the end. Returns the
 * ended sessions for {@link afterBlocking}. Throws NOT_FOUND.
 */
export async function blockWithin(
  tx: Transaction,
  userId: string,
  { reason, until = null, words = '' }: Block,
): Promise<string[]> {
  const user = await store.lockUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  await store.updateUser(tx, userId, {
    is_blocked: true,
    // A user who had requested to close the account must not be able to lift this block by logging in.
    is_closing: false,
    is_closing_held: user.is_closing || user.is_closing_held,
    blocked_until: until,
    blocked_words: words,
  });
  if (!user.is_blocked) await tx.emit('account.blocked', { userId, type: user.type, username: user.username, reason });
  return store.deleteSessions(tx, userId);
}

/** Call after {@link blockWithin} has committed. */
export function afterBlocking(ctx: Context, userId: string, ended: readonly string[], reason: string): void {
  forgetSessions(ctx, ended);
  ctx.sessions.forget({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
  ctx.security.note({ kind: 'accountBlocked', userId });
  ctx.log.warn({ userId, reason }, 'an account was blocked');
}

/** Blocks an account permanently. Throws NOT_FOUND. */
export async function blockAccount(ctx: Context, userId: string, reason: string): Promise<void> {
  const ended = await ctx.db.transaction((tx) => blockWithin(tx, userId, { reason }));
  afterBlocking(ctx, userId, ended, reason);
}

/** Unblocks an account, unless it is about to close or being erased. Returns whether it did. Throws NOT_FOUND. */
export async function unblockWithin(tx: Transaction, userId: string): Promise<boolean> {
  const user = await store.lockUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  if (!user.is_blocked || user.is_closing || user.is_erasing) return false;
  const free = { is_blocked: false, is_closing_held: false, blocked_until: null, blocked_words: '' };
  await store.updateUser(tx, userId, free);
  await tx.emit('account.unblocked', { userId, type: user.type, username: user.username });
  return true;
}

/**
 * Reverses a block. An account that was about to close is so again, unless the block has already expired. Returns
 * whether it was unblocked. Throws NOT_FOUND.
 */
export async function takeBlockBack(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  userId: string,
): Promise<boolean> {
  const user = await store.lockUser(tx, userId);
  if (!user?.is_closing_held || !isBlockedAt(user, clock.now())) return unblockWithin(tx, userId);
  const resting = { is_closing: true, is_closing_held: false, blocked_until: null, blocked_words: '' };
  await store.updateUser(tx, userId, resting);
  return false;
}

/** Call after the unblocking has committed. */
export function afterUnblocking({ security }: Pick<Context, 'security'>, userId: string): void {
  security.note({ kind: 'accountUnblocked', userId });
}

/** Ends a block that has expired, unless the account is being erased. Returns whether it did. */
export async function liftIfOver(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  { id, blocked_until: until, is_erasing: isErasing }: Pick<store.User, 'id' | 'blocked_until' | 'is_erasing'>,
): Promise<boolean> {
  if (isErasing || until === null || until > clock.now()) return false;
  return unblockWithin(tx, id);
}

const LIFT_LIMITS: Statement = {
  name: 'accounts-lift-limits',
  text: `update users u set limited = (select jsonb_object_agg(l.key, l.value) from jsonb_each_text(u.limited) l where l.value::timestamptz > $1)
    where u.limited is not null and exists (select from jsonb_each_text(u.limited) l where l.value::timestamptz <= $1)`,
};

export async function liftOver(ctx: Pick<Context, 'db' | 'clock' | 'security'>): Promise<void> {
  await ctx.db.run(LIFT_LIMITS, [ctx.clock.now()]);
  const over = await ctx.db.query
    .selectFrom('users')
    .select('id')
    .where('blocked_until', '<=', ctx.clock.now())
    .execute();
  for (const { id } of over) {
    const isLifted = await ctx.db.transaction(async (tx) => {
      const user = await store.lockUser(tx, id);
      return user && liftIfOver(ctx, tx, user);
    });
    if (isLifted) afterUnblocking(ctx, id);
  }
}

/** Restricts an account from an activity. With null as `until` the restriction is lifted. Throws NOT_FOUND. */
export async function keepFrom(tx: Transaction, userId: string, activity: Activity, until: Date | null): Promise<void> {
  const user = await store.lockUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  const { [activity]: _, ...others } = limitedOf(user);
  const limited: Limited = until === null ? others : { ...others, [activity]: until.toISOString() };
  await store.updateUser(tx, userId, { limited: Object.keys(limited).length === 0 ? null : JSON.stringify(limited) });
}

/** An expired restriction counts as lifted even while it is stored. */
export function keptFrom(user: Pick<store.User, 'limited'>, activity: Activity, now: Date): string | undefined {
  const until = limitedOf(user)[activity];
  return until !== undefined && new Date(until) > now ? until : undefined;
}

/** An expired block counts as lifted even while it is stored. */
export function isBlockedAt(
  user: Pick<store.User, 'is_blocked' | 'is_closing' | 'is_erasing' | 'blocked_until'>,
  now: Date,
): boolean {
  const isOver = user.blocked_until !== null && user.blocked_until <= now;
  return user.is_blocked && (user.is_closing || user.is_erasing || !isOver);
}

/** The result includes expired restrictions. */
export function limitedOf({ limited }: Pick<store.User, 'limited'>): Limited {
  return typeof limited === 'object' && limited !== null ? limited : {};
}
