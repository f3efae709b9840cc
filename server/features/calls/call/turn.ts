/**
 * One transition of a call in one transaction: overdue events, the requested event, funds and notifications. The row
 * lock serializes concurrent requests.
 */
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { chargedSeconds, isOpen, secondsFor } from '@stagedoor/contract/call-states.ts';
import { systemClock } from '../../../kernel/clock.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement, Transaction } from '../../../kernel/db.ts';
import { captureFunds, extendFunds, lockSpendable } from '../../sales/index.ts';
import '../events.ts';
import { CALL_NEWS } from '../events.ts';
import { catchUp, chargeAt, mark, nextLook, type Turn, talkedAt, turnOf, wantedCents, warn } from './course.ts';
import { type Call, COLUMNS, SIDES, type Side } from './sides.ts';

/** Now for statements. Null means PostgreSQL's clock, which all processes share. A test clock is used as given. */
export function instantOf(ctx: Pick<Context, 'clock'>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock.now();
}

/** Only a safety net. Open calls are checked long before. */
const HOLD_MS = 24 * 60 * 60_000;
export const holdUntil = (at: Date) => new Date(at.getTime() + HOLD_MS);

const lockText = (how: string) => `select ${COLUMNS} from calls c where c.id = $1 for no key update${how}`;
const LOCK: Statement = { name: 'calls-lock', text: lockText('') };
const LOCK_IF_FREE: Statement = { name: 'calls-lock-if-free', text: lockText(' skip locked') };
/** Runs after the row is locked, so that it sees what the previous lock holder wrote. */
const NOW: Statement = {
  name: 'calls-now-heard',
  text: `select date_trunc('milliseconds', coalesce($2::timestamptz, clock_timestamp())) as at,
    (select heard_at from call_hearings where call_id = $1 and side = 'fan') as fan,
    (select heard_at from call_hearings where call_id = $1 and side = 'creator') as creator`,
};

async function lock(ctx: Context, tx: Transaction, callId: string, skipsLocked: boolean): Promise<Turn | undefined> {
  const [call] = await tx.run<Call>(skipsLocked ? LOCK_IF_FREE : LOCK, [callId]);
  if (!call) return undefined;
  const [now] = await tx.run<{ at: Date } & Record<Side, Date | null>>(NOW, [callId, instantOf(ctx)]);
  const { at = ctx.clock.now(), fan, creator } = now ?? {};
  return turnOf(call, at, { ...(fan && { fan }), ...(creator && { creator }) });
}

const WRITE: Statement = {
  name: 'calls-write',
  text: `update calls set status = $2, reason = $3, hold_id = $4, held_cents = $5, fan_device = $6, creator_device = $7, is_fan_connected = $8,
    is_creator_connected = $9, answered_at = $10, started_at = $11, ended_at = $12, talked_ms = $13, running_since = $14, lost_at = $15,
    warned_seconds = $16, next_due_at = $17, charged_cents = $18, net_cents = $19, transaction_id = $20 where id = $1`,
};
const MOMENTS: Statement = {
  name: 'calls-moments',
  text: `insert into call_moments (call_id, at, moment, by_side, talked_ms, transaction_id)
    select $1, * from unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::uuid[])`,
};
const HEARD: Statement = {
  name: 'calls-heard',
  text: `with heard as (insert into call_hearings (call_id, side, heard_at, is_watched) select $1, u.side, u.heard_at, $4
        from unnest($2::text[], $3::timestamptz[]) u (side, heard_at)
      on conflict (call_id, side) do update set heard_at = excluded.heard_at, is_watched = excluded.is_watched)
    update call_hearings set is_watched = $4 where call_id = $1 and side <> all ($2) and is_watched <> $4`,
};
const FORGET: Statement = { name: 'calls-forget-heard', text: 'delete from call_hearings where call_id = $1' };

function noteOf({ kind, talkedMs, rateCents }: Call): string {
  const seconds = chargedSeconds(talkedMs);
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `${kind === 'video' ? 'Video' : 'Voice'} call, ${length} at ${formatCents(rateCents)} a minute`;
}

