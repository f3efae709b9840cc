/** What other rooms ask: whether a creator may sell and be paid. */
import type { VerificationStatus } from '@stagedoor/contract/verification.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { agreement } from './agreement.ts';

const DOOR: Statement = {
  name: 'verification-door',
  text: `select status = 'verified' as is_verified, agreement_version is not distinct from $2 as has_signed
    from verifications where creator_id = $1`,
};

const VERDICT: Statement = {
  name: 'verification-verdict',
  text: `select status, decided_at as "decidedAt", agreement_version is not distinct from $2 as "hasSigned"
    from verifications where creator_id = $1`,
};

export type Verdict = { status: VerificationStatus; decidedAt: Date | null; hasSigned: boolean };

/** What was decided of a creator, and whether they have signed the agreement in force. */
export async function verdictOf(db: Executor, creatorId: string): Promise<Verdict> {
  const [row] = await db.run<Verdict>(VERDICT, [creatorId, agreement.version]);
  return row ?? { status: 'started', decidedAt: null, hasSigned: false };
}

/** Why a creator's door is closed, in a sentence that begins with what waits for it ("Payouts"); nothing when it is open. */
export async function whyClosed(db: Executor, creatorId: string, what: string): Promise<string | undefined> {
  const [row] = await db.run<{ is_verified: boolean; has_signed: boolean }>(DOOR, [creatorId, agreement.version]);
  if (!row?.is_verified) return `${what} begin once you are verified. Please hand in your documents first.`;
  if (!row.has_signed) return `${what} begin once you have signed the creator agreement in its present version.`;
  return undefined;
}
