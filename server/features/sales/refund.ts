/** Giving a sale back to the fan's wallet, wholly or in part: the split that was used is reversed, wherever the money is now. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import {
  account,
  findOperation,
  hashRequest,
  lockWallet,
  post,
  settledBalance,
  unclear,
  type WalletBalance,
  walletBalance,
} from '../ledger/index.ts';
import { returnCommissions } from './commissions.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A sale was given back, wholly (`isWhole`, nothing is left of it) or in part. */
    'sale.refunded': {
      /** The sale. */
      transactionId: string;
      refundId: string;
      kind: string;
      fanId: string;
      creatorId: string;
      subjectId: string | null;
      /** Given back to the fan this time. */
      refundedCents: number;
      /** What the creator keeps of the sale after it. */
      netCents: number;
      isWhole: boolean;
      /** The fan's balance after it, and the line of their statement. */
      balanceCents: number;
      balanceLine?: number;
    };
  }
}

export type SaleRefund = {
  saleId: string;
  /** What to give back, in cents of the gross. Capped by what is left; all of it if absent. */
  grossCents?: number;
  /** Who gives it back, and their id for it. */
  actorId: string;
  operationId: string;
  reason?: string;
  at: Date;
};

export type SaleRefunded = WalletBalance & {
  refundId: string;
  isReplayed: boolean;
  grossCents: Cents;
  feeCents: Cents;
  /** What the creator gave of it. */
  netCents: Cents;
  /** The part of `netCents` that the creator had spent already and owes now. */
  owedCents: Cents;
  isWhole: boolean;
};

type Row = {
  fanId: string;
  creatorId: string;
  kind: string;
  feeAccount: string;
  subjectId: string | null;
  grossCents: number;
  feeCents: number;
  reversedCents: number;
  reversedFeeCents: number;
  clearsAt: Date;
  day: string;
  isCommissioned: boolean;
};

const FIND: Statement = { name: 'sale-fan', text: 'select fan_id as "fanId" from sales where id = $1' };
const LOCK: Statement = {
  name: 'sale-lock',
  text: `select fan_id as "fanId", creator_id as "creatorId", kind, (select k.fee_account from ledger_kinds k where k.kind = sales.kind) as "feeAccount", subject_id as "subjectId", gross_cents as "grossCents", fee_cents as "feeCents",
    reversed_cents as "reversedCents", reversed_fee_cents as "reversedFeeCents", clears_at as "clearsAt", (created_at at time zone 'UTC')::date::text as day,
    exists (select from sales_commissions c where c.sale_id = sales.id) as "isCommissioned"
    from sales where id = $1 for update`,
};
const REVERSE: Statement = {
  name: 'sale-reverse',
  text: `update sales set reversed_cents = reversed_cents + $2, reversed_fee_cents = reversed_fee_cents + $3,
    given_back_at = greatest(given_back_at, date_trunc('milliseconds', $4::timestamptz)) where id = $1`,
};
const DISOWN: Statement = {
  name: 'sale-disown',
  text: 'delete from sales_owned where fan_id = $1 and subject_id = $2 and sale_id = $3',
};
const STORED: Statement = {
  name: 'sale-refund-stored',
  text: `select l.amount_cents as "grossCents",
      (select coalesce(sum(e.amount_cents), 0)::bigint from ledger_entries e join ledger_accounts f on f.id = e.account_id and f.kind = 'revenue'
        where e.transaction_id = $1) as "feeCents"
    from ledger_accounts a join ledger_lines l on l.account_id = a.id where a.code = $2 and l.transaction_id = $1 order by l.line desc limit 1`,
};

/**
 * Gives a sale, or a part of it, back to the wallet it came from. Fee and share go back in the proportion they were taken;
 * parts sum to the whole. What the creator has cleared comes out of what is available, and what is gone is owed
 * (asset:creator:…:receivable), repaid by what clears next. It counts against the sale's own day in the statistics.
 * The same operation again answers the same. Throws NOT_FOUND, CONFLICT (nothing left, or operation id reused).
 */
