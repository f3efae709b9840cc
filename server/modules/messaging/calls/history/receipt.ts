import { toChargedSeconds } from '@stagedoor/contract/messaging/call-states.ts';
import type { getCallLog } from '@stagedoor/contract/messaging/calls.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { listSaleReversals, listStatementLinesByIds, type Sale } from '../../../commerce/sales/index.ts';
import { accessCall } from '../call/access.ts';
import { type Call, type CallSide, getReasonFor } from '../call/sides.ts';
import type { CallTimelineEntry } from '../call/state-machine.ts';
import { getTipCents, listCallTips } from '../call/tips.ts';
import { loadRelations, presentCallLog } from './lists.ts';

type CallReceipt = ResponseInputOf<typeof getCallLog>;

const LIST_TIMELINE: SqlStatement = {
  name: 'calls-timeline',
  text: `select at, event, by_side as "by", connected_ms as "connectedMs", transaction_id as "transactionId" from call_events
    where call_id = $1 order by at, seq`,
};

export const listTimeline = (db: Executor, id: string): Promise<CallTimelineEntry[]> =>
  db.run<CallTimelineEntry>(LIST_TIMELINE, [id]);

type Reversal = { id: string; createdAt: Date; title: string };

async function listFanEntries(
  db: Executor,
  call: Call,
  timeline: readonly CallTimelineEntry[],
  reversals: readonly Reversal[],
): Promise<CallReceipt['entries']> {
  const transactionIds = [...timeline.map(({ transactionId }) => transactionId), call.transactionId].filter(
    (id) => id !== null,
  );
  const ids = [...transactionIds, ...reversals.map(({ id }) => id)];
  const statementLines = await listStatementLinesByIds(db, call.fanId, ids);
  return statementLines.map(({ transactionId, createdAt, title, amountCents }) => ({
    id: transactionId,
    createdAt: createdAt.toISOString(),
    title,
    amount: toUsd(amountCents),
  }));
}

function listCreatorEntries(sale: Sale | undefined, reversals: readonly Reversal[]): CallReceipt['entries'] {
  if (!sale) return [];
  const { id, createdAt, title, netCents, reversedNetCents } = sale;
  const saleEntry = { id, createdAt: createdAt.toISOString(), title, amount: toUsd(netCents) };
  const reversalEntries = reversals.slice(-1).map((last) => ({
    ...last,
    createdAt: last.createdAt.toISOString(),
    amount: -toUsd(reversedNetCents),
  }));
  return [saleEntry, ...reversalEntries];
}

function presentSplit(sale: Sale | undefined): CallReceipt['split'] {
  if (!sale) return null;
  const { grossCents, feeCents, netCents, feePercent } = sale;
  return { gross: toUsd(grossCents), platformFee: toUsd(feeCents), feePercent, creator: toUsd(netCents) };
}

function presentAmounts({ heldCents, chargedCents, endedAt }: Call, side: CallSide) {
  if (side === 'creator') return { held: null, charged: null, released: null };
  const releasedCents = endedAt === null ? 0 : heldCents - chargedCents;
  return { held: toUsd(heldCents), charged: toUsd(chargedCents), released: toUsd(releasedCents) };
}

/** Throws NOT_FOUND. */
export async function viewCallReceipt(ctx: Context, actor: Actor, id: string): Promise<CallReceipt> {
  const { call, side } = await accessCall(ctx.db, actor, id);
  const saleId = call.chargedCents > 0 ? call.transactionId : null;
  const [relations, timeline, tips, reversals] = await Promise.all([
    loadRelations(ctx.db, [call], side),
    listTimeline(ctx.db, id),
    listCallTips(ctx.db, call),
    saleId ? listSaleReversals(ctx.db, saleId) : [],
  ]);
  const sale = side === 'creator' ? relations.sales.get(saleId) : undefined;
  return {
    ...presentCallLog(call, side, relations),
    timeline: timeline.map(({ at, event, by, connectedMs }) => ({
      ...{ at: at.toISOString(), event, connectedMs },
      // The fan sees a declined call as busy, so the timeline does not say who ended it.
      by: event === 'over' && getReasonFor(call, side) !== call.reason ? null : by,
    })),
    chargedSeconds: call.chargedCents > 0 ? toChargedSeconds(call.connectedMs) : 0,
    isFree: call.connectedMs > 0 && toChargedSeconds(call.connectedMs) === 0,
    tips: tips.map((tip) => ({
      ...{ id: tip.id, createdAt: tip.createdAt.toISOString(), note: tip.note },
      amount: toUsd(getTipCents(tip, side)),
    })),
    ...presentAmounts(call, side),
    split: presentSplit(sale),
    entries:
      side === 'fan' ? await listFanEntries(ctx.db, call, timeline, reversals) : listCreatorEntries(sale, reversals),
  };
}
