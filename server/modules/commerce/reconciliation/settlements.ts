/**
 * Settlements of the card processor, which an operator books from its statement: the payment to the bank and the
 * retained fees reduce the amount due. An incorrect settlement is reversed by a new transaction.
 */

import type {
  bookSettlement as bookRoute,
  listSettlements,
  settlement,
} from '@stagedoor/contract/admin/settlements.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { settlementId, transactionId } from '@stagedoor/contract/shared/ids.ts';
import { formatCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { account, getBalance, hashRequest, type Leg, postTransaction } from '../../ledger/ledger/index.ts';
import { CCBILL } from '../ccbill/index.ts';
import * as texts from './texts.ts';

type SettlementContext = Pick<Context, 'clock' | 'db'>;
type SettlementView = z.input<typeof settlement>;
type SettlementAmounts = { bankCents: number; feeCents: number; chargebackFeeCents: number };
type Row = SettlementAmounts & {
  id: string;
  provider: string;
  reference: string;
  day: string;
  transactionId: string;
  operatorId: string;
  at: Date;
  reversalTransactionId: string | null;
  reversedBy: string | null;
  reversedAt: Date | null;
  reversalReason: string | null;
};

const COLUMNS = `select id, provider, reference, day::text as day, bank_cents as "bankCents", fee_cents as "feeCents", chargeback_fee_cents as "chargebackFeeCents",
    transaction_id as "transactionId", operator_id as "operatorId", at, reversal_transaction_id as "reversalTransactionId", reversed_by as "reversedBy",
    reversed_at as "reversedAt", reversal_reason as "reversalReason" from processor_settlements`;
const PAGE: SqlStatement = {
  name: 'settlements-page',
  text: `${COLUMNS} order by day desc, id desc limit $1 offset $2`,
};
const COUNT: SqlStatement = { name: 'settlements-count', text: 'select count(*) as count from processor_settlements' };
const FIND: SqlStatement = { name: 'settlements-one', text: `${COLUMNS} where id = $1` };
const FIND_ACTIVE: SqlStatement = {
  name: 'settlements-find-active',
  text: `${COLUMNS} where provider = $1 and lower(reference) = lower($2) and reversal_transaction_id is null`,
};
const INSERT: SqlStatement = {
  name: 'settlements-insert',
  text: `insert into processor_settlements (id, provider, reference, day, bank_cents, fee_cents, chargeback_fee_cents, transaction_id, operator_id, at)
    values ($1, $2, $3, $4::date, $5, $6, $7, $8, $9, $10)`,
};
const REVERSE: SqlStatement = {
  name: 'settlements-reverse',
  text: 'update processor_settlements set reversal_transaction_id = $2, reversed_by = $3, reversed_at = $4, reversal_reason = $5 where id = $1',
};
const LOCK: SqlStatement = {
  name: 'settlements-lock',
  text: `select pg_advisory_xact_lock(hashtext('settlements'))`,
};

const sumGross = ({ bankCents, feeCents, chargebackFeeCents }: SettlementAmounts) =>
  bankCents + feeCents + chargebackFeeCents;
const toLegs = (provider: string, amounts: SettlementAmounts): Leg[] => [
  [account.bank, amounts.bankCents],
  [account.processorFee, amounts.feeCents],
  [account.chargebackFee, amounts.chargebackFeeCents],
  [account.clearing(provider), -sumGross(amounts)],
];

async function presentSettlements(db: Executor, rows: readonly Row[]): Promise<SettlementView[]> {
  const users = await findUserSummaries(
    db,
    rows.flatMap(({ operatorId, reversedBy }) => (reversedBy === null ? [operatorId] : [operatorId, reversedBy])),
  );
  const getUsername = (id: string | null) => users.get(id ?? '')?.username ?? '';
  return rows.map((row) => ({
    id: z.parse(settlementId, row.id),
    reference: row.reference,
    day: row.day,
    bank: toUsd(row.bankCents),
    fees: toUsd(row.feeCents),
    chargebackFees: toUsd(row.chargebackFeeCents),
    gross: toUsd(sumGross(row)),
    transactionId: z.parse(transactionId, row.transactionId),
    bookedAt: row.at.toISOString(),
    operator: getUsername(row.operatorId),
    reversal:
      row.reversalTransactionId === null || row.reversedAt === null
        ? null
        : {
            at: row.reversedAt.toISOString(),
            reason: row.reversalReason ?? '',
            operator: getUsername(row.reversedBy),
            transactionId: z.parse(transactionId, row.reversalTransactionId),
          },
  }));
}

async function viewSettlement({ db }: Pick<SettlementContext, 'db'>, id: string): Promise<SettlementView> {
  const [view] = await presentSettlements(db, await db.run<Row>(FIND, [id]));
  if (!view) throw new Error('the settlement was not found');
  return view;
}

const getToday = ({ clock }: Pick<SettlementContext, 'clock'>) => clock.now().toISOString().slice(0, 10);

export function viewSettlements(
  ctx: SettlementContext,
  { limit, offset }: QueryOf<typeof listSettlements>,
): Promise<ResponseInputOf<typeof listSettlements>> {
  const skip = parseSkip(offset);
  return ctx.db.snapshot(async (db) => {
    const rows = await db.run<Row>(PAGE, [limit, skip]);
    const [counted] = await db.run<{ count: number }>(COUNT, []);
    const [owed, bank] = [await getBalance(db, account.clearing(CCBILL)), await getBalance(db, account.bank)];
    return {
      ...toOffsetPage(await presentSettlements(db, rows), { limit, skip, total: counted?.count ?? 0 }),
      owed: toUsd(owed),
      bank: toUsd(bank),
      today: getToday(ctx),
    };
  });
}

type SettlementInput = SettlementAmounts & { reference: string; day: string };

async function findExisting(
  tx: DbTransaction,
  { reference, day, ...amounts }: SettlementInput,
): Promise<string | undefined> {
  const [known] = await tx.run<Row>(FIND_ACTIVE, [CCBILL, reference]);
  if (!known) return undefined;
  const names = ['bankCents', 'feeCents', 'chargebackFeeCents'] as const;
  if (known.day === day && names.every((name) => known[name] === amounts[name])) return known.id;
  throw createFieldError(
    'reference',
    formatText(texts.settlementAlreadyRecorded, {
      reference: known.reference,
      receivedAmount: formatCents(known.bankCents),
      day: known.day,
      feeAmount: formatCents(known.feeCents + known.chargebackFeeCents),
    }),
  );
}

/**
 * Books a settlement and its audit log entry in one transaction. A repetition returns the existing one. Throws
 * VALIDATION (a future day, no amount at all, more than the processor owes, or a reference with other values).
 */
export async function bookSettlement(
  ctx: SettlementContext,
  operatorId: string,
  { reference, day, bank, fees, chargebackFees }: BodyOf<typeof bookRoute>,
): Promise<SettlementView> {
  const { clock } = ctx;
  const amounts = { bankCents: toCents(bank), feeCents: toCents(fees), chargebackFeeCents: toCents(chargebackFees) };
  const gross = sumGross(amounts);
  if (gross === 0) throw createFieldError('bank', texts.settlementAmountRequired);
  if (day > getToday(ctx)) throw createFieldError('day', texts.dateInFuture);
  const id = await ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, []);
    const known = await findExisting(tx, { reference, day, ...amounts });
    if (known !== undefined) return known;
    const owed = await getBalance(tx, account.clearing(CCBILL));
    if (gross > owed)
      throw createFieldError(
        'bank',
        formatText(texts.settlementExceedsBalance, {
          owedAmount: formatCents(owed),
          settlementAmount: formatCents(gross),
        }),
      );
    const [createdId, at] = [createId(clock), clock.now()];
    const posted = await postTransaction(tx, {
      kind: 'processor_settlement',
      legs: toLegs(CCBILL, amounts),
      operation: {
        actorId: operatorId,
        operationId: createdId,
        requestHash: hashRequest({ reference, day, ...amounts }),
      },
      external: { provider: CCBILL, ref: reference, eventKey: `settlement ${createdId}` },
      metadata: { day },
      at,
    });
    const { bankCents, feeCents, chargebackFeeCents } = amounts;
    const values = [CCBILL, reference, day, bankCents, feeCents, chargebackFeeCents];
    await tx.run(INSERT, [createdId, ...values, posted.transactionId, operatorId, at]);
    await logAction(ctx, tx, {
      operatorId,
      action: 'settlement.book',
      subjectKind: 'transaction',
      subjectId: posted.transactionId,
      details: { reference, day, cents: gross, ...amounts },
    });
    return createdId;
  });
  return viewSettlement(ctx, id);
}

