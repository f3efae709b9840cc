/** What other rooms ask: whether a creator may sell and be paid. */
import { closedWords, VERIFICATION_STATUSES } from '@stagedoor/contract/verification.ts';
import * as z from 'zod/mini';
import type { Executor, Statement } from '../../kernel/db.ts';
import { legalStatusOf } from './present.ts';

const DOOR: Statement = {
  name: 'verification-door',
  text: 'select status, agreement_version as "agreementVersion" from verifications where creator_id = $1',
};
const BEGINNING = { status: 'started', agreementVersion: null };
const status = z.enum(VERIFICATION_STATUSES);

/** Why a creator's door is closed, in a sentence that begins with what waits for it ("Payouts"); nothing when it is open. */
export async function whyClosed(db: Executor, creatorId: string, what: string): Promise<string | undefined> {
  const [row = BEGINNING] = await db.run<{ status: string; agreementVersion: string | null }>(DOOR, [creatorId]);
  return closedWords(what, { status: z.parse(status, row.status), legalStatus: legalStatusOf(row) });
}
