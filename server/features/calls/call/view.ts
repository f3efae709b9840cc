import { asCents, percentOf, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { secondsFor } from '@stagedoor/contract/call-states.ts';
import type { answerCall, CallClockView, CallerFacts } from '@stagedoor/contract/calls.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { findPeople } from '../../accounts/index.ts';
import { followsSince } from '../../follows/index.ts';
import { effectiveFee, feeOfHold, spendableOf, spentWith, walletOf } from '../../sales/index.ts';
import { providerOf } from '../signalling/open-provider.ts';
import { chargeAt, talkedAt } from './course.ts';
import { type Call, DEVICE, otherSide, type Side, userOf } from './sides.ts';
import { instantOf } from './turn.ts';

type OpenCall = AnswerOf<typeof answerCall>;

const NOW: Statement = {
  name: 'calls-now',
  text: `select date_trunc('milliseconds', coalesce($1::timestamptz, clock_timestamp())) as at`,
};

export async function presentInstant(ctx: Context): Promise<Date> {
  const [row] = await ctx.db.run<{ at: Date }>(NOW, [instantOf(ctx)]);
  return row?.at ?? ctx.clock.now();
}

const leftMs = (from: Date | null, seconds: number, at: Date) =>
  from === null ? null : Math.max(0, from.getTime() + seconds * 1000 - at.getTime());

/**
 * The platform fee in percent that this side bears: 0 for the fan, for the creator the fee at the start of the call.
 */
async function feeFor(db: Executor, { creatorId, holdId }: Call, side: Side, at: Date): Promise<number> {
  if (side === 'fan') return 0;
  return holdId === null ? (await effectiveFee(db, creatorId, at)).percent : feeOfHold(db, { holdId, creatorId, at });
}

async function fundsLeftMs(db: Executor, call: Call, at: Date): Promise<number> {
  const { cents } = spendableOf(await walletOf(db, call.fanId, at));
  return Math.max(0, secondsFor(call.heldCents + cents, call.rateCents) * 1000 - talkedAt(call, at));
}

export async function viewClock(ctx: Context, call: Call, side: Side, at: Date): Promise<CallClockView> {
  const talkedMs = talkedAt(call, at);
  const percent = await feeFor(ctx.db, call, side, at);
  const charge = chargeAt(call, at);
  return {
    isRunning: call.runningSince !== null,
    talkedMs,
    amount: toUsd(charge - percentOf(asCents(charge), percent)),
    share: 1 - percent / 100,
    leftMs: side === 'fan' ? await fundsLeftMs(ctx.db, call, at) : null,
    gapLeftMs: leftMs(call.lostAt, CALL.gapSeconds, at),
  };
}

/** Session details with a fresh token (row F1). */
export function sessionOf(ctx: Context, call: Call, side: Side): OpenCall['session'] {
  const pass = { callId: call.id, side, userId: userOf(call, side) };
  return {
    token: providerOf(ctx).session(pass, ctx.clock.now()),
    sessionId: call.id,
    callLogId: call.id,
    amountPerMinute: toUsd(call.rateCents),
  };
}

const NOBODY = { username: '', name: '', avatarUrl: null };

export function presentOther(people: Awaited<ReturnType<typeof findPeople>>, id: string) {
  const { username, name, avatarUrl } = people.get(id) ?? NOBODY;
  return { id, username, name, avatarUrl };
}

export function ringLeftMs({ answeredAt, createdAt }: Call, at: Date): number | null {
  return answeredAt === null ? leftMs(createdAt, CALL.ringSeconds, at) : null;
}

export async function viewOpen(ctx: Context, call: Call, side: Side): Promise<OpenCall> {
  const at = await presentInstant(ctx);
  const otherId = userOf(call, otherSide(side));
  const [people, clock] = await Promise.all([findPeople(ctx.db, [otherId]), viewClock(ctx, call, side, at)]);
  return {
    session: sessionOf(ctx, call, side),
    kind: call.kind,
    status: call.status,
    isOutgoing: side === 'fan',
    other: presentOther(people, otherId),
    device: call[DEVICE[side]],
    ringLeftMs: ringLeftMs(call, at),
    clock,
  };
}

const LAST: Statement = {
  name: 'calls-last-with',
  text: `select started_at as at, talked_ms as "talkedMs" from calls
    where creator_id = $1 and fan_id = $2 and started_at is not null and ended_at is not null order by id desc limit 1`,
};

export async function viewCaller(ctx: Context, call: Call): Promise<CallerFacts> {
  const { fanId, creatorId, rateCents } = call;
  const at = await presentInstant(ctx);
  const [since, spent, [last], wallet] = await Promise.all([
    followsSince(ctx.db, fanId, creatorId),
    spentWith(ctx.db, fanId, creatorId),
    ctx.db.run<{ at: Date; talkedMs: number }>(LAST, [creatorId, fanId]),
    walletOf(ctx.db, fanId, at),
  ]);
  const seconds = secondsFor(call.heldCents + spendableOf(wallet).cents, rateCents);
  return {
    followsSince: since?.toISOString() ?? null,
    spent: toUsd(spent.reduce((sum, { cents }) => sum + cents, 0)),
    spentOn: spent.map(({ title, count, cents }) => ({ label: title, count, amount: toUsd(cents) })),
    lastCall: last ? { at: last.at.toISOString(), seconds: Math.floor(last.talkedMs / 1000) } : null,
    canTalkSeconds: Math.floor(seconds / 60) * 60,
  };
}
