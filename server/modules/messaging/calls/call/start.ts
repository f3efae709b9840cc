import { formatLimitName } from '@stagedoor/contract/commerce/limit-periods.ts';
import { type CallEndReason, calculateCallPrice } from '@stagedoor/contract/messaging/call-states.ts';
import type { startCall } from '@stagedoor/contract/messaging/calls.ts';
import { SPENDING_LIMITS_PATH } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, toCents } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../../platform/geo.ts';
import { createId } from '../../../../platform/ids.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { holdFunds, lockSpendable } from '../../../commerce/sales/index.ts';
import { findUser } from '../../../identity/accounts/index.ts';
import { getBlocksBetween } from '../../chat/index.ts';
import { findClosedReason, getStoredSettings, type StoredCallSettings } from '../terms/call-settings.ts';
import { countFreeCalls, findCallerObstacle, type LimitedCallers } from '../terms/callers.ts';
import { isUnreachable } from '../terms/reach.ts';
import * as texts from '../texts.ts';
import { CALL_COLUMNS, type Call } from './sides.ts';
import { addTimelineEntry, applyEvent, createCallStep } from './state-machine.ts';
import { getHoldExpiry, getStatementTime, saveCallStep } from './step.ts';

export type CallStartInput = Omit<BodyOf<typeof startCall>, 'amountPerMinute'> & { rateCents: number };

export function toCallStartInput({ amountPerMinute, ...input }: BodyOf<typeof startCall>): CallStartInput {
  return { ...input, rateCents: toCents(amountPerMinute) };
}

const FIND_BY_OPERATION: SqlStatement = {
  name: 'calls-of-operation',
  text: `select ${CALL_COLUMNS} from calls c where c.fan_id = $1 and c.operation_id = $2`,
};

/** Throws CONFLICT when the operation was used for another call. */
async function findStartedCall(
  db: Executor,
  actor: Actor,
  input: CallStartInput,
  operationId: string,
): Promise<Call | undefined> {
  const [call] = await db.run<Call>(FIND_BY_OPERATION, [actor.userId, operationId]);
  if (call && (call.creatorId !== input.creatorId || call.kind !== input.type || call.rateCents !== input.rateCents))
    throw new AppError('CONFLICT', { message: texts.callIdAlreadyUsed });
  return call;
}

const COUNT_STARTS: SqlStatement = {
  name: 'calls-starts',
  text: `select count(*) as "all", count(*) filter (where creator_id = $2) as "toOne" from calls where fan_id = $1 and created_at > $3`,
};

async function requireStartLimit(ctx: Context, actor: Actor, creatorId: string): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - 60 * 60_000);
  const [starts] = await ctx.db.run<{ all: number; toOne: number }>(COUNT_STARTS, [actor.userId, creatorId, since]);
  const { rateFactor } = ctx.config;
  if (!starts) return;
  if (
    starts.all >= CALL_LIMITS.startsPerHour * rateFactor ||
    starts.toOne >= CALL_LIMITS.startsPerCreatorPerHour * rateFactor
  )
    throw new AppError('RATE_LIMITED', { message: texts.tooManyCallsThisHour });
}

/** Throws FORBIDDEN for a fan who may not call, RATE_LIMITED after too many calls of the day that ended free. */
async function requireCaller(
  ctx: Context,
  settings: StoredCallSettings,
  fanId: string,
  creatorId: string,
): Promise<void> {
  const obstacle = await findCallerObstacle(ctx, settings, fanId, creatorId);
  if (obstacle) throw new AppError('FORBIDDEN', { message: CALLER_OBSTACLES[obstacle] });
  const maxFree = ctx.config.calls.freePerDay * ctx.config.rateFactor;
  if ((await countFreeCalls(ctx, fanId, creatorId)) < maxFree) return;
  const formatMessage = (availableAgain: string) =>
    formatText(texts.tooManyFreeCalls, { freeSeconds: CALL_LIMITS.freeSeconds, availableAgain });
  throw new AppError('RATE_LIMITED', {
    message: formatMessage(texts.availableAfterMidnight),
    localMessage: { text: formatMessage(texts.availableAgainAt), endOf: 'day' },
  });
}