/** Does nothing when the hold is gone. */
async function settle(tx: Transaction, { call, at }: Turn): Promise<void> {
  const { id, holdId, creatorId } = call;
  if (holdId === null) return;
  const captured = await captureFunds(tx, {
    kind: 'call',
    holdId,
    creatorId,
    subjectId: id,
    grossCents: chargeAt(call, at),
    note: noteOf(call),
    at,
  });
  if (!captured) return;
  call.chargedCents = captured.grossCents;
  call.netCents = captured.netCents;
  call.transactionId = captured.transactionId;
}

/** Returns the milliseconds that all remaining funds last. */
async function fund(tx: Transaction, turn: Turn): Promise<number> {
  const { call, at } = turn;
  const { cents } = await lockSpendable(tx, call.fanId, at);
  const missing = Math.max(0, Math.min(wantedCents(call, at) - call.heldCents, cents));
  if (missing > 0 && call.holdId !== null) {
    const extension = { holdId: call.holdId, amountCents: missing, expiresAt: holdUntil(at), at };
    const { transactionId, amountCents } = await extendFunds(tx, extension);
    call.heldCents = amountCents;
    mark(turn, 'extended', { transactionId });
    turn.news.add('clock');
  }
  return secondsFor(call.heldCents + cents - missing, call.rateCents) * 1000 - talkedAt(call, at);
}

async function writeHearings(tx: Transaction, { call, heard, heardBefore }: Turn): Promise<void> {
  if (!isOpen(call.status)) return void (await tx.run(FORGET, [call.id]));
  const sides = SIDES.filter((side) => heard[side] !== heardBefore[side]);
  const isWatched = call.runningSince !== null || call.status === 'calling' || call.status === 'ringing';
  await tx.run(HEARD, [call.id, sides, sides.map((side) => heard[side]), isWatched]);
}

export async function write(tx: Transaction, turn: Turn): Promise<void> {
  const { call, moments, news } = turn;
  const isOver = !isOpen(call.status);
  if (isOver) await settle(tx, turn);
  let leftMs: number | undefined;
  if (call.runningSince !== null) {
    leftMs = await fund(tx, turn);
    warn(turn, leftMs);
  }
  call.nextDueAt = nextLook(turn, leftMs);
  await tx.run(WRITE, [
    ...[call.id, call.status, call.reason, call.holdId, call.heldCents, call.fanDevice, call.creatorDevice],
    ...[call.isFanConnected, call.isCreatorConnected, call.answeredAt, call.startedAt, call.endedAt, call.talkedMs],
    ...[call.runningSince, call.lostAt, call.warnedSeconds, call.nextDueAt],
    ...[call.chargedCents, call.netCents, call.transactionId],
  ]);
  await writeHearings(tx, turn);
  if (moments.length > 0)
    await tx.run(MOMENTS, [
      call.id,
      moments.map(({ at }) => at),
      moments.map(({ moment }) => moment),
      moments.map(({ by }) => by),
      moments.map((one) => one.talkedMs),
      moments.map(({ transactionId }) => transactionId),
    ]);
  if (news.size === 0) return;
  await tx.emit('call.changed', {
    callLogId: call.id,
    fanId: call.fanId,
    creatorId: call.creatorId,
    news: CALL_NEWS.filter((one) => news.has(one)),
    status: call.status,
    reason: call.reason,
    isOpen: !isOver,
    wasOffered: call.holdId !== null,
    movedId: turn.movedId,
    warnSeconds: turn.warnSeconds,
  });
}

export type TurnOptions = {
  skipsLocked?: boolean;
  afterwards?: (tx: Transaction) => Promise<void>;
};

/**
 * Applies `work` after everything that was overdue, unless the call is over. Returns undefined when there is no such
 * call.
 */
export function take(
  ctx: Context,
  callId: string,
  work: (turn: Turn, tx: Transaction) => Promise<void> | void,
  { skipsLocked = false, afterwards }: TurnOptions = {},
): Promise<{ call: Call; at: Date } | undefined> {
  return ctx.db.transaction(async (tx) => {
    const turn = await lock(ctx, tx, callId, skipsLocked);
    if (!turn) return undefined;
    const { call, at } = turn;
    if (!isOpen(call.status)) return { call, at };
    catchUp(turn);
    if (isOpen(call.status)) await work(turn, tx);
    await write(tx, turn);
    await afterwards?.(tx);
    return { call, at };
  });
}
