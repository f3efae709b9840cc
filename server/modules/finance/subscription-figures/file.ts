/** The list as CSV. It is written page by page, so that a slow client neither fills the memory nor holds a connection. */
import type { SubscriberFilter } from '@stagedoor/contract/finance/subscription-figures.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { BOM, formatCsvAmount, formatCsvTime, toCsvRow, toSafeCell } from '../../../platform/csv.ts';
import { getEndReason, getNewFrom, getState } from './list.ts';
import { listSubscribersBefore, type SubscriberRow } from './list-store.ts';
import * as texts from './texts.ts';

const PAGE_SIZE = 500;

function formatPeriod({ recurrence, recurrence_count: count }: SubscriberRow): string {
  if (recurrence === 'weekly') return texts.weekly;
  if (recurrence === 'yearly') return texts.yearly;
  return count === 1 ? texts.monthly : `${count} months`;
}

function formatState(row: SubscriberRow): string {
  const state = getState(row);
  const isCanceled = state !== 'ended' && row.paid_until !== null && !row.is_renewing;
  return isCanceled ? texts.canceledState : texts.STATES[state];
}

function formatRow(row: SubscriberRow): string {
  const endReason = getEndReason(row);
  return toCsvRow([
    toSafeCell(row.name),
    toSafeCell(row.username),
    toSafeCell(row.tier_name),
    formatPeriod(row),
    formatCsvAmount(row.price_cents),
    toSafeCell(row.offer_code ?? ''),
    texts.PAYMENT_SOURCES[row.payment_source],
    formatState(row),
    formatCsvTime(row.started_at),
    formatCsvTime(row.paid_until),
    formatCsvTime(row.canceled_at),
    formatCsvTime(row.ended_at),
    endReason === null ? '' : texts.END_REASONS[endReason],
    formatCsvAmount(row.paid_cents),
  ]);
}

async function* writeRows(ctx: Context, creatorId: string, filter: SubscriberFilter): AsyncGenerator<Buffer> {
  yield Buffer.from(BOM + toCsvRow(texts.COLUMNS));
  const newFrom = getNewFrom(ctx);
  let before: string | null = null;
  for (;;) {
    const rows: SubscriberRow[] = await listSubscribersBefore(ctx.db, creatorId, {
      filter,
      newFrom,
      before,
      limit: PAGE_SIZE,
    });
    if (rows.length > 0) yield Buffer.from(rows.map(formatRow).join(''));
    before = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE_SIZE) return;
  }
}

export function writeSubscribers(ctx: Context, creatorId: string, filter: SubscriberFilter): FileResponse {
  const day = ctx.clock.now().toISOString().slice(0, 10);
  return {
    name: `stagedoor-subscribers-${filter}-${day}.csv`,
    type: 'text/csv; charset=utf-8',
    body: writeRows(ctx, creatorId, filter),
  };
}