const CALLER_OBSTACLES: Readonly<Record<LimitedCallers, string>> = {
  conversations: texts.onlyConversationsCall,
  followers: texts.onlyFollowersCall,
  buyers: texts.onlyBuyersCall,
  subscribers: texts.onlySubscribersCall,
};

/** Throws CONFLICT when the price that the fan agreed to is not the current one. */
function requireCurrentPrice(settings: StoredCallSettings, { type, rateCents }: CallStartInput): void {
  const rate = type === 'video' ? settings.videoRateCents : settings.audioRateCents;
  if (rate === rateCents) return;
  const message = rate === null ? texts.creatorNoLongerOffersCalls : `The price is now ${formatCents(rate)}/min.`;
  throw new AppError('CONFLICT', { message });
}

async function findUnavailableReason(
  ctx: Context,
  settings: StoredCallSettings,
  { creatorId }: CallStartInput,
): Promise<CallEndReason | null> {
  if (findClosedReason(settings, ctx.clock.now())) return 'unavailable';
  return (await isUnreachable(ctx, creatorId)) ? 'offline' : null;
}

/**
 * `reason` is why the call ends immediately, and null when it can be offered. `isScreened` means that the creator
 * is not notified.
 */
type CallRefusal = { reason: CallEndReason | null; isScreened: boolean };

const INSERT: SqlStatement = {
  name: 'calls-insert',
  text: `with t as (select date_trunc('milliseconds', coalesce($8::timestamptz, clock_timestamp())) as at)
    insert into calls as c (id, fan_id, creator_id, kind, rate_cents, fan_device, operation_id, created_at, status, reason, ended_at, next_due_at,
        is_screened)
      select $1, $2, $3, $4, $5, $6, $7, t.at, case when $9::text is null then 'validate' else 'cancel' end, $9,
        case when $9 is not null then t.at end, case when $9 is null then t.at end, $10 from t
    on conflict do nothing returning ${CALL_COLUMNS}`,
};

function insertCall(
  ctx: Context,
  tx: DbTransaction,
  actor: Actor,
  input: CallStartInput,
  operationId: string,
  { reason, isScreened }: CallRefusal,
) {
  const { creatorId, type, rateCents, device } = input;
  const values = [createId(ctx.clock), actor.userId, creatorId, type, rateCents, device, operationId];
  return tx.run<Call>(INSERT, [...values, getStatementTime(ctx), reason, isScreened]);
}

/**
 * Throws INSUFFICIENT_FUNDS (balance) or FORBIDDEN (limit) when the minimum length cannot be paid. A blocked wallet
 * passes, because the ledger refuses it with the reason.
 */
async function requireFunds(
  tx: DbTransaction,
  { minMinutes }: StoredCallSettings,
  { fanId, rateCents }: Call,
  at: Date,
) {
  const least = Math.max(1, minMinutes);
  const needed = least * rateCents;
  const spendable = await lockSpendable(tx, fanId, at);
  const minutes = minMinutes > 1 ? formatText(texts.minimumMinutes, { count: minMinutes }) : 'a minute';
  if (spendable.isBlocked || spendable.cents >= needed) return spendable.cents;
  // A fan whose limit refuses the call must not add funds for it, so the limit goes first.
  if (spendable.limitCents < needed)
    throw new AppError('FORBIDDEN', {
      message: formatText(texts.callSpendingLimitTooLow, {
        limitName: formatLimitName(spendable.period),
        duration: minutes,
      }),
      href: SPENDING_LIMITS_PATH,
    });
  throw new AppError('INSUFFICIENT_FUNDS', {
    message: formatText(texts.insufficientCallFunds, { amount: formatCents(needed), minutes: least }),
  });
}

