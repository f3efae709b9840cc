import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { listSalesByIds } from '../../../commerce/sales/index.ts';
import type { CallsByTransaction, TransactionCall } from '../../../finance/wallet/index.ts';
import { getReasonFor } from '../call/sides.ts';

const LIST_BY_TRANSACTIONS: SqlStatement = {
  name: 'calls-of-transactions',
  text: `with moved as (
      select hold_id as transaction_id, id from calls where hold_id = any ($1::uuid[])
      union select transaction_id, call_id from call_events where transaction_id = any ($1::uuid[])
      union select transaction_id, id from calls where transaction_id = any ($1::uuid[]))
    select m.transaction_id as "transactionId", c.id, c.fan_id as "fanId", c.creator_id as "creatorId", c.kind, c.connected_ms as "connectedMs",
      c.rate_cents as "rateCents", c.held_cents as "heldCents", c.charged_cents as "chargedCents", c.ended_at is not null as "isOver", c.reason,
      c.transaction_id as "saleId"
    from moved m join calls c on c.id = m.id`,
};

type CallTransactionRow = Omit<TransactionCall, 'refundedCents'> & { transactionId: string; saleId: string | null };

export async function listCallsByTransaction(
  db: Executor,
  transactionIds: readonly string[],
): Promise<CallsByTransaction> {
  const rows = await db.run<CallTransactionRow>(LIST_BY_TRANSACTIONS, [transactionIds]);
  const sales = await listSalesByIds(
    db,
    rows.flatMap(({ saleId }) => saleId ?? []),
  );
  const refundedById = new Map(sales.map(({ id, reversedCents }) => [id, reversedCents]));
  return new Map(
    rows.map(({ transactionId, saleId, ...call }) => [
      transactionId,
      { ...call, reason: getReasonFor(call, 'fan'), refundedCents: refundedById.get(saleId ?? '') ?? 0 },
    ]),
  );
}
