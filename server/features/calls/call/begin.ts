import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { formatCents, toCents } from '@stagedoor/contract/atoms/money.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { type CallReason, priceOf } from '@stagedoor/contract/call-states.ts';
import type { startCall } from '@stagedoor/contract/calls.ts';
import { limitName } from '@stagedoor/contract/own-limits.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import { requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findUser } from '../../accounts/index.ts';
import { blocksBetween } from '../../chat/index.ts';
import { holdFunds, lockSpendable } from '../../sales/index.ts';
import { isOutOfReach } from '../terms/reach.ts';
import { closedBy, type Terms, termsOf } from '../terms/terms.ts';
import { happen, mark, turnOf } from './course.ts';
import { type Call, COLUMNS } from './sides.ts';
import { holdUntil, instantOf, write } from './turn.ts';

export type Wish = Omit<BodyOf<typeof startCall>, 'amountPerMinute'> & { rateCents: number };

export function wishOf({ amountPerMinute, ...wish }: BodyOf<typeof startCall>): Wish {
  return { ...wish, rateCents: toCents(amountPerMinute) };
}

const OF_OPERATION: Statement = {
  name: 'calls-of-operation',
  text: `select ${COLUMNS} from calls c where c.fan_id = $1 and c.operation_id = $2`,
};

/** Throws CONFLICT when the operation was used for another call. */
async function begun(db: Executor, actor: Actor, wish: Wish, operationId: string): Promise<Call | undefined> {
  const [call] = await db.run<Call>(OF_OPERATION, [actor.userId, operationId]);
  if (call && (call.creatorId !== wish.creatorId || call.kind !== wish.type || call.rateCents !== wish.rateCents))
    throw new AppError('CONFLICT', { message: 'This id was used for another call.' });
  return call;
}

const STARTS: Statement = {
  name: 'calls-starts',
  text: `select count(*) as "all", count(*) filter (where creator_id = $2) as "toOne" from calls where fan_id = $1 and created_at > $3`,
};

async function countStart(ctx: Context, actor: Actor, creatorId: string): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - 60 * 60_000);
  const [starts] = await ctx.db.run<{ all: number; toOne: number }>(STARTS, [actor.userId, creatorId, since]);
  const { rateFactor } = ctx.config;
  if (!starts) return;
  if (starts.all >= CALL.startsAnHour * rateFactor || starts.toOne >= CALL.startsToOneAnHour * rateFactor)
    throw new AppError('RATE_LIMITED', { message: 'Too many calls this hour. Try again later.' });
}

/** Throws CONFLICT when the price that the fan agreed to is not the current one. */
function requirePrice(terms: Terms, { type, rateCents }: Wish): void {
  const rate = type === 'video' ? terms.videoRateCents : terms.audioRateCents;
  if (rate === rateCents) return;
  const words =
    rate === null ? 'This creator no longer offers these calls.' : `The price is now ${formatCents(rate)}/min.`;
  throw new AppError('CONFLICT', { message: words });
}

async function absence(ctx: Context, terms: Terms, { creatorId }: Wish): Promise<CallReason | null> {
  if (closedBy(terms, ctx.clock.now())) return 'unavailable';
  return (await isOutOfReach(ctx, creatorId)) ? 'offline' : null;
}

/**
 * `reason` says why the call ends immediately and is null when it can be offered. `isScreened` means that the creator
 * is not notified.
 */
type Absent = { reason: CallReason | null; isScreened: boolean };

const INSERT: Statement = {
  name: 'calls-insert',
  text: `with t as (select date_trunc('milliseconds', coalesce($8::timestamptz, clock_timestamp())) as at)
    insert into calls as c (id, fan_id, creator_id, kind, rate_cents, fan_device, operation_id, created_at, status, reason, ended_at, next_due_at,
        is_screened)
      select $1, $2, $3, $4, $5, $6, $7, t.at, case when $9::text is null then 'validate' else 'cancel' end, $9,
        case when $9 is not null then t.at end, case when $9 is null then t.at end, $10 from t
    on conflict do nothing returning ${COLUMNS}`,
};

function insert(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  wish: Wish,
  operationId: string,
  { reason, isScreened }: Absent,
) {
  const { creatorId, type, rateCents, device } = wish;
  const values = [newId(ctx.clock), actor.userId, creatorId, type, rateCents, device, operationId];
  return tx.run<Call>(INSERT, [...values, instantOf(ctx), reason, isScreened]);
}

/**
 * Throws INSUFFICIENT_FUNDS (balance) or FORBIDDEN (limit) when the minimum length cannot be paid. A blocked wallet
 * passes, because the ledger refuses it with the reason.
 */
