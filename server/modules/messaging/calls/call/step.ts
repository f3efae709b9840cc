/**
 * One transition of a call in one transaction: overdue events, the requested event, funds and notifications. The row
 * lock serializes concurrent requests.
 */

import { calculateAffordableSeconds, isCallOpen, toChargedSeconds } from '@stagedoor/contract/messaging/call-states.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { systemClock } from '../../../../platform/clock.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { captureFunds, extendFunds, getFanWallet, lockSpendable } from '../../../commerce/sales/index.ts';
import '../events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_CHANGES } from '../events.ts';
import * as texts from '../texts.ts';
import { CALL_COLUMNS, type Call, type CallSide, SIDES } from './sides.ts';
import {
  addFundsWarning,
  addTimelineEntry,
  applyDueEvents,
  type CallStep,
  calculateChargeAt,
  calculateWantedCents,
  createCallStep,
  findNextDueTime,
  getConnectedMsAt,
} from './state-machine.ts';

/** Now for statements. Null means PostgreSQL's clock, which all processes share. A test clock is used as given. */
export function getStatementTime(ctx: Pick<Context, 'clock'>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock.now();
}

/** Only a safety net. Open calls are checked long before. */
const HOLD_MS = 24 * 60 * 60_000;
export const getHoldExpiry = (at: Date) => new Date(at.getTime() + HOLD_MS);

const lockSql = (suffix: string) => `select ${CALL_COLUMNS} from calls c where c.id = $1 for no key update${suffix}`;
const LOCK: SqlStatement = { name: 'calls-lock', text: lockSql('') };
const LOCK_IF_FREE: SqlStatement = { name: 'calls-lock-if-free', text: lockSql(' skip locked') };
/** Runs after the row is locked, so that it sees what the previous lock holder wrote. */
const CURRENT_TIME: SqlStatement = {
  name: 'calls-current-time',
  text: `select date_trunc('milliseconds', coalesce($2::timestamptz, clock_timestamp())) as at,
    (select last_seen_at from call_heartbeats where call_id = $1 and side = 'fan') as fan,
    (select last_seen_at from call_heartbeats where call_id = $1 and side = 'creator') as creator`,
};

async function lockCall(
  ctx: Context,
  tx: DbTransaction,
  callId: string,
  skipsLocked: boolean,
): Promise<CallStep | undefined> {
  const [call] = await tx.run<Call>(skipsLocked ? LOCK_IF_FREE : LOCK, [callId]);
  if (!call) return undefined;
  const [now] = await tx.run<{ at: Date } & Record<CallSide, Date | null>>(CURRENT_TIME, [
    callId,
    getStatementTime(ctx),
  ]);
  const { at = ctx.clock.now(), fan, creator } = now ?? {};
  return createCallStep(call, at, { ...(fan && { fan }), ...(creator && { creator }) });
}

const UPDATE_CALL: SqlStatement = {
  name: 'calls-write',
  text: `update calls set status = $2, reason = $3, hold_id = $4, held_cents = $5, fan_device = $6, creator_device = $7, is_fan_connected = $8,
    is_creator_connected = $9, answered_at = $10, started_at = $11, ended_at = $12, connected_ms = $13, running_since = $14, interrupted_at = $15,
    warned_seconds = $16, next_due_at = $17, charged_cents = $18, net_cents = $19, transaction_id = $20 where id = $1`,
};
const INSERT_TIMELINE: SqlStatement = {
  name: 'calls-insert-timeline',
  text: `insert into call_events (call_id, at, event, by_side, connected_ms, transaction_id)
    select $1, * from unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::uuid[])`,
};
const SAVE_HEARTBEATS: SqlStatement = {
  name: 'calls-save-heartbeats',
  text: `with saved as (insert into call_heartbeats (call_id, side, last_seen_at, is_watched) select $1, u.side, u.last_seen_at, $4
        from unnest($2::text[], $3::timestamptz[]) u (side, last_seen_at)
      on conflict (call_id, side) do update set last_seen_at = excluded.last_seen_at, is_watched = excluded.is_watched)
    update call_heartbeats set is_watched = $4 where call_id = $1 and side <> all ($2) and is_watched <> $4`,
};
const DELETE_HEARTBEATS: SqlStatement = {
  name: 'calls-delete-heartbeats',
  text: 'delete from call_heartbeats where call_id = $1',
};

function formatChargeNote({ kind, connectedMs, rateCents }: Call): string {
  const seconds = toChargedSeconds(connectedMs);
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return formatText(texts.callChargeNote, {
    callType: kind === 'video' ? 'Video' : 'Voice',
    duration: length,
    rate: formatCents(rateCents),
  });
}

/** Does nothing when the hold is gone. */
async function captureCharge(tx: DbTransaction, { call, at }: CallStep): Promise<void> {
  const { id, holdId, creatorId } = call;
  if (holdId === null) return;
  const captured = await captureFunds(tx, {
    kind: 'call',
    holdId,
    creatorId,
    subjectId: id,
    grossCents: calculateChargeAt(call, at),
    note: formatChargeNote(call),
    at,
  });
  if (!captured) return;
  call.chargedCents = captured.grossCents;
  call.netCents = captured.netCents;
  call.transactionId = captured.transactionId;
}

