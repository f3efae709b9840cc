import { MONEY_KINDS } from '@stagedoor/contract/money-kinds.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import {
  type EarningsMovement,
  type EarningsParts,
  earningsPeriod,
  earningsTotal,
  type Period,
  type Sale,
  type WalletMovement,
  type WalletParts,
  walletPeriod,
} from '../sales/index.ts';
import {
  callCost,
  type MovedCall,
  movedCalls,
  type Names,
  namesOf,
  presentLines,
  saleTitle,
  tipPlace,
} from '../wallet/index.ts';
import { balanceOf, type Parts, type Row, type Source } from './model.ts';

export type Owner = { userId: string };

const words = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');

/** A bare username is written without `@`, which a spreadsheet would take for a formula (kernel/spreadsheet.ts). */
function whoOf(names: Names, id: string | undefined): string {
  const person = names.people.get(id ?? '');
  if (!person) return '';
  return person.name === person.username ? person.username : `${person.name} (@${person.username})`;
}

/** What was sold. A sale shows where and its note, a reversal shows which sale it reverses. */
function saleDetail(sale: Sale, names: Names, isItself: boolean): string {
  const place = sale.isOnce ? saleTitle(sale, names) : tipPlace(sale, names);
  return isItself ? words(place, sale.note && `“${sale.note}”`) : words(sale.title, place);
}

/**
 * All movements of a call have the same kind, so that its total is the cost of calls. The detail says which movement it
 * is.
 */
function callWords({ title, sale }: WalletMovement, call: MovedCall, detail: string | undefined) {
  const [kind, back] = [MONEY_KINDS.call?.title, MONEY_KINDS.hold_release?.title];
  // The movement of a charge is the rest of the hold, which the charge releases.
  return { kind: kind ?? title, detail: sale ? words(back, detail) : words(title, callCost(call)) };
}

async function* walletRows(
  ctx: Context,
  db: Executor,
  movements: AsyncIterable<WalletMovement[]>,
): AsyncGenerator<Row[]> {
  for await (const page of movements) {
    const ids = page.map(({ transactionId }) => transactionId);
    const calls = await movedCalls(ctx, ids, db);
    const { views, names: known } = await presentLines({ db }, page, calls);
    yield page.map((line, index): Row => {
      const view = views[index];
      const { sale, title, transactionId, amountCents, feeCents } = line;
      const call = calls.get(transactionId);
      const detail = sale
        ? saleDetail(sale, known, sale.id === transactionId)
        : words(view?.title === title ? '' : view?.title, view?.detail);
      return {
        id: transactionId,
        at: line.createdAt,
        who: whoOf(known, sale?.creatorId ?? call?.creatorId),
        ...(call ? callWords(line, call, view?.detail) : { kind: title, detail }),
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
export function walletReader(ctx: Context) {
  return async (db: Executor, { userId }: Owner, period: Period): Promise<Source> => {
    const { opening, closing, movements } = await walletPeriod(db, userId, period);
    const balance = ({ availableCents, owedCents }: WalletParts) =>
      balanceOf({ available: availableCents, owed: owedCents });
    return {
      side: 'wallet',
      opening: balance(opening),
      closing: balance(closing),
      rows: walletRows(ctx, db, movements),
    };
  };
}

const partsOf = ({ pendingCents, availableCents, reservedCents, owedCents }: EarningsParts): Parts => ({
  pending: pendingCents,
  available: availableCents,
  reserved: reservedCents,
  owed: owedCents,
});

function earningsRow(movement: EarningsMovement, names: Names): Row {
  const { id, at, title, sale, grossCents, ...parts } = movement;
  const netCents = earningsTotal(parts);
  const isItself = sale?.id === id;
  return {
    id,
    at,
    kind: title,
    who: whoOf(names, sale?.fanId),
    detail: sale ? saleDetail(sale, names, isItself) : '',
    grossCents,
    feeCents: netCents - grossCents,
    netCents,
    parts: partsOf(parts),
    sale:
      sale && isItself
        ? { clearsAt: sale.clearsAt, clearedAt: sale.clearedAt, givenBackCents: sale.reversedCents }
        : null,
  };
}

async function* earningsRows(db: Executor, movements: AsyncIterable<EarningsMovement[]>): AsyncGenerator<Row[]> {
  for await (const page of movements) {
    const known = await namesOf(
      { db },
      page.flatMap(({ sale }) => sale ?? []),
    );
    yield page.map((movement) => earningsRow(movement, known));
  }
}

/** A creator's earnings minus what the creator owes. Clearing only moves money between the parts. */
export async function readEarnings(db: Executor, { userId }: Owner, period: Period): Promise<Source> {
  const { opening, closing, movements } = await earningsPeriod(db, userId, period);
  return {
    side: 'earnings',
    opening: balanceOf(partsOf(opening)),
    closing: balanceOf(partsOf(closing)),
    rows: earningsRows(db, movements),
  };
}
