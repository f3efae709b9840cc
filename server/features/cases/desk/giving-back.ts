/** Large refunds wait for a second operator's approval. The case stays open. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { CASE_QUEUES } from '@stagedoor/contract/case-kinds.ts';
import type { DeskSale } from '@stagedoor/contract/money-act-view.ts';
import { operatorMayDecide } from '@stagedoor/contract/operator-rights.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Transaction } from '../../../kernel/db.ts';
import { noteAct } from '../../audit/index.ts';
import { letGo, type MoneyActRoom } from '../../operators/index.ts';
import { findSales } from '../../sales/index.ts';
import { type Involved, requireMayDecide } from '../access.ts';
import { lockAgainst } from '../copyright/store.ts';
import { KINDS } from '../kinds.ts';
import { addEntry, changeCase, lockCase } from '../store.ts';
import { giveBack, isGivenBack, leftOf, owedOf, presentSales, salesOf, sumOf } from './refunds.ts';
import { involvedIn } from './view.ts';
import { type Operator, type Wish, writeDecision } from './write.ts';

export const decisionsOf = (tx: Transaction, caseId: string) =>
  tx.query.selectFrom('case_decisions').selectAll().where('case_id', '=', caseId).execute();

/**
 * Refunds purchases or requests approval. The case returns to its original queue. Repeating the request does nothing.
 * Throws as decide.ts does.
 */
export async function refundWithin(
  ctx: Context,
  tx: Transaction,
  actor: Operator,
  involved: Involved,
  wish: Wish,
): Promise<void> {
  const { row, purchases } = involved;
  const sales = salesOf(wish.sales);
  const { ground } = wish;
  if (operatorMayDecide(actor.roles ?? [], 'refund', false) && isGivenBack(await decisionsOf(tx, row.id), sales))
    return;
  requireMayDecide(actor, involved, 'refund');
  const cents = leftOf(purchases, sales);
  const of = { kind: 'refund', subjectId: row.id, about: row.reference, operatorId: actor.userId } as const;
  const { waits, isNew, facts } = await letGo(ctx, tx, { ...of, cents, ground, wish: { sales: sales.join(' ') } });
  if (!waits) return refund(ctx, tx, { by: actor.userId, involved, sales, ground, facts });
  if (!isNew) return;
  await noteAct(ctx, tx, {
    operatorId: actor.userId,
    act: 'case.refundWanted',
    subjectKind: 'case',
    subjectId: row.id,
    facts: { reference: row.reference, person: row.person_id, ground, sales: sales.join(' '), cents },
  });
}

type Refund = {
  by: string;
  involved: Involved;
  sales: readonly string[];
  ground: string;
  facts: Readonly<Record<string, string | boolean>>;
};

/** Throws CONFLICT if a purchase was already refunded or the buyer's account is closed. */
async function refund(ctx: Context, tx: Transaction, { by, involved, sales, ground, facts }: Refund): Promise<void> {
  const { row, purchases } = involved;
  const given = await giveBack(ctx, tx, { by, row, purchases, sales, ground });
  const wish: Wish = { act: 'refund', ground };
  const decision = await writeDecision(ctx, tx, { by, row, wish, undo: { sales: [...sales] } });
  const sum = sumOf(given);
  const body = `refund: ${formatCents(sum)}. ${ground}`;
  await addEntry(ctx, tx, row.id, { kind: 'decision', byId: by, body });
  await changeCase(tx, row.id, { queue: KINDS[row.kind].queue, changed_at: ctx.clock.now() });
  await noteAct(ctx, tx, {
    operatorId: by,
    act: 'case.refund',
    subjectKind: 'case',
    subjectId: row.id,
    facts: {
      reference: row.reference,
      decision: decision.id,
      person: row.person_id,
      ground,
      sales: sales.join(' '),
      cents: sum,
      owed_cents: owedOf(given),
      ...facts,
    },
  });
}

const refundWish = z.object({ sales: z.string() });
const namedIn = (wish: unknown): string[] => z.parse(refundWish, wish).sales.split(' ');

async function queuesOf(db: Executor, ids: string[]) {
  const rows = await db.query.selectFrom('cases').select(['id', 'queue']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, queue }) => [id, z.parse(z.enum(CASE_QUEUES), queue)]));
}

export const refundByTwo = (ctx: Context): MoneyActRoom => ({
  lock: async (tx, id) => {
    await lockAgainst(tx, id);
    if (!(await lockCase(tx, id))) throw new AppError('NOT_FOUND');
  },
  perform: async (tx, { subjectId, cents, wish, ground, askedBy, confirmer }) => {
    const row = await lockCase(tx, subjectId);
    if (!row) throw new AppError('NOT_FOUND');
    const sales = namedIn(wish);
    const involved = await involvedIn(tx, row, { named: sales });
    requireMayDecide(confirmer, involved, 'refund');
    if (leftOf(involved.purchases, sales) > cents) throw new Error('no sale grows');
    await refund(ctx, tx, { by: askedBy, involved, sales, ground, facts: { confirmedBy: confirmer.userId } });
  },
  show: async (db, acts) => {
    const named = acts.map(({ wish }) => namedIn(wish));
    const found = await findSales(db, named.flat());
    const sales = new Map<string, DeskSale>((await presentSales(db, found)).map((sale) => [sale.id, sale]));
    const queues = await queuesOf(
      db,
      acts.map(({ subjectId }) => subjectId),
    );
    return acts.map(({ subjectId }, at) => ({
      sales: (named[at] ?? []).flatMap((id) => sales.get(id) ?? []),
      queue: queues.get(subjectId) ?? null,
    }));
  },
});
