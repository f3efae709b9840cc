import type { AdminSale } from '@stagedoor/contract/admin/approval-request.ts';
import type { CasePurchase } from '@stagedoor/contract/admin/cases.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { transactionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { formatBuyerRefund, formatCreatorRefund } from '@stagedoor/contract/trust/case-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { listSalesByIds, listSalesToFans, refundSale, type Sale } from '../../../commerce/sales/index.ts';
import { findUser, findUserSummaries } from '../../../identity/accounts/index.ts';
import { CASE_KIND_RULES } from '../kinds.ts';
import { createCaseMail } from '../mails.ts';
import type { CaseDecisionRow, CaseRow } from '../store.ts';
import * as texts from '../texts.ts';

export type RefundablePurchase = { sale: Sale; isForContent: boolean; canRefund: boolean };

const LIST_REPORTERS: SqlStatement = {
  name: 'moderation-reporters',
  text: `select by_id as id from case_entries where case_id = $1 and kind = 'report' and by_id is not null group by by_id order by min(at), by_id limit 100`,
};

const FIND_REPORTERS: SqlStatement = {
  name: 'moderation-reporters-among',
  text: `select distinct by_id as id from case_entries where case_id = $1 and kind = 'report' and by_id = any ($2::uuid[])`,
};

/** Finds the given purchases regardless of their age and of the number of reporters. */
async function findNamedSales(db: Executor, row: CaseRow, ids: readonly string[]): Promise<Sale[]> {
  if (ids.length === 0) return [];
  const sales = await listSalesByIds(db, ids);
  const buyers = sales.map(({ fanId }) => fanId);
  const reporters = new Set((await db.run<{ id: string }>(FIND_REPORTERS, [row.id, buyers])).map(({ id }) => id));
  return sales.filter(
    ({ fanId, creatorId }) =>
      (fanId === row.from_id || reporters.has(fanId)) && (row.user_id === null || creatorId === row.user_id),
  );
}

/**
 * Refundable purchases come first, among them those for the reported content, then the newest. Sales in `includedIds` are
 * always included. `count` is the total.
 */
export async function findPurchases(
  db: Executor,
  row: CaseRow,
  { includedIds = [] }: { includedIds?: readonly string[] | undefined } = {},
): Promise<{ purchases: RefundablePurchase[]; count: number }> {
  if (!CASE_KIND_RULES[row.kind].hasRefunds) return { purchases: [], count: 0 };
  const reporters = await db.run<{ id: string }>(LIST_REPORTERS, [row.id]);
  const included = await findNamedSales(db, row, includedIds);
  const { sales: recent, count } = await listSalesToFans(db, {
    fanIds: [...new Set([...reporters.map(({ id }) => id), ...(row.from_id === null ? [] : [row.from_id])])],
    creatorId: row.user_id,
    preferredSubjectId: row.subject_id,
    limit: CASE_LIMITS.purchases,
  });
  const sales = [...included, ...recent.filter(({ id }) => !includedIds.includes(id))];
  const buyers = await Promise.all([...new Set(sales.map(({ fanId }) => fanId))].map((id) => findUser(db, id)));
  const activeBuyerIds = new Set<string>(buyers.flatMap((buyer) => (buyer && !buyer.is_erasing ? [buyer.id] : [])));
  const purchases = sales.map((sale) => ({
    sale,
    isForContent: row.subject_id !== null && sale.subjectId === row.subject_id,
    canRefund: sale.grossCents > sale.reversedCents && activeBuyerIds.has(sale.fanId),
  }));
  return { purchases, count: Math.max(count, purchases.length) };
}

/** The result contains no text written by users. */
export async function presentSales(db: Executor, sales: readonly Sale[]): Promise<AdminSale[]> {
  const usersById = await findUserSummaries(
    db,
    sales.flatMap(({ fanId, creatorId }) => [fanId, creatorId]),
  );
  const toParty = (id: string) => ({ id: z.parse(userId, id), username: usersById.get(id)?.username ?? '' });
  return sales.map((sale) => ({
    id: z.parse(transactionId, sale.id),
    at: sale.createdAt.toISOString(),
    title: sale.title,
    buyer: toParty(sale.fanId),
    creator: toParty(sale.creatorId),
    amount: toUsd(sale.grossCents),
    refunded: toUsd(sale.reversedCents),
  }));
}

export async function presentPurchases(
  db: Executor,
  purchases: readonly RefundablePurchase[],
): Promise<CasePurchase[]> {
  const sales = await presentSales(
    db,
    purchases.map(({ sale }) => sale),
  );
  return purchases.flatMap(({ isForContent, canRefund }, index) => {
    const sale = sales[index];
    return sale ? { ...sale, isForContent, canRefund } : [];
  });
}

