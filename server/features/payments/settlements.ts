/**
 * Settlements of the card processor, which an operator books from its statement: the payment to the bank and the
 * retained fees reduce the amount due. An incorrect settlement is reversed by a new transaction.
 */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { settlementId, transactionId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { bookSettlement as bookRoute, listSettlements, settlement } from '@stagedoor/contract/settlements.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { account, balanceOf, hashRequest, type Leg, post } from '../ledger/index.ts';
import { CCBILL } from './ccbill/ours.ts';

type Tools = Pick<Context, 'clock' | 'db'>;
type View = z.input<typeof settlement>;
type Sums = { bankCents: number; feeCents: number; chargebackFeeCents: number };
type Row = Sums & {
  id: string;
  provider: string;
  reference: string;
  day: string;
  transactionId: string;
  operatorId: string;
  at: Date;
  takenBackId: string | null;
  takenBackBy: string | null;
  takenBackAt: Date | null;
  takenBackGround: string | null;
};

const COLUMNS = `select id, provider, reference, day::text as day, bank_cents as "bankCents", fee_cents as "feeCents", chargeback_fee_cents as "chargebackFeeCents",
    transaction_id as "transactionId", operator_id as "operatorId", at, taken_back_id as "takenBackId", taken_back_by as "takenBackBy",
    taken_back_at as "takenBackAt", taken_back_ground as "takenBackGround" from processor_settlements`;
const PAGE: Statement = {
  name: 'settlements-page',
  text: `${COLUMNS} order by day desc, id desc limit $1 offset $2`,
};
const COUNT: Statement = { name: 'settlements-count', text: 'select count(*) as count from processor_settlements' };
const ONE: Statement = { name: 'settlements-one', text: `${COLUMNS} where id = $1` };
const STANDING: Statement = {
  name: 'settlements-standing',
  text: `${COLUMNS} where provider = $1 and lower(reference) = lower($2) and taken_back_id is null`,
};
const KEEP: Statement = {
  name: 'settlements-keep',
  text: `insert into processor_settlements (id, provider, reference, day, bank_cents, fee_cents, chargeback_fee_cents, transaction_id, operator_id, at)
    values ($1, $2, $3, $4::date, $5, $6, $7, $8, $9, $10)`,
};
const TAKE_BACK: Statement = {
  name: 'settlements-take-back',
  text: 'update processor_settlements set taken_back_id = $2, taken_back_by = $3, taken_back_at = $4, taken_back_ground = $5 where id = $1',
};
const ONE_AFTER_ANOTHER: Statement = {
  name: 'settlements-lock',
  text: `select pg_advisory_xact_lock(hashtext('settlements'))`,
};

const grossOf = ({ bankCents, feeCents, chargebackFeeCents }: Sums) => bankCents + feeCents + chargebackFeeCents;
const legsOf = (provider: string, sums: Sums): Leg[] => [
  [account.bank, sums.bankCents],
  [account.processorFee, sums.feeCents],
  [account.chargebackFee, sums.chargebackFeeCents],
  [account.clearing(provider), -grossOf(sums)],
];

async function present(db: Executor, rows: readonly Row[]): Promise<View[]> {
  const people = await findPeople(
    db,
    rows.flatMap(({ operatorId, takenBackBy }) => (takenBackBy === null ? [operatorId] : [operatorId, takenBackBy])),
  );
  const nameOf = (id: string | null) => people.get(id ?? '')?.username ?? '';
  return rows.map((row) => ({
    id: z.parse(settlementId, row.id),
    reference: row.reference,
    day: row.day,
    bank: toUsd(row.bankCents),
    fees: toUsd(row.feeCents),
    chargebackFees: toUsd(row.chargebackFeeCents),
    gross: toUsd(grossOf(row)),
    transactionId: z.parse(transactionId, row.transactionId),
    bookedAt: row.at.toISOString(),
    operator: nameOf(row.operatorId),
    takenBack:
      row.takenBackId === null || row.takenBackAt === null
        ? null
        : {
            at: row.takenBackAt.toISOString(),
            ground: row.takenBackGround ?? '',
            operator: nameOf(row.takenBackBy),
            transactionId: z.parse(transactionId, row.takenBackId),
          },
  }));
}

async function viewOne({ db }: Pick<Tools, 'db'>, id: string): Promise<View> {
  const [view] = await present(db, await db.run<Row>(ONE, [id]));
  if (!view) throw new Error('the settlement was not found');
  return view;
}

const todayOf = ({ clock }: Pick<Tools, 'clock'>) => clock.now().toISOString().slice(0, 10);

export function viewSettlements(
  ctx: Tools,
  { limit, offset }: QueryOf<typeof listSettlements>,
): Promise<AnswerOf<typeof listSettlements>> {
  const skip = skipOf(offset);
  return ctx.db.snapshot(async (db) => {
    const rows = await db.run<Row>(PAGE, [limit, skip]);
    const [counted] = await db.run<{ count: number }>(COUNT, []);
    const [owed, bank] = [await balanceOf(db, account.clearing(CCBILL)), await balanceOf(db, account.bank)];
    return {
      ...pageOf(await present(db, rows), { limit, skip, total: counted?.count ?? 0 }),
      owed: toUsd(owed),
      bank: toUsd(bank),
      today: todayOf(ctx),
    };
  });
}

type Wanted = Sums & { reference: string; day: string };

async function knownOf(tx: Transaction, { reference, day, ...sums }: Wanted): Promise<string | undefined> {
  const [known] = await tx.run<Row>(STANDING, [CCBILL, reference]);
  if (!known) return undefined;
  const names = ['bankCents', 'feeCents', 'chargebackFeeCents'] as const;
  if (known.day === day && names.every((name) => known[name] === sums[name])) return known.id;
  throw invalid(
    'reference',
    `${known.reference} is already recorded: ${formatCents(known.bankCents)} received on ${known.day}, ${formatCents(known.feeCents + known.chargebackFeeCents)} in fees. If that’s wrong, reverse it first.`,
  );
}

/**
 * Books a settlement and its audit log entry in one transaction. A repetition returns the existing one. Throws
 * VALIDATION (a future day, no amount at all, more than the processor owes, or a reference with other values).
 */
export async function bookSettlement(
  ctx: Tools,
  operatorId: string,
  { reference, day, bank, fees, chargebackFees }: BodyOf<typeof bookRoute>,
): Promise<View> {
  const { clock } = ctx;
  const sums = { bankCents: toCents(bank), feeCents: toCents(fees), chargebackFeeCents: toCents(chargebackFees) };
  const gross = grossOf(sums);
  if (gross === 0) throw invalid('bank', 'Enter an amount received or a fee.');
  if (day > todayOf(ctx)) throw invalid('day', 'This date is in the future.');
  const id = await ctx.db.transaction(async (tx) => {
    await tx.run(ONE_AFTER_ANOTHER, []);
    const known = await knownOf(tx, { reference, day, ...sums });
    if (known !== undefined) return known;
    const owed = await balanceOf(tx, account.clearing(CCBILL));
    if (gross > owed)
      throw invalid(
        'bank',
        `The processor owes ${formatCents(owed)}, but this settlement is ${formatCents(gross)}. Check the amounts and for missing records.`,
      );
    const [made, at] = [newId(clock), clock.now()];
    const posted = await post(tx, {
      kind: 'processor_settlement',
      legs: legsOf(CCBILL, sums),
      operation: { actorId: operatorId, operationId: made, requestHash: hashRequest({ reference, day, ...sums }) },
      external: { provider: CCBILL, ref: reference, eventKey: `settlement ${made}` },
      metadata: { day },
      at,
    });
    const { bankCents, feeCents, chargebackFeeCents } = sums;
    const kept = [CCBILL, reference, day, bankCents, feeCents, chargebackFeeCents];
    await tx.run(KEEP, [made, ...kept, posted.transactionId, operatorId, at]);
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settlement.book',
      subjectKind: 'transaction',
      subjectId: posted.transactionId,
      facts: { reference, day, cents: gross, ...sums },
    });
    return made;
  });
  return viewOne(ctx, id);
}