/**
 * Reverses an incorrect settlement, so that the processor owes the amount again. A repetition with the same operator
 * and reason has no effect. Throws NOT_FOUND, CONFLICT (already reversed).
 */
export async function reverseSettlement(
  ctx: SettlementContext,
  operatorId: string,
  id: string,
  reason: string,
): Promise<SettlementView> {
  const { clock } = ctx;
  await ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, []);
    const [row] = await tx.run<Row>(FIND, [id]);
    if (!row) throw new AppError('NOT_FOUND');
    if (row.reversedBy === operatorId && row.reversalReason === reason) return;
    if (row.reversalTransactionId !== null)
      throw new AppError('CONFLICT', { message: texts.settlementAlreadyReversed });
    const at = clock.now();
    const reversal = await postTransaction(tx, {
      kind: 'processor_settlement_return',
      legs: toLegs(row.provider, row).map(([code, cents]): Leg => [code, -cents]),
      operation: { actorId: operatorId, operationId: createId(clock), requestHash: hashRequest({ id, reason }) },
      reversesId: row.transactionId,
      at,
    });
    await tx.run(REVERSE, [id, reversal.transactionId, operatorId, at, reason]);
    const { reference, day } = row;
    await logAction(ctx, tx, {
      operatorId,
      action: 'settlement.reverse',
      subjectKind: 'transaction',
      subjectId: row.transactionId,
      details: { reference, day, cents: sumGross(row), reason, reversal: reversal.transactionId },
    });
  });
  return viewSettlement(ctx, id);
}