/** Returns the milliseconds that all remaining funds last. */
async function extendHold(tx: DbTransaction, step: CallStep): Promise<number> {
  const { call, at } = step;
  const { cents } = await lockSpendable(tx, call.fanId, at);
  const missingCents = Math.max(0, Math.min(calculateWantedCents(call, at) - call.heldCents, cents));
  if (missingCents > 0 && call.holdId !== null) {
    const extension = { holdId: call.holdId, amountCents: missingCents, expiresAt: getHoldExpiry(at), at };
    const { transactionId, amountCents } = await extendFunds(tx, extension);
    call.heldCents = amountCents;
    addTimelineEntry(step, 'extended', { transactionId });
    step.changes.add('clock');
  }
  return (
    calculateAffordableSeconds(call.heldCents + cents - missingCents, call.rateCents) * 1000 -
    getConnectedMsAt(call, at)
  );
}

async function saveHeartbeats(tx: DbTransaction, { call, heartbeats, previousHeartbeats }: CallStep): Promise<void> {
  if (!isCallOpen(call.status)) return void (await tx.run(DELETE_HEARTBEATS, [call.id]));
  const sides = SIDES.filter((side) => heartbeats[side] !== previousHeartbeats[side]);
  const isWatched = call.runningSince !== null || call.status === 'calling' || call.status === 'ringing';
  await tx.run(SAVE_HEARTBEATS, [call.id, sides, sides.map((side) => heartbeats[side]), isWatched]);
}

/** A call for which nothing more could be held ended by a limit if a deposit would not have continued it. */
async function explainFundsEnd(tx: DbTransaction, { call, at }: CallStep): Promise<void> {
  const { availableCents, remainingCents, pausedUntil, isBlocked } = await getFanWallet(tx, call.fanId, at);
  if (!isBlocked && (pausedUntil !== null || remainingCents <= availableCents)) call.reason = 'limit';
}

export async function saveCallStep(tx: DbTransaction, step: CallStep): Promise<void> {
  const { call, timeline, changes } = step;
  const isOver = !isCallOpen(call.status);
  if (call.reason === 'funds') await explainFundsEnd(tx, step);
  if (isOver) await captureCharge(tx, step);
  let leftMs: number | undefined;
  if (call.runningSince !== null) {
    leftMs = await extendHold(tx, step);
    addFundsWarning(step, leftMs);
  }
  call.nextDueAt = findNextDueTime(step, leftMs);
  await tx.run(UPDATE_CALL, [
    ...[call.id, call.status, call.reason, call.holdId, call.heldCents, call.fanDevice, call.creatorDevice],
    ...[call.isFanConnected, call.isCreatorConnected, call.answeredAt, call.startedAt, call.endedAt, call.connectedMs],
    ...[call.runningSince, call.interruptedAt, call.warnedSeconds, call.nextDueAt],
    ...[call.chargedCents, call.netCents, call.transactionId],
  ]);
  await saveHeartbeats(tx, step);
  if (timeline.length > 0)
    await tx.run(INSERT_TIMELINE, [
      call.id,
      timeline.map(({ at }) => at),
      timeline.map(({ event }) => event),
      timeline.map(({ by }) => by),
      timeline.map((one) => one.connectedMs),
      timeline.map(({ transactionId }) => transactionId),
    ]);
  if (changes.size === 0) return;
  await tx.emit('call.changed', {
    callLogId: call.id,
    fanId: call.fanId,
    creatorId: call.creatorId,
    changes: CALL_CHANGES.filter((one) => changes.has(one)),
    status: call.status,
    reason: call.reason,
    isOpen: !isOver,
    wasOffered: call.holdId !== null,
    movedUserId: step.movedUserId,
    warnSeconds: step.warnSeconds,
  });
}

export type CallStepOptions = {
  skipsLocked?: boolean;
  onSaved?: (tx: DbTransaction) => Promise<void>;
};

/**
 * Calls `apply` after everything that was overdue, unless the call is over. Returns undefined when there is no such
 * call.
 */
export function runCallStep(
  ctx: Context,
  callId: string,
  apply: (step: CallStep, tx: DbTransaction) => Promise<void> | void,
  { skipsLocked = false, onSaved }: CallStepOptions = {},
): Promise<{ call: Call; at: Date } | undefined> {
  return ctx.db.transaction(async (tx) => {
    const step = await lockCall(ctx, tx, callId, skipsLocked);
    if (!step) return undefined;
    const { call, at } = step;
    if (!isCallOpen(call.status)) return { call, at };
    applyDueEvents(step);
    if (isCallOpen(call.status)) await apply(step, tx);
    await saveCallStep(tx, step);
    await onSaved?.(tx);
    return { call, at };
  });
}
