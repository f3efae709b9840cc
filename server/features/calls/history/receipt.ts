import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { chargedSeconds } from '@stagedoor/contract/call-states.ts';
import type { getCallLog } from '@stagedoor/contract/calls.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findStatementLines, reversalsOf, type Sale } from '../../sales/index.ts';
import { accessCall } from '../call/access.ts';
import type { Moment } from '../call/course.ts';
import { type Call, reasonFor, type Side } from '../call/sides.ts';
import { knownOf, presentLog } from './lists.ts';

type Receipt = AnswerOf<typeof getCallLog>;

const MOMENTS: Statement = {
  name: 'calls-timeline',
  text: `select at, moment, by_side as "by", talked_ms as "talkedMs", transaction_id as "transactionId" from call_moments
    where call_id = $1 order by at, n`,
};

export const momentsOf = (db: Executor, id: string): Promise<Moment[]> => db.run<Moment>(MOMENTS, [id]);

type Reversal = { id: string; createdAt: Date; title: string };

async function fanEntries(
  db: Executor,
  call: Call,
  moments: readonly Moment[],
  reversals: readonly Reversal[],
): Promise<Receipt['entries']> {
  const set = [...moments.map(({ transactionId }) => transactionId), call.transactionId].filter((id) => id !== null);
  const ids = [...set, ...reversals.map(({ id }) => id)];
  const lines = await findStatementLines(db, call.fanId, ids);
  return lines.map(({ transactionId, createdAt, title, amountCents }) => ({
    id: transactionId,
    createdAt: createdAt.toISOString(),
    title,
    amount: toUsd(amountCents),
  }));
}

function creatorEntries(sale: Sale | undefined, reversals: readonly Reversal[]): Receipt['entries'] {
  if (!sale) return [];
  const { id, createdAt, title, netCents, reversedNetCents } = sale;
  const sold = { id, createdAt: createdAt.toISOString(), title, amount: toUsd(netCents) };
  const back = reversals.slice(-1).map((last) => ({
    ...last,
    createdAt: last.createdAt.toISOString(),
    amount: -toUsd(reversedNetCents),
  }));
  return [sold, ...back];
}

function splitOf(sale: Sale | undefined): Receipt['split'] {
  if (!sale) return null;
  const { grossCents, feeCents, netCents, feePercent } = sale;
  return { gross: toUsd(grossCents), platformFee: toUsd(feeCents), feePercent, creator: toUsd(netCents) };
}

function moneyOf({ heldCents, chargedCents, endedAt }: Call, side: Side) {
  if (side === 'creator') return { held: null, charged: null, released: null };
  const releasedCents = endedAt === null ? 0 : heldCents - chargedCents;
  return { held: toUsd(heldCents), charged: toUsd(chargedCents), released: toUsd(releasedCents) };
}

/** Throws NOT_FOUND. */
export async function viewReceipt(ctx: Context, actor: Actor, id: string): Promise<Receipt> {
  const { call, side } = await accessCall(ctx.db, actor, id);
  const saleId = call.chargedCents > 0 ? call.transactionId : null;
  const [known, moments, reversals] = await Promise.all([
    knownOf(ctx.db, [call], side),
    momentsOf(ctx.db, id),
    saleId ? reversalsOf(ctx.db, saleId) : [],
  ]);
  const sale = side === 'creator' ? known.sales.get(saleId) : undefined;
  return {
    ...presentLog(call, side, known),
    timeline: moments.map(({ at, moment, by, talkedMs }) => ({
      ...{ at: at.toISOString(), moment, talkedMs },
      // The fan sees a declined call as busy, so the timeline does not say who ended it.
      by: moment === 'over' && reasonFor(call, side) !== call.reason ? null : by,
    })),
    chargedSeconds: call.chargedCents > 0 ? chargedSeconds(call.talkedMs) : 0,
    isFree: call.talkedMs > 0 && chargedSeconds(call.talkedMs) === 0,
    ...moneyOf(call, side),
    split: splitOf(sale),
    entries: side === 'fan' ? await fanEntries(ctx.db, call, moments, reversals) : creatorEntries(sale, reversals),
  };
}
