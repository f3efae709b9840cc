/** What other rooms ask: whether a creator may sell and be paid. */
import type { Executor, Statement } from '../../kernel/db.ts';
import { agreement } from './agreement.ts';

const IS_OPEN: Statement = {
  name: 'verification-is-open',
  text: `select exists (select from verifications where creator_id = $1 and status = 'verified' and agreement_version = $2) as is_open`,
};

/** Whether a creator is verified and has signed the agreement in force: what publishing paid work and payouts wait for. */
export async function isDoorOpen(db: Executor, creatorId: string): Promise<boolean> {
  const [row] = await db.run<{ is_open: boolean }>(IS_OPEN, [creatorId, agreement.version]);
  return row?.is_open === true;
}