async function offerCall(tx: DbTransaction, call: Call, spendableCents: number, operationId: string): Promise<void> {
  const at = call.createdAt;
  const step = createCallStep(call, at);
  const wantedHoldCents = calculateCallPrice(CALL_LIMITS.holdMinutes * 60, call.rateCents);
  const hold = await holdFunds(tx, {
    fanId: call.fanId,
    creatorId: call.creatorId,
    // Nothing can be spent from a blocked wallet. The ledger refuses this hold with its own message.
    amountCents: spendableCents > 0 ? Math.min(wantedHoldCents, spendableCents) : wantedHoldCents,
    purpose: 'call',
    operationId,
    expiresAt: getHoldExpiry(at),
    at,
  });
  call.holdId = hold.id;
  call.heldCents = hold.amountCents;
  // A page that was just opened sends no heartbeat for a while, so the fan gets a grace period.
  step.heartbeats.fan = new Date(at.getTime() + CALL_LIMITS.reconnectSeconds * 1000 - CALL_LIMITS.heartbeatTimeoutMs);
  addTimelineEntry(step, 'called', { by: 'fan', transactionId: hold.id });
  applyEvent(step, 'offered');
  step.changes.add('offered');
  await saveCallStep(tx, step);
}

async function writeMissedCall(tx: DbTransaction, call: Call): Promise<void> {
  const step = createCallStep(call, call.createdAt);
  step.changes.add('over');
  addTimelineEntry(step, 'called', { by: 'fan' });
  addTimelineEntry(step, 'over');
  await saveCallStep(tx, step);
}

const FIND_OPEN_OF_FAN: SqlStatement = {
  name: 'calls-open-of-fan',
  text: 'select id from calls where fan_id = $1 and ended_at is null',
};

/** Throws CONFLICT when the fan is already in a call. */
async function createCall(
  ctx: Context,
  tx: DbTransaction,
  actor: Actor,
  input: CallStartInput,
  operationId: string,
  refusal: CallRefusal,
) {
  const [call] = refusal.reason === null ? await insertCall(ctx, tx, actor, input, operationId, refusal) : [];
  if (call) return { call, isNew: true };
  const earlier = await findStartedCall(tx, actor, input, operationId);
  if (earlier) return { call: earlier, isNew: false };
  if ((await tx.run(FIND_OPEN_OF_FAN, [actor.userId])).length > 0)
    throw new AppError('CONFLICT', { message: texts.alreadyInCall });
  // Each user has at most one open call. The fan has none, so the creator is busy.
  const [missed] = await insertCall(ctx, tx, actor, input, operationId, {
    ...refusal,
    reason: refusal.reason ?? 'busy',
  });
  if (!missed) throw new AppError('CONFLICT');
  return { call: missed, isNew: true };
}

/**
 * Starts a call. Idempotent per operation. Throws NOT_FOUND (no such creator), FORBIDDEN (the fan blocked the creator,
 * the fan may not call, spending is blocked, a break, a limit), CONFLICT (the price changed, already in a call), INSUFFICIENT_FUNDS,
 * RATE_LIMITED.
 */
export async function placeCall(ctx: Context, actor: Actor, input: CallStartInput, operationId: string): Promise<Call> {
  const earlier = await findStartedCall(ctx.db, actor, input, operationId);
  if (earlier) return earlier;
  const creator = await findUser(ctx.db, input.creatorId);
  if (creator?.type !== 'creator' || creator.is_blocked) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(input.creatorId);
  const blocks = await getBlocksBetween(ctx.db, actor.userId, input.creatorId);
  if (blocks.isUnknown) throw new AppError('NOT_FOUND');
  if (blocks.byFan) throw new AppError('FORBIDDEN', { message: texts.creatorBlockedByYou });
  const settings = await getStoredSettings(ctx.db, input.creatorId);
  requireCurrentPrice(settings, input);
  await requireStartLimit(ctx, actor, input.creatorId);
  const isScreened = blocks.byCreator || blocks.isDeclined;
  if (!isScreened) await requireCaller(ctx, settings, actor.userId, input.creatorId);
  const refusal = {
    isScreened,
    reason: isScreened ? 'unavailable' : await findUnavailableReason(ctx, settings, input),
  } as const;
  return ctx.db.transaction(async (tx) => {
    const { call, isNew } = await createCall(ctx, tx, actor, input, operationId, refusal);
    if (!isNew) return call;
    const spendableCents = await requireFunds(tx, settings, call, call.createdAt);
    if (call.reason === null) await offerCall(tx, call, spendableCents, operationId);
    else await writeMissedCall(tx, call);
    return call;
  });
}
