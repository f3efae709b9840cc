import {
  findSellingObstacle,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from '@stagedoor/contract/compliance/verification.ts';
import * as z from 'zod/mini';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { agreement } from './agreement.ts';
import { getLegalStatus } from './present.ts';

const FIND_STATUS: SqlStatement = {
  name: 'verification-find-status',
  text: 'select status, agreement_version as "agreementVersion" from verifications where creator_id = $1',
};
const NOT_STARTED = { status: 'started', agreementVersion: null };
const status = z.enum(VERIFICATION_STATUSES);

const FIND_VERDICT: SqlStatement = {
  name: 'verification-verdict',
  text: `select status, decided_at as "decidedAt", agreement_version is not distinct from $2 as "hasSigned"
    from verifications where creator_id = $1`,
};

export type VerificationVerdict = { status: VerificationStatus; decidedAt: Date | null; hasSigned: boolean };

export async function getVerificationVerdict(db: Executor, creatorId: string): Promise<VerificationVerdict> {
  const [row] = await db.run<VerificationVerdict>(FIND_VERDICT, [creatorId, agreement.version]);
  return row ?? { status: 'started', decidedAt: null, hasSigned: false };
}

/** Returns why a creator may not sell, in a sentence that begins with `subject` ("Payouts"), or undefined. */
export async function findIneligibilityReason(
  db: Executor,
  creatorId: string,
  subject: string,
): Promise<string | undefined> {
  const [row = NOT_STARTED] = await db.run<{ status: string; agreementVersion: string | null }>(FIND_STATUS, [
    creatorId,
  ]);
  return findSellingObstacle(subject, { status: z.parse(status, row.status), legalStatus: getLegalStatus(row) });
}
