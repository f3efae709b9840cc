/** What other rooms ask: whether a creator may sell and be paid. */
import type { Executor, Statement } from '../../kernel/db.ts';
import { agreement } from './agreement.ts';

const IS_OPEN: Statement = {
  name: 'verification-is-open',
  text: `select exists (select from verifications where creator_id = $1 and status = 'verified' and agreement_version = $2) as is_open`,
};

const HAS_SIGNED: Statement = {
  name: 'verification-has-signed',
  text: `select not exists (select from creators where user_id = $1)
      or exists (select from verifications where creator_id = $1 and agreement_version = $2) as is_open`,
};

/** Why a creator who is verified is not paid yet; nothing for everybody else. */
export async function waitsForSignature(db: Executor, { userId }: { userId: string }): Promise<string | undefined> {
  const [row] = await db.run<{ is_open: boolean }>(HAS_SIGNED, [userId, agreement.version]);
  return row?.is_open ? undefined : 'Payouts begin once you have signed the creator agreement in its present version.';
}

/** Whether a creator is verified and has signed the agreement in force: what publishing paid work and payouts wait for. */
export async function isDoorOpen(db: Executor, creatorId: string): Promise<boolean> {
  const [row] = await db.run<{ is_open: boolean }>(IS_OPEN, [creatorId, agreement.version]);
  return row?.is_open === true;
}
