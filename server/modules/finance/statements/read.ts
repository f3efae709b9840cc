import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import {
  type EarningsBalances,
  type EarningsMovement,
  getEarningsPeriod,
  getWalletPeriod,
  type Sale,
  sumEarnings,
  type UtcPeriod,
  type WalletBalances,
  type WalletMovement,
} from '../../commerce/sales/index.ts';
import {
  type DisplayNames,
  findTransactionCalls,
  formatCallCost,
  formatSaleTitle,
  formatTipLocation,
  loadDisplayNames,
  presentLines,
  type TransactionCall,
} from '../wallet/index.ts';
import { type PartAmounts, type StatementRow, type StatementSource, toStatementBalance } from './model.ts';

export type StatementOwner = { userId: string };

const joinText = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');

/** A bare username is written without `@`, which a spreadsheet would take for a formula (platform/csv.ts). */
function formatUser(names: DisplayNames, id: string | undefined): string {
  const user = names.users.get(id ?? '');
  if (!user) return '';
  return user.name === user.username ? user.username : `${user.name} (@${user.username})`;
}

/** What was sold. A sale shows where and its note, a reversal shows which sale it reverses. */
function describeSale(sale: Sale, names: DisplayNames, isSaleItself: boolean): string {
  const content = sale.isOnce ? formatSaleTitle(sale, names) : formatTipLocation(sale, names);
  return isSaleItself ? joinText(content, sale.note && `“${sale.note}”`) : joinText(sale.title, content);
}

/**
 * All movements of a call have the same kind, so that its total is the cost of calls. The detail names the
 * movement.
 */
function describeCall({ title, sale }: WalletMovement, call: TransactionCall, detail: string | undefined) {
  const [kind, releaseTitle] = [MONEY_KINDS.call?.title, MONEY_KINDS.hold_release?.title];
  // The movement of a charge is the rest of the hold, which the charge releases.
  return { kind: kind ?? title, detail: sale ? joinText(releaseTitle, detail) : joinText(title, formatCallCost(call)) };
}

async function* readWalletRows(
  ctx: Context,
  db: Executor,
  movements: AsyncIterable<WalletMovement[]>,
): AsyncGenerator<StatementRow[]> {
  for await (const page of movements) {
    const ids = page.map(({ transactionId }) => transactionId);
    const calls = await findTransactionCalls(ctx, ids, db);
    const { views, names: displayNames } = await presentLines({ db }, page, calls);
    yield page.map((line, index): StatementRow => {
      const view = views[index];
      const { sale, title, transactionId, amountCents, feeCents } = line;
      const call = calls.get(transactionId);
      const detail = sale
        ? describeSale(sale, displayNames, sale.id === transactionId)
        : joinText(view?.title === title ? '' : view?.title, view?.detail);
      return {
        id: transactionId,
        at: line.createdAt,
        counterparty: formatUser(displayNames, sale?.creatorId ?? call?.creatorId),
        ...(call ? describeCall(line, call, view?.detail) : { kind: title, detail }),
        grossCents: amountCents - feeCents,
        feeCents,
        netCents: amountCents,
        parts: { available: line.availableCents, owed: line.owedCents },
        sale: null,
      };
    });
  }
}

/** Funds held for a call are not part of the balance until they are released. */
export function createWalletReader(ctx: Context) {
  return async (db: Executor, { userId }: StatementOwner, period: UtcPeriod): Promise<StatementSource> => {
    const { opening, closing, movements } = await getWalletPeriod(db, userId, period);
    const toBalance = ({ availableCents, owedCents }: WalletBalances) =>
      toStatementBalance({ available: availableCents, owed: owedCents });
    return {
      side: 'wallet',
      opening: toBalance(opening),
      closing: toBalance(closing),
      rows: readWalletRows(ctx, db, movements),
    };
  };
}

const toPartAmounts = ({ pendingCents, availableCents, reservedCents, owedCents }: EarningsBalances): PartAmounts => ({
  pending: pendingCents,
  available: availableCents,
  reserved: reservedCents,
  owed: owedCents,
});

function toEarningsRow(movement: EarningsMovement, names: DisplayNames): StatementRow {
  const { id, at, title, sale, grossCents, ...parts } = movement;
  const netCents = sumEarnings(parts);
  const isSaleItself = sale?.id === id;
  return {
    id,
    at,
    kind: title,
    counterparty: formatUser(names, sale?.fanId),
    detail: sale ? describeSale(sale, names, isSaleItself) : '',
    grossCents,
    feeCents: netCents - grossCents,
    netCents,
    parts: toPartAmounts(parts),
    sale:
      sale && isSaleItself
        ? { clearsAt: sale.clearsAt, clearedAt: sale.clearedAt, refundedCents: sale.reversedCents }
        : null,
  };
}

async function* readEarningsRows(
  db: Executor,
  movements: AsyncIterable<EarningsMovement[]>,
): AsyncGenerator<StatementRow[]> {
  for await (const page of movements) {
    const displayNames = await loadDisplayNames(
      { db },
      page.flatMap(({ sale }) => sale ?? []),
    );
    yield page.map((movement) => toEarningsRow(movement, displayNames));
  }
}

/** A creator's earnings minus what the creator owes. Clearing only moves money between the parts. */
export async function readEarnings(
  db: Executor,
  { userId }: StatementOwner,
  period: UtcPeriod,
): Promise<StatementSource> {
  const { opening, closing, movements } = await getEarningsPeriod(db, userId, period);
  return {
    side: 'earnings',
    opening: toStatementBalance(toPartAmounts(opening)),
    closing: toStatementBalance(toPartAmounts(closing)),
    rows: readEarningsRows(db, movements),
  };
}