export async function refundSale(tx: Transaction, refund: SaleRefund): Promise<SaleRefunded> {
  const { saleId, actorId, operationId, reason, at } = refund;
  const [found] = await tx.run<{ fanId: string }>(FIND, [saleId]);
  if (!found) throw new AppError('NOT_FOUND');
  await lockWallet(tx, found.fanId);
  const [sale] = await tx.run<Row>(LOCK, [saleId]);
  if (!sale) throw new AppError('NOT_FOUND');
  const { fanId, creatorId, kind, subjectId } = sale;

  const left = sale.grossCents - sale.reversedCents;
  const requestHash = hashRequest({ kind: 'sale_refund', saleId, grossCents: refund.grossCents ?? null });
  const grossCents = Math.min(asCents(refund.grossCents ?? left), left);
  // Rounding what was given back in total, not each part, makes the parts sum to the fee.
  const feeCents =
    Math.round((sale.feeCents * (sale.reversedCents + grossCents)) / sale.grossCents) - sale.reversedFeeCents;
  const netCents = grossCents - feeCents;
  const isKnown = (await findOperation(tx, actorId, operationId)) !== undefined;
  if (!isKnown && grossCents <= 0) throw new AppError('CONFLICT', { message: 'Nothing is left to give back.' });
  // Affiliates before the creator, as clearing locks what is theirs.
  if (!isKnown && sale.isCommissioned)
    await returnCommissions(tx, { saleId, givenBackCents: sale.reversedCents + grossCents, at });
  const pending = account.pending(creatorId);
  const owed = isKnown
    ? 0
    : await unclear(tx, { pending, transactionId: saleId, clearsAt: sale.clearsAt, cents: netCents, at });
  const posted = await post(tx, {
    kind: 'sale_refund',
    legs: [
      [pending, netCents],
      [sale.feeAccount, feeCents],
      [account.wallet(fanId), -grossCents],
    ],
    operation: { actorId, operationId, requestHash },
    reversesId: saleId,
    ...(reason && { metadata: { reason } }),
    at,
    tag: kind,
    day: sale.day,
  });
  if (isKnown) return storedRefund(tx, posted.transactionId, fanId, left === 0);

  await tx.run(REVERSE, [saleId, grossCents, feeCents, at]);
  const isWhole = grossCents === left;
  if (isWhole) await tx.run(DISOWN, [fanId, subjectId, saleId]);
  const { balanceCents, balanceLine } = await settledBalance(tx, fanId, at);
  const keptCents = sale.grossCents - sale.feeCents - (sale.reversedCents - sale.reversedFeeCents) - netCents;
  const told = {
    transactionId: saleId,
    refundId: posted.transactionId,
    kind,
    fanId,
    creatorId,
    subjectId,
    isWhole,
    ...{ balanceCents, balanceLine },
  };
  await tx.emit('sale.refunded', { ...told, refundedCents: grossCents, netCents: keptCents });
  return {
    refundId: posted.transactionId,
    isReplayed: false,
    grossCents: asCents(grossCents),
    feeCents: asCents(feeCents),
    netCents: asCents(netCents),
    owedCents: asCents(owed),
    isWhole,
    ...{ balanceCents, balanceLine },
  };
}

async function storedRefund(tx: Transaction, refundId: string, fanId: string, isWhole: boolean): Promise<SaleRefunded> {
  const [row] = await tx.run<{ grossCents: number; feeCents: number }>(STORED, [refundId, account.wallet(fanId)]);
  if (!row) throw new AppError('NOT_FOUND');
  const { grossCents, feeCents } = row;
  const amounts = {
    grossCents: asCents(grossCents),
    feeCents: asCents(feeCents),
    netCents: asCents(grossCents - feeCents),
    owedCents: asCents(0),
  };
  // The balance as it is: of what was given back a debt may have been paid in between.
  return { refundId, isReplayed: true, ...amounts, isWhole, ...(await walletBalance(tx, fanId)) };
}
