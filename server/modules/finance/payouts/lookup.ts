import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

export type PayoutMatch = {
  id: string;
  number: number;
  userId: string;
  source: string;
  status: string;
  transactionIds: string[];
};

const FIND: SqlStatement = {
  name: 'payouts-called',
  text: `select p.id, p.number, p.user_id as "userId", p.source, p.status, array(select distinct m.transaction_id from payout_events m
      where m.payout_id = p.id and m.transaction_id is not null union select unnest(array[p.transaction_id, p.sent_transaction_id, p.paid_transaction_id]) except select null) as "transactionIds"
    from payouts p where p.id = $1::uuid or p.number = $2::bigint`,
};
const NUMBER = /^PO-0*(\d{1,15})$/i;

export async function findPayoutByNumberOrId(db: Executor, name: string): Promise<PayoutMatch | undefined> {
  const number = NUMBER.exec(name)?.[1];
  if (number === undefined && !isId(name)) return undefined;
  const [row] = await db.run<PayoutMatch>(FIND, [number === undefined ? name : null, number ?? null]);
  return row;
}
