import type { Executor, Statement } from '../../../kernel/db.ts';
import { findSales } from '../../sales/index.ts';
import type { MovedCall, MovedCalls } from '../../wallet/index.ts';

const OF_TRANSACTIONS: Statement = {
  name: 'calls-of-transactions',
  text: `with moved as (
      select hold_id as transaction_id, id from calls where hold_id = any ($1::uuid[])
      union select transaction_id, call_id from call_moments where transaction_id = any ($1::uuid[])
      union select transaction_id, id from calls where transaction_id = any ($1::uuid[]))
    select m.transaction_id as "transactionId", c.id, c.fan_id as "fanId", c.creator_id as "creatorId", c.kind, c.talked_ms as "talkedMs",
      c.rate_cents as "rateCents", c.held_cents as "heldCents", c.charged_cents as "chargedCents", c.ended_at is not null as "isOver",
      c.transaction_id as "saleId"
    from moved m join calls c on c.id = m.id`,
};

type Row = Omit<MovedCall, 'givenBackCents'> & { transactionId: string; saleId: string | null };

export async function callsOfTransactions(db: Executor, transactionIds: readonly string[]): Promise<MovedCalls> {
  const rows = await db.run<Row>(OF_TRANSACTIONS, [transactionIds]);
  const sales = await findSales(
    db,
    rows.flatMap(({ saleId }) => saleId ?? []),
  );
  const givenBack = new Map(sales.map(({ id, reversedCents }) => [id, reversedCents]));
  return new Map(
    rows.map(({ transactionId, saleId, ...call }) => [
      transactionId,
      { ...call, givenBackCents: givenBack.get(saleId ?? '') ?? 0 },
    ]),
  );
}
