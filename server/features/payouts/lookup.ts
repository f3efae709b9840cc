import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Executor, Statement } from '../../kernel/db.ts';

export type FoundPayout = {
  id: string;
  number: number;
  userId: string;
  source: string;
  status: string;
  transactionIds: string[];
};

const CALLED: Statement = {
  name: 'payouts-called',
  text: `select p.id, p.number, p.user_id as "userId", p.source, p.status, array(select distinct m.transaction_id from payout_moments m
      where m.payout_id = p.id and m.transaction_id is not null union select unnest(array[p.transaction_id, p.sent_id, p.paid_id]) except select null) as "transactionIds"
    from payouts p where p.id = $1::uuid or p.number = $2::bigint`,
};
const NUMBER = /^PO-0*(\d{1,15})$/i;

export async function findPayoutCalled(db: Executor, name: string): Promise<FoundPayout | undefined> {
  const number = NUMBER.exec(name)?.[1];
  if (number === undefined && !isId(name)) return undefined;
  const [row] = await db.run<FoundPayout>(CALLED, [number === undefined ? name : null, number ?? null]);
  return row;
}
