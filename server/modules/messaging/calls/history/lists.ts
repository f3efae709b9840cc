/** Row F4. */

import type { CallEndReason } from '@stagedoor/contract/messaging/call-states.ts';
import type { listCallLogs } from '@stagedoor/contract/messaging/calls.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { parseIdOffset, toCursor } from '../../../../platform/database/pagination.ts';
import { listGeoBlockedIds } from '../../../../platform/geo.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { listSalesByIds, type Sale } from '../../../commerce/sales/index.ts';
import { findUserSummaries } from '../../../identity/accounts/index.ts';
import { getBlocksBetween } from '../../chat/index.ts';
import { accessCall } from '../call/access.ts';
import { CALL_COLUMNS, type Call, type CallSide, getCallUserId, getOtherSide, getReasonFor } from '../call/sides.ts';
import { presentUser } from '../call/view.ts';
import '../events.ts';
import * as texts from '../texts.ts';

type CallLogPage = ResponseInputOf<typeof listCallLogs>;
export type CallLogView = CallLogPage['data'][number];

const MISSED_REASONS = ['noAnswer', 'cancelled', 'busy', 'offline', 'unavailable'] as const;
const unansweredSql = (reasons: readonly CallEndReason[]) =>
  `(c.ended_at is not null and c.answered_at is null and c.reason = any ('{${reasons.join()}}'))`;
const IS_MISSED = unansweredSql(MISSED_REASONS);
/** To the fan a declined call looks busy, so it counts as missed. */
const MISSED_CONDITIONS: Readonly<Record<CallSide, string>> = {
  creator: IS_MISSED,
  fan: unansweredSql([...MISSED_REASONS, 'declined']),
};

function isMissed({ reason, answeredAt }: Call): boolean {
  return answeredAt === null && MISSED_REASONS.some((missed) => missed === reason);
}

type CallRelations = { users: Awaited<ReturnType<typeof findUserSummaries>>; sales: ReadonlyMap<string | null, Sale> };

export async function loadRelations(db: Executor, calls: readonly Call[], side: CallSide): Promise<CallRelations> {
  const [users, sales] = await Promise.all([
    findUserSummaries(
      db,
      calls.map((call) => getCallUserId(call, getOtherSide(side))),
    ),
    listSalesByIds(
      db,
      calls.flatMap(({ transactionId }) => transactionId ?? []),
    ),
  ]);
  return { users, sales: new Map(sales.map((sale) => [sale.id, sale])) };
}

export function presentCallLog(call: Call, side: CallSide, { users, sales }: CallRelations): CallLogView {
  const sale = sales.get(call.transactionId);
  const refundedCents = side === 'fan' ? sale?.reversedCents : sale?.reversedNetCents;
  return {
    callLogId: call.id,
    kind: call.kind,
    status: call.status,
    reason: getReasonFor(call, side),
    isOutgoing: side === 'fan',
    other: presentUser(users, getCallUserId(call, getOtherSide(side))),
    createdAt: call.createdAt.toISOString(),
    answeredAt: call.answeredAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    durationSeconds: Math.floor(call.connectedMs / 1000),
    amountPerMinute: toUsd(call.rateCents),
    amount: toUsd(side === 'fan' ? call.chargedCents : call.netCents),
    refunded: refundedCents === undefined ? 0 : toUsd(refundedCents),
    isMissed: side === 'creator' && isMissed(call) && call.seenAt === null,
    isCallbackRequested: call.callbackRequestedAt !== null,
  };
}

/** Hides free calls with creators who are geo-blocked for the actor ($5). Paid calls stay visible. */
const IS_VISIBLE = '(c.charged_cents > 0 or c.ended_at is null or c.creator_id <> all ($5::uuid[]))';
const filterSql = (own: CallSide, other: CallSide) =>
  `c.${own}_id = $1 and ($2::text is null or c.kind = $2) and (not $3::boolean or ${MISSED_CONDITIONS[own]}) and ($4::uuid is null or c.${other}_id = $4)
    and not (c.is_screened and ${own === 'creator'}) and ${IS_VISIBLE}`;
const listSql = (own: CallSide, other: CallSide) =>
  `select ${CALL_COLUMNS} from calls c where ${filterSql(own, other)} and c.id < $6::uuid order by c.id desc limit $7 offset $8`;
