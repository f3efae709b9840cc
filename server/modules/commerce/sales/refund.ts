import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import {
  account,
  findOperation,
  getWalletBalance,
  hashRequest,
  lockWallet,
  postTransaction,
  reverseClearing,
  settleDebt,
  type WalletBalance,
} from '../../ledger/ledger/index.ts';
import { reverseSaleCommissions } from './commissions.ts';
import * as texts from './texts.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'sale.refunded': {
      transactionId: string;
      refundId: string;
      kind: string;
      fanId: string;
      creatorId: string;
      subjectId: string | null;
      refundedCents: number;
      netCents: number;
      isWhole: boolean;
      balanceCents: number;
      balanceLine?: number;
    };
  }
}

export type RefundInput = {
  saleId: string;
  /** The gross amount to refund, in cents. Capped by what is left, and all of it when absent. */
  grossCents?: number;
  actorId: string;
  operationId: string;
  reason?: string;
  at: Date;
};

export type RefundResult = WalletBalance & {
  refundId: string;
  isReplayed: boolean;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  /** The part of `netCents` that was already paid out, which the creator now owes. */
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

const FIND: SqlStatement = { name: 'sale-fan', text: 'select fan_id as "fanId" from sales where id = $1' };
const LOCK: SqlStatement = {
  name: 'sale-lock',
  text: `select fan_id as "fanId", creator_id as "creatorId", kind, (select k.fee_account from ledger_kinds k where k.kind = sales.kind) as "feeAccount", subject_id as "subjectId", gross_cents as "grossCents", fee_cents as "feeCents",
    reversed_cents as "reversedCents", reversed_fee_cents as "reversedFeeCents", clears_at as "clearsAt", (created_at at time zone 'UTC')::date::text as day,
    exists (select from sales_commissions c where c.sale_id = sales.id) as "isCommissioned"
    from sales where id = $1 for update`,
};
const REVERSE: SqlStatement = {
  name: 'sale-reverse',
  text: `update sales set reversed_cents = reversed_cents + $2, reversed_fee_cents = reversed_fee_cents + $3,
    refunded_at = greatest(refunded_at, date_trunc('milliseconds', $4::timestamptz)) where id = $1`,
};
const DELETE_OWNED: SqlStatement = {
  name: 'sale-disown',
  text: 'delete from owned_purchases where fan_id = $1 and subject_id = $2 and sale_id = $3',
};
const FIND_REFUND: SqlStatement = {
  name: 'sale-refund-stored',
  text: `select l.amount_cents as "grossCents",
      (select coalesce(sum(e.amount_cents), 0)::bigint from ledger_entries e join ledger_accounts f on f.id = e.account_id and f.kind = 'revenue'
        where e.transaction_id = $1) as "feeCents"
    from ledger_accounts a join ledger_lines l on l.account_id = a.id where a.code = $2 and l.transaction_id = $1 order by l.line desc limit 1`,
};

/**
 * Refunds a sale or a part of it to the wallet that paid it. Fee and share are reversed in their original proportion,
 * and parts sum to the whole. Cleared money is taken from the available balance. What is missing becomes a debt of the
 * creator (asset:creator:…:receivable), which later clearing repays. Statistics deduct the refund on the day of the
 * sale. Idempotent per operation id. Throws NOT_FOUND, CONFLICT (nothing left, or operation id reused).
 */
export async function refundSale(tx: DbTransaction, refund: RefundInput): Promise<RefundResult> {
  const { saleId, actorId, operationId, reason, at } = refund;
  const [saleFan] = await tx.run<{ fanId: string }>(FIND, [saleId]);
  if (!saleFan) throw new AppError('NOT_FOUND');
  await lockWallet(tx, saleFan.fanId);
  const [sale] = await tx.run<Row>(LOCK, [saleId]);
  if (!sale) throw new AppError('NOT_FOUND');
  const { fanId, creatorId, kind, subjectId } = sale;

  const remainingCents = sale.grossCents - sale.reversedCents;
  const requestHash = hashRequest({ kind: 'sale_refund', saleId, grossCents: refund.grossCents ?? null });
  const grossCents = Math.min(asCents(refund.grossCents ?? remainingCents), remainingCents);
  // The total so far is rounded instead of each part, so that the parts sum to the fee.
  const feeCents =
    Math.round((sale.feeCents * (sale.reversedCents + grossCents)) / sale.grossCents) - sale.reversedFeeCents;
  const netCents = grossCents - feeCents;
  const isKnown = (await findOperation(tx, actorId, operationId)) !== undefined;
  if (!isKnown && grossCents <= 0) throw new AppError('CONFLICT', { message: texts.nothingLeftToRefund });
  // Affiliates come before the creator, in the order in which clearing locks their accounts.
  if (!isKnown && sale.isCommissioned)
    await reverseSaleCommissions(tx, { saleId, refundedCents: sale.reversedCents + grossCents, at });
  const pending = account.pending(creatorId);
  const owed = isKnown
    ? 0
    : await reverseClearing(tx, { pending, transactionId: saleId, clearsAt: sale.clearsAt, cents: netCents, at });
  const posted = await postTransaction(tx, {
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
  if (isKnown) return loadRefund(tx, posted.transactionId, fanId, remainingCents === 0);

  await tx.run(REVERSE, [saleId, grossCents, feeCents, at]);
  const isWhole = grossCents === remainingCents;
  if (isWhole) await tx.run(DELETE_OWNED, [fanId, subjectId, saleId]);
  const { balanceCents, balanceLine } = await settleDebt(tx, fanId, at);
  const remainingNetCents = sale.grossCents - sale.feeCents - (sale.reversedCents - sale.reversedFeeCents) - netCents;
  const payload = {
    transactionId: saleId,
    refundId: posted.transactionId,
    kind,
    fanId,
    creatorId,
    subjectId,
    isWhole,
    ...{ balanceCents, balanceLine },
  };
  await tx.emit('sale.refunded', { ...payload, refundedCents: grossCents, netCents: remainingNetCents });
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

async function loadRefund(tx: DbTransaction, refundId: string, fanId: string, isWhole: boolean): Promise<RefundResult> {
  const [row] = await tx.run<{ grossCents: number; feeCents: number }>(FIND_REFUND, [refundId, account.wallet(fanId)]);
  if (!row) throw new AppError('NOT_FOUND');
  const { grossCents, feeCents } = row;
  const amounts = {
    grossCents: asCents(grossCents),
    feeCents: asCents(feeCents),
    netCents: asCents(grossCents - feeCents),
    owedCents: asCents(0),
  };
  // Returns the current balance, because a debt may have been repaid since.
  return { refundId, isReplayed: true, ...amounts, isWhole, ...(await getWalletBalance(tx, fanId)) };
}
