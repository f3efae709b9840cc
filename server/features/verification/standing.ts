import { closedWords, VERIFICATION_STATUSES, type VerificationStatus } from '@stagedoor/contract/verification.ts';
import * as z from 'zod/mini';
import type { Executor, Statement } from '../../kernel/db.ts';
import { agreement } from './agreement.ts';
import { legalStatusOf } from './present.ts';

const DOOR: Statement = {
  name: 'verification-door',
  text: 'select status, agreement_version as "agreementVersion" from verifications where creator_id = $1',
};
const BEGINNING = { status: 'started', agreementVersion: null };
const status = z.enum(VERIFICATION_STATUSES);

const VERDICT: Statement = {
  name: 'verification-verdict',
  text: `select status, decided_at as "decidedAt", agreement_version is not distinct from $2 as "hasSigned"
    from verifications where creator_id = $1`,
};

export type Verdict = { status: VerificationStatus; decidedAt: Date | null; hasSigned: boolean };

export async function verdictOf(db: Executor, creatorId: string): Promise<Verdict> {
  const [row] = await db.run<Verdict>(VERDICT, [creatorId, agreement.version]);
  return row ?? { status: 'started', decidedAt: null, hasSigned: false };
}

/** Returns why a creator may not sell, in a sentence that begins with `what` ("Payouts"), or undefined. */
export async function whyClosed(db: Executor, creatorId: string, what: string): Promise<string | undefined> {
  const [row = BEGINNING] = await db.run<{ status: string; agreementVersion: string | null }>(DOOR, [creatorId]);
  return closedWords(what, { status: z.parse(status, row.status), legalStatus: legalStatusOf(row) });
}