const countSql = (own: CallSide, other: CallSide) =>
  `select count(*) as count from calls c where ${filterSql(own, other)}`;
const LIST_STATEMENTS: Readonly<Record<CallSide, SqlStatement>> = {
  fan: { name: 'calls-list-fan', text: listSql('fan', 'creator') },
  creator: { name: 'calls-list-creator', text: listSql('creator', 'fan') },
};
const COUNT_STATEMENTS: Readonly<Record<CallSide, SqlStatement>> = {
  fan: { name: 'calls-count-fan', text: countSql('fan', 'creator') },
  creator: { name: 'calls-count-creator', text: countSql('creator', 'fan') },
};

export async function listCalls(ctx: Context, actor: Actor, query: QueryOf<typeof listCallLogs>): Promise<CallLogPage> {
  const { limit, offset, type, missed, with: other } = query;
  const side = actor.type === 'creator' ? 'creator' : 'fan';
  const { skip, before } = parseIdOffset(offset);
  const values = [actor.userId, type ?? null, missed, other ?? null, listGeoBlockedIds()];
  const [rows, counted] = await Promise.all([
    ctx.db.run<Call>(LIST_STATEMENTS[side], [...values, before, limit + 1, skip]),
    ctx.db.run<{ count: number }>(COUNT_STATEMENTS[side], values),
  ]);
  const page = rows.slice(0, limit);
  const relations = await loadRelations(ctx.db, page, side);
  const last = page.at(-1);
  return {
    data: page.map((call) => presentCallLog(call, side, relations)),
    limit,
    totalCount: counted[0]?.count ?? 0,
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}

const COUNT_MISSED: SqlStatement = {
  name: 'calls-missed',
  text: `select count(*) as count from calls c where c.creator_id = $1 and c.seen_at is null and not c.is_screened and ${IS_MISSED}`,
};

/** Always 0 for a fan. */
export async function countMissed(ctx: Context, actor: Actor): Promise<{ count: number }> {
  const [row] = await ctx.db.run<{ count: number }>(COUNT_MISSED, [actor.userId]);
  return { count: row?.count ?? 0 };
}

const MARK_SEEN: SqlStatement = {
  name: 'calls-see-missed',
  text: `update calls c set seen_at = $2 where c.creator_id = $1 and c.seen_at is null and not c.is_screened and ${IS_MISSED}`,
};

export async function markMissedSeen(ctx: Context, actor: Actor): Promise<{ count: number }> {
  await ctx.db.run(MARK_SEEN, [actor.userId, ctx.clock.now()]);
  return countMissed(ctx, actor);
}

async function viewCallLog(db: Executor, actor: Actor, id: string): Promise<CallLogView> {
  const { call, side } = await accessCall(db, actor, id);
  return presentCallLog(call, side, await loadRelations(db, [call], side));
}

const REQUEST_CALLBACK: SqlStatement = {
  name: 'calls-request-callback',
  text: 'update calls set callback_requested_at = $2 where id = $1 and callback_requested_at is null returning id',
};

/** The fan is notified once. Throws NOT_FOUND, CONFLICT (the call was not missed, or the creator blocked the fan). */
export async function createCallbackRequest(ctx: Context, actor: Actor, id: string): Promise<CallLogView> {
  const { call, side } = await accessCall(ctx.db, actor, id);
  if (side !== 'creator') throw new AppError('NOT_FOUND');
  if (!isMissed(call)) throw new AppError('CONFLICT', { message: texts.callbackOnlyForMissedCalls });
  const { fanId, creatorId } = call;
  const blocks = await getBlocksBetween(ctx.db, fanId, creatorId);
  if (blocks.byCreator) throw new AppError('CONFLICT', { message: texts.userBlockedByYou });
  await ctx.db.transaction(async (tx) => {
    const [requested] = await tx.run<{ id: string }>(REQUEST_CALLBACK, [id, ctx.clock.now()]);
    // A fan who blocked the creator is not notified, and the creator does not learn of the block.
    if (requested && !blocks.byFan) await tx.emit('call.callbackRequested', { callLogId: id, fanId, creatorId });
  });
  return viewCallLog(ctx.db, actor, id);
}