async function requireFunds(tx: Transaction, { shortestMinutes }: Terms, { fanId, rateCents }: Call, at: Date) {
  const least = Math.max(1, shortestMinutes);
  const needed = least * rateCents;
  const spendable = await lockSpendable(tx, fanId, at);
  const minutes = shortestMinutes > 1 ? `${shortestMinutes} minutes` : 'a minute';
  if (spendable.isBlocked || spendable.cents >= needed) return spendable.cents;
  if (spendable.balanceCents < needed)
    throw new AppError('INSUFFICIENT_FUNDS', { message: `You need at least ${formatCents(needed)} (${least} min).` });
  throw new AppError('FORBIDDEN', { message: `Your ${limitName(spendable.period)} leaves less than ${minutes}.` });
}

async function offer(tx: Transaction, call: Call, spendableCents: number, operationId: string): Promise<void> {
  const at = call.createdAt;
  const turn = turnOf(call, at);
  const wanted = priceOf(CALL.holdMinutes * 60, call.rateCents);
  const hold = await holdFunds(tx, {
    fanId: call.fanId,
    creatorId: call.creatorId,
    // Nothing can be spent from a blocked wallet. The ledger refuses this hold with its own message.
    amountCents: spendableCents > 0 ? Math.min(wanted, spendableCents) : wanted,
    purpose: 'call',
    operationId,
    expiresAt: holdUntil(at),
    at,
  });
  call.holdId = hold.id;
  call.heldCents = hold.amountCents;
  // A page that was just opened sends no heartbeat for a while, so the fan gets a grace period.
  turn.heard.fan = new Date(at.getTime() + CALL.gapSeconds * 1000 - CALL.silenceMs);
  mark(turn, 'called', { by: 'fan', transactionId: hold.id });
  happen(turn, 'offered');
  turn.news.add('offered');
  await write(tx, turn);
}

async function miss(tx: Transaction, call: Call): Promise<void> {
  const turn = turnOf(call, call.createdAt);
  turn.news.add('over');
  mark(turn, 'called', { by: 'fan' });
  mark(turn, 'over');
  await write(tx, turn);
}

const OPEN_OF_FAN: Statement = {
  name: 'calls-open-of-fan',
  text: 'select id from calls where fan_id = $1 and ended_at is null',
};

/** Throws CONFLICT when the fan is already in a call. */
async function make(ctx: Context, tx: Transaction, actor: Actor, wish: Wish, operationId: string, absent: Absent) {
  const [call] = absent.reason === null ? await insert(ctx, tx, actor, wish, operationId, absent) : [];
  if (call) return { call, isNew: true };
  const earlier = await begun(tx, actor, wish, operationId);
  if (earlier) return { call: earlier, isNew: false };
  if ((await tx.run(OPEN_OF_FAN, [actor.userId])).length > 0)
    throw new AppError('CONFLICT', { message: 'You’re already in a call.' });
  // Each user has at most one open call. The fan has none, so the creator is busy.
  const [missed] = await insert(ctx, tx, actor, wish, operationId, { ...absent, reason: absent.reason ?? 'busy' });
  if (!missed) throw new AppError('CONFLICT');
  return { call: missed, isNew: true };
}

/**
 * Starts a call. Idempotent per operation. Throws NOT_FOUND (no such creator), FORBIDDEN (the fan blocked the creator,
 * spending is blocked, a break, a limit), CONFLICT (the price changed, already in a call), INSUFFICIENT_FUNDS,
 * RATE_LIMITED.
 */
export async function begin(ctx: Context, actor: Actor, wish: Wish, operationId: string): Promise<Call> {
  const earlier = await begun(ctx.db, actor, wish, operationId);
  if (earlier) return earlier;
  const creator = await findUser(ctx.db, wish.creatorId);
  if (creator?.type !== 'creator' || creator.is_blocked) throw new AppError('NOT_FOUND');
  requireSeenHere(wish.creatorId);
  const blocks = await blocksBetween(ctx.db, actor.userId, wish.creatorId);
  if (blocks.isUnknown) throw new AppError('NOT_FOUND');
  if (blocks.byFan) throw new AppError('FORBIDDEN', { message: 'You blocked this creator.' });
  const terms = await termsOf(ctx.db, wish.creatorId);
  requirePrice(terms, wish);
  await countStart(ctx, actor, wish.creatorId);
  const isScreened = blocks.byCreator;
  const absent = { isScreened, reason: isScreened ? 'unavailable' : await absence(ctx, terms, wish) } as const;
  return ctx.db.transaction(async (tx) => {
    const { call, isNew } = await make(ctx, tx, actor, wish, operationId, absent);
    if (!isNew) return call;
    const spendableCents = await requireFunds(tx, terms, call, call.createdAt);
    if (call.reason === null) await offer(tx, call, spendableCents, operationId);
    else await miss(tx, call);
    return call;
  });
}