/**
 * Reverses an incorrect settlement, so that the processor owes the amount again. A repetition with the same operator
 * and reason has no effect. Throws NOT_FOUND, CONFLICT (already reversed).
 */
export async function takeSettlementBack(ctx: Tools, operatorId: string, id: string, ground: string): Promise<View> {
  const { clock } = ctx;
  await ctx.db.transaction(async (tx) => {
    await tx.run(ONE_AFTER_ANOTHER, []);
    const [row] = await tx.run<Row>(ONE, [id]);
    if (!row) throw new AppError('NOT_FOUND');
    if (row.takenBackBy === operatorId && row.takenBackGround === ground) return;
    if (row.takenBackId !== null) throw new AppError('CONFLICT', { message: 'This was already reversed.' });
    const at = clock.now();
    const back = await post(tx, {
      kind: 'processor_settlement_return',
      legs: legsOf(row.provider, row).map(([code, cents]): Leg => [code, -cents]),
      operation: { actorId: operatorId, operationId: newId(clock), requestHash: hashRequest({ id, ground }) },
      reversesId: row.transactionId,
      at,
    });
    await tx.run(TAKE_BACK, [id, back.transactionId, operatorId, at, ground]);
    const { reference, day } = row;
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settlement.takeBack',
      subjectKind: 'transaction',
      subjectId: row.transactionId,
      facts: { reference, day, cents: grossOf(row), ground, reversal: back.transactionId },
    });
  });
  return viewOne(ctx, id);
}
