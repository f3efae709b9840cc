/** Who may be paid: accounts that are not blocked, creators who are verified, and whoever passes the gates of rooms above. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { PayoutSource } from '@stagedoor/contract/payouts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { requireUser } from '../accounts/index.ts';
import { account, balanceOf } from '../ledger/index.ts';

export type Payee = { userId: string; source: PayoutSource };
/** Why somebody is not paid yet, in a sentence for them that says what to do; nothing when they may be. */
export type PayoutGate = (db: Executor, payee: Payee) => Promise<string | undefined>;

const gatesOf = new WeakMap<Pick<Context, 'events'>, PayoutGate[]>();

/** Adds a gate: it is asked at every request, and when one is approved. */
export function registerGate(ctx: Context, gate: PayoutGate): void {
  gatesOf.set(ctx, [...(gatesOf.get(ctx) ?? []), gate]);
}

const UNVERIFIED = 'Payouts begin once you are verified. Please hand in your documents first.';

/** A verified creator stays one while another name waits to be looked at. */
async function isVerified(db: Executor, creatorId: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('creators')
    .select('verified_name')
    .where('user_id', '=', creatorId)
    .executeTakeFirst();
  return row?.verified_name != null;
}

/** Why nothing is paid to somebody, in a sentence for them. Throws NOT_FOUND, account_blocked. */
export async function whyNotPaid(ctx: Context, db: Executor, payee: Payee): Promise<string | undefined> {
  const user = await requireUser(db, payee.userId);
  if (user.is_blocked) throw new AppError('account_blocked');
  const isCreator = user.type === 'creator';
  if (isCreator && !(await isVerified(db, user.id))) return UNVERIFIED;
  const owed = await balanceOf(db, isCreator ? account.receivable(user.id) : account.owed(user.id));
  if (owed > 0)
    return isCreator
      ? 'You still owe for a sale that was given back. What clears next goes there; after that you can be paid.'
      : 'You still owe for a payment that was taken back. Settle it in your wallet; after that you can be paid.';
  for (const gate of gatesOf.get(ctx) ?? []) {
    const words = await gate(db, payee);
    if (words !== undefined) return words;
  }
  return undefined;
}
