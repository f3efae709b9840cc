import { calculateAffordableSeconds } from '@stagedoor/contract/messaging/call-states.ts';
import type { answerCall, CallClockView, CallerSummary } from '@stagedoor/contract/messaging/calls.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { asCents, calculatePercent, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import {
  getEffectiveFee,
  getFanWallet,
  getHoldFee,
  listSpendingByKind,
  presentSpendingBound,
  toSpendable,
} from '../../../commerce/sales/index.ts';
import { findFollowedAt } from '../../../content/follows/index.ts';
import { findUserSummaries } from '../../../identity/accounts/index.ts';
import { getCallProvider } from '../signalling/open-provider.ts';
import { type Call, type CallSide, DEVICE_FIELDS, getCallUserId, getOtherSide } from './sides.ts';
import { calculateChargeAt, calculateReservedCents, getConnectedMsAt } from './state-machine.ts';
import { getStatementTime } from './step.ts';
import { getTipCents, listCallTips } from './tips.ts';

type OpenCall = ResponseInputOf<typeof answerCall>;

const CURRENT_TIME: SqlStatement = {
  name: 'calls-now',
  text: `select date_trunc('milliseconds', coalesce($1::timestamptz, clock_timestamp())) as at`,
};

export async function getCurrentTime(ctx: Context): Promise<Date> {
  const [row] = await ctx.db.run<{ at: Date }>(CURRENT_TIME, [getStatementTime(ctx)]);
  return row?.at ?? ctx.clock.now();
}

const calculateLeftMs = (from: Date | null, seconds: number, at: Date) =>
  from === null ? null : Math.max(0, from.getTime() + seconds * 1000 - at.getTime());

/**
 * The platform fee in percent that this side bears: 0 for the fan, for the creator the fee at the start of the call.
 */
async function getFeePercent(db: Executor, { creatorId, holdId }: Call, side: CallSide, at: Date): Promise<number> {
  if (side === 'fan') return 0;
  return holdId === null
    ? (await getEffectiveFee(db, creatorId, at)).percent
    : getHoldFee(db, { holdId, creatorId, at });
}

async function viewFundsLeft(db: Executor, call: Call, at: Date) {
  const wallet = await getFanWallet(db, call.fanId, at);
  const { cents } = toSpendable(wallet);
  const unreservedCents = call.heldCents - calculateReservedCents(call, at);
  const seconds = calculateAffordableSeconds(call.heldCents + cents, call.rateCents);
  return {
    spendable: toUsd(asCents(cents + unreservedCents)),
    bound: presentSpendingBound(wallet, unreservedCents),
    leftMs: Math.max(0, seconds * 1000 - getConnectedMsAt(call, at)),
  };
}

export async function viewClock(ctx: Context, call: Call, side: CallSide, at: Date): Promise<CallClockView> {
  const connectedMs = getConnectedMsAt(call, at);
  const [percent, tips] = await Promise.all([getFeePercent(ctx.db, call, side, at), listCallTips(ctx.db, call)]);
  const charge = calculateChargeAt(call, at);
  return {
    isRunning: call.runningSince !== null,
    connectedMs,
    amount: toUsd(charge - calculatePercent(asCents(charge), percent)),
    share: 1 - percent / 100,
    tips: toUsd(asCents(tips.reduce((sum, tip) => sum + getTipCents(tip, side), 0))),
    ...(side === 'fan' ? await viewFundsLeft(ctx.db, call, at) : { spendable: null, bound: null, leftMs: null }),
    reconnectLeftMs: calculateLeftMs(call.interruptedAt, CALL_LIMITS.reconnectSeconds, at),
  };
}

/** Session details with a fresh token (row F1). */
export function presentCallSession(ctx: Context, call: Call, side: CallSide): OpenCall['session'] {
  const callPass = { callId: call.id, side, userId: getCallUserId(call, side) };
  return {
    token: getCallProvider(ctx).session(callPass, ctx.clock.now()),
    sessionId: call.id,
    callLogId: call.id,
    amountPerMinute: toUsd(call.rateCents),
  };
}

const UNKNOWN_USER = { username: '', name: '', avatarUrl: null };

export function presentUser(users: Awaited<ReturnType<typeof findUserSummaries>>, id: string) {
  const { username, name, avatarUrl } = users.get(id) ?? UNKNOWN_USER;
  return { id, username, name, avatarUrl };
}

export function calculateRingLeftMs({ answeredAt, createdAt }: Call, at: Date): number | null {
  return answeredAt === null ? calculateLeftMs(createdAt, CALL_LIMITS.ringSeconds, at) : null;
}

export async function viewOpenCall(ctx: Context, call: Call, side: CallSide): Promise<OpenCall> {
  const at = await getCurrentTime(ctx);
  const otherId = getCallUserId(call, getOtherSide(side));
  const [users, clock] = await Promise.all([findUserSummaries(ctx.db, [otherId]), viewClock(ctx, call, side, at)]);
  return {
    session: presentCallSession(ctx, call, side),
    kind: call.kind,
    status: call.status,
    isOutgoing: side === 'fan',
    other: presentUser(users, otherId),
    device: call[DEVICE_FIELDS[side]],
    ringLeftMs: calculateRingLeftMs(call, at),
    clock,
  };
}

const FIND_LAST_CALL: SqlStatement = {
  name: 'calls-last-with',
  text: `select started_at as at, connected_ms as "connectedMs" from calls
    where creator_id = $1 and fan_id = $2 and started_at is not null and ended_at is not null order by id desc limit 1`,
};

export async function viewCaller(ctx: Context, call: Call): Promise<CallerSummary> {
  const { fanId, creatorId, rateCents } = call;
  const at = await getCurrentTime(ctx);
  const [since, spent, [last], wallet] = await Promise.all([
    findFollowedAt(ctx.db, fanId, creatorId),
    listSpendingByKind(ctx.db, fanId, creatorId),
    ctx.db.run<{ at: Date; connectedMs: number }>(FIND_LAST_CALL, [creatorId, fanId]),
    getFanWallet(ctx.db, fanId, at),
  ]);
  const seconds = calculateAffordableSeconds(call.heldCents + toSpendable(wallet).cents, rateCents);
  return {
    followsSince: since?.toISOString() ?? null,
    spent: toUsd(spent.reduce((sum, { cents }) => sum + cents, 0)),
    spendingByKind: spent.map(({ title, count, cents }) => ({ label: title, count, amount: toUsd(cents) })),
    lastCall: last ? { at: last.at.toISOString(), seconds: Math.floor(last.connectedMs / 1000) } : null,
    affordableSeconds: Math.floor(seconds / 60) * 60,
  };
}