const refundUndoSchema = z.object({ sales: z._default(z.array(z.string()), []) });

/** Returns whether all of these sales were refunded, which means that the request is a repetition. */
export function areRefunded(
  decisions: readonly Pick<CaseDecisionRow, 'action' | 'undo'>[],
  sales: readonly string[],
): boolean {
  const refundedIds = decisions.flatMap(({ action, undo }) =>
    action === 'refund' ? z.parse(refundUndoSchema, undo).sales : [],
  );
  return sales.length > 0 && sales.every((id) => refundedIds.includes(id));
}

/** Throws VALIDATION when a refund names no purchases. */
export function requireSaleIds(sales: readonly string[] | undefined): string[] {
  if (sales === undefined) throw createFieldError('sales', texts.selectPurchasesToRefund);
  return [...new Set(sales)];
}

/** Returns the refundable amount in cents. Throws as {@link refundPurchases} does. */
export function sumRefundable(purchases: readonly RefundablePurchase[], sales: readonly string[]): number {
  return getRequestedSales(purchases, sales).reduce(
    (cents, { grossCents, reversedCents }) => cents + grossCents - reversedCents,
    0,
  );
}

function getRequestedSales(purchases: readonly RefundablePurchase[], sales: readonly string[]): Sale[] {
  return sales.map((id) => {
    const purchase = purchases.find(({ sale }) => sale.id === id);
    if (!purchase) throw new AppError('NOT_FOUND');
    if (!purchase.canRefund) throw new AppError('CONFLICT', { message: texts.alreadyRefundedInFull });
    return purchase.sale;
  });
}

type PurchaseRefund = { sale: Sale; grossCents: number; netCents: number; owedCents: number };

async function mailBothParties(
  ctx: Context,
  tx: DbTransaction,
  { reference }: CaseRow,
  purchaseRefund: PurchaseRefund,
  reason: string,
) {
  const { sale, grossCents, netCents, owedCents } = purchaseRefund;
  const [buyer, creator] = [await findUser(tx, sale.fanId), await findUser(tx, sale.creatorId)];
  const amount = formatCents(grossCents);
  const toUrl = (path: string) => `${ctx.config.publicUrl}${path}`;
  if (buyer) {
    const text = formatBuyerRefund({ sum: amount, creator: creator?.username ?? '', reason });
    await ctx.mailer.send(tx, createCaseMail(buyer, reference, text, toUrl(CASE_PATHS.fanHelpdesk)));
  }
  if (creator && !creator.is_erasing) {
    const owed = owedCents > 0 ? formatCents(owedCents) : null;
    const text = formatCreatorRefund({ sum: amount, net: formatCents(netCents), owed, reason });
    await ctx.mailer.send(tx, createCaseMail(creator, reference, text, toUrl(CASE_PATHS.creatorHelpdesk)));
  }
}

/**
 * Refunds what is left of each purchase. Throws NOT_FOUND for a sale that is no purchase of this case, CONFLICT if it
 * was already refunded or the buyer's account is closed.
 */
export async function refundPurchases(
  ctx: Context,
  tx: DbTransaction,
  {
    by,
    row,
    purchases,
    sales,
    reason,
  }: {
    by: string;
    row: CaseRow;
    purchases: readonly RefundablePurchase[];
    sales: readonly string[];
    reason: string;
  },
): Promise<PurchaseRefund[]> {
  const requested = getRequestedSales(purchases, sales);
  const refunds: PurchaseRefund[] = [];
  // Sales are sorted by buyer, so that concurrent refunds lock wallets in the same order.
  for (const sale of requested.toSorted((a, b) => (a.fanId + a.id < b.fanId + b.id ? -1 : 1))) {
    const saleRefund = await refundSale(tx, {
      saleId: sale.id,
      actorId: by,
      operationId: sale.id,
      reason,
      at: ctx.clock.now(),
    });
    // This operator refunded it through another case, and users must be notified only once.
    if (saleRefund.isReplayed) throw new AppError('CONFLICT', { message: texts.alreadyRefundedInFull });
    const { grossCents, netCents, owedCents } = saleRefund;
    refunds.push({ sale, grossCents, netCents, owedCents });
  }
  for (const purchaseRefund of refunds) await mailBothParties(ctx, tx, row, purchaseRefund, reason);
  return refunds;
}

export const sumRefunds = (refunds: readonly PurchaseRefund[]): number =>
  refunds.reduce((sum, { grossCents }) => sum + grossCents, 0);
export const sumOwed = (refunds: readonly PurchaseRefund[]): number =>
  refunds.reduce((sum, { owedCents }) => sum + owedCents, 0);
