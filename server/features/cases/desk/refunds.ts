import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { transactionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { refundedWords, saleTakenBackWords } from '@stagedoor/contract/case-kinds.ts';
import type { CasePurchase } from '@stagedoor/contract/cases-desk.ts';
import type { DeskSale } from '@stagedoor/contract/money-act-view.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../../kernel/db.ts';
import { findPeople, findUser } from '../../accounts/index.ts';
import { boughtBy, findSales, refundSale, type Sale } from '../../sales/index.ts';
import { KINDS } from '../kinds.ts';
import { decidedMail } from '../mails.ts';
import type { CaseRow, DecisionRow } from '../store.ts';

export type Purchase = { sale: Sale; isOfThing: boolean; canGiveBack: boolean };

const REPORTERS: Statement = {
  name: 'cases-reporters',
  text: `select by_id as id from case_entries where case_id = $1 and kind = 'report' and by_id is not null group by by_id order by min(at), by_id limit 100`,
};

const REPORTERS_AMONG: Statement = {
  name: 'cases-reporters-among',
  text: `select distinct by_id as id from case_entries where case_id = $1 and kind = 'report' and by_id = any ($2::uuid[])`,
};

/** Finds the given purchases regardless of their age and of the number of reporters. */
async function namedOf(db: Executor, row: CaseRow, ids: readonly string[]): Promise<Sale[]> {
  if (ids.length === 0) return [];
  const sales = await findSales(db, ids);
  const buyers = sales.map(({ fanId }) => fanId);
  const reporters = new Set((await db.run<{ id: string }>(REPORTERS_AMONG, [row.id, buyers])).map(({ id }) => id));
  return sales.filter(
    ({ fanId, creatorId }) =>
      (fanId === row.from_id || reporters.has(fanId)) && (row.person_id === null || creatorId === row.person_id),
  );
}

/**
 * Refundable purchases come first, among them those for the reported content, then the newest. Sales in `named` are
 * always included. `count` is the total.
 */
export async function purchasesOf(
  db: Executor,
  row: CaseRow,
  { named = [] }: { named?: readonly string[] | undefined } = {},
): Promise<{ purchases: Purchase[]; count: number }> {
  if (!KINDS[row.kind].hasRefunds) return { purchases: [], count: 0 };
  const reporters = await db.run<{ id: string }>(REPORTERS, [row.id]);
  const wanted = await namedOf(db, row, named);
  const { sales: shown, count } = await boughtBy(db, {
    fanIds: [...new Set([...reporters.map(({ id }) => id), ...(row.from_id === null ? [] : [row.from_id])])],
    creatorId: row.person_id,
    firstOf: row.subject_id,
    limit: CASES.purchases,
  });
  const sales = [...wanted, ...shown.filter(({ id }) => !named.includes(id))];
  const buyers = await Promise.all([...new Set(sales.map(({ fanId }) => fanId))].map((id) => findUser(db, id)));
  const there = new Set<string>(buyers.flatMap((buyer) => (buyer && !buyer.is_erasing ? [buyer.id] : [])));
  const purchases = sales.map((sale) => ({
    sale,
    isOfThing: row.subject_id !== null && sale.subjectId === row.subject_id,
    canGiveBack: sale.grossCents > sale.reversedCents && there.has(sale.fanId),
  }));
  return { purchases, count: Math.max(count, purchases.length) };
}

/** The result contains no text written by users. */
export async function presentSales(db: Executor, sales: readonly Sale[]): Promise<DeskSale[]> {
  const people = await findPeople(
    db,
    sales.flatMap(({ fanId, creatorId }) => [fanId, creatorId]),
  );
  const sideOf = (id: string) => ({ id: z.parse(userId, id), username: people.get(id)?.username ?? '' });
  return sales.map((sale) => ({
    id: z.parse(transactionId, sale.id),
    at: sale.createdAt.toISOString(),
    title: sale.title,
    buyer: sideOf(sale.fanId),
    creator: sideOf(sale.creatorId),
    amount: toUsd(sale.grossCents),
    givenBack: toUsd(sale.reversedCents),
  }));
}

export async function presentPurchases(db: Executor, purchases: readonly Purchase[]): Promise<CasePurchase[]> {
  const sales = await presentSales(
    db,
    purchases.map(({ sale }) => sale),
  );
  return purchases.flatMap(({ isOfThing, canGiveBack }, at) => {
    const sale = sales[at];
    return sale ? { ...sale, isOfThing, canGiveBack } : [];
  });
}

const refundFacts = z.object({ sales: z._default(z.array(z.string()), []) });

/** Returns whether all of these sales were refunded, which means that the request is a repetition. */
export function isGivenBack(
  decisions: readonly Pick<DecisionRow, 'act' | 'undo'>[],
  sales: readonly string[],
): boolean {
  const given = decisions.flatMap(({ act, undo }) => (act === 'refund' ? z.parse(refundFacts, undo).sales : []));
  return sales.length > 0 && sales.every((id) => given.includes(id));
}

/** Throws VALIDATION when a refund names no purchases. */
export function salesOf(sales: readonly string[] | undefined): string[] {
  if (sales === undefined) throw invalid('sales', 'Select the purchases to refund.');
  return [...new Set(sales)];
}

/** Returns the refundable amount in cents. Throws as {@link giveBack} does. */
export function leftOf(purchases: readonly Purchase[], sales: readonly string[]): number {
  return wishedOf(purchases, sales).reduce(
    (cents, { grossCents, reversedCents }) => cents + grossCents - reversedCents,
    0,
  );
}

function wishedOf(purchases: readonly Purchase[], sales: readonly string[]): Sale[] {
  return sales.map((id) => {
    const purchase = purchases.find(({ sale }) => sale.id === id);
    if (!purchase) throw new AppError('NOT_FOUND');
    if (!purchase.canGiveBack) throw new AppError('CONFLICT', { message: 'This was already refunded in full.' });
    return purchase.sale;
  });
}

type Given = { sale: Sale; grossCents: number; netCents: number; owedCents: number };

async function tellSides(ctx: Context, tx: Transaction, { reference }: CaseRow, given: Given, ground: string) {
  const { sale, grossCents, netCents, owedCents } = given;
  const [buyer, creator] = [await findUser(tx, sale.fanId), await findUser(tx, sale.creatorId)];
  const sum = formatCents(grossCents);
  const at = (path: string) => `${ctx.config.publicUrl}${path}`;
  if (buyer) {
    const words = refundedWords({ sum, creator: creator?.username ?? '', ground });
    await ctx.mailer.send(tx, decidedMail(buyer, reference, words, at(CASE_PATHS.fanHelpdesk)));
  }
  if (creator && !creator.is_erasing) {
    const owed = owedCents > 0 ? formatCents(owedCents) : null;
    const words = saleTakenBackWords({ sum, net: formatCents(netCents), owed, ground });
    await ctx.mailer.send(tx, decidedMail(creator, reference, words, at(CASE_PATHS.creatorHelpdesk)));
  }
}

/**
 * Refunds what is left of each purchase. Throws NOT_FOUND for a sale that is no purchase of this case, CONFLICT if it
 * was already refunded or the buyer's account is closed.
 */
export async function giveBack(
  ctx: Context,
  tx: Transaction,
  {
    by,
    row,
    purchases,
    sales,
    ground,
  }: {
    by: string;
    row: CaseRow;
    purchases: readonly Purchase[];
    sales: readonly string[];
    ground: string;
  },
): Promise<Given[]> {
  const wished = wishedOf(purchases, sales);
  const given: Given[] = [];
  // Sales are sorted by buyer, so that concurrent refunds lock wallets in the same order.
  for (const sale of wished.toSorted((a, b) => (a.fanId + a.id < b.fanId + b.id ? -1 : 1))) {
    const done = await refundSale(tx, {
      saleId: sale.id,
      actorId: by,
      operationId: sale.id,
      reason: ground,
      at: ctx.clock.now(),
    });
    // This operator refunded it through another case, and users must be notified only once.
    if (done.isReplayed) throw new AppError('CONFLICT', { message: 'This was already refunded in full.' });
    const { grossCents, netCents, owedCents } = done;
    given.push({ sale, grossCents, netCents, owedCents });
  }
  for (const one of given) await tellSides(ctx, tx, row, one, ground);
  return given;
}

export const sumOf = (given: readonly Given[]): number => given.reduce((sum, { grossCents }) => sum + grossCents, 0);
export const owedOf = (given: readonly Given[]): number => given.reduce((sum, { owedCents }) => sum + owedCents, 0);
