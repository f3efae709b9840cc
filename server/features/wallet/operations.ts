/** Idempotency of calls that move no money themselves, in the kernel's `operations`. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';

const CLAIM: Statement = {
  name: 'wallet-operation-claim',
  text: 'insert into operations (actor_id, operation_id, request_hash, subject_id) values ($1, $2, $3, $4) on conflict do nothing returning 1 as made',
};
const FIND: Statement = {
  name: 'wallet-operation-find',
  text: 'select request_hash, subject_id from operations where actor_id = $1 and operation_id = $2',
};

export type Operation = { actorId: string; operationId: string; requestHash: Buffer; subjectId: string };

/**
 * Takes an operation id for `subjectId`. Answers undefined when it was free, else the subject that it was used for before;
 * a twin that is still at work is waited for. Throws CONFLICT when it was used for another request.
 */
export async function claimOperation(
  tx: Transaction,
  { actorId, operationId, requestHash, subjectId }: Operation,
): Promise<string | undefined> {
  const claimed = await tx.run(CLAIM, [actorId, operationId, requestHash, subjectId]);
  if (claimed.length > 0) return undefined;
  const [earlier] = await tx.run<{ request_hash: Buffer; subject_id: string | null }>(FIND, [actorId, operationId]);
  if (!earlier?.subject_id || !earlier.request_hash.equals(requestHash)) {
    throw new AppError('CONFLICT', { message: 'This Idempotency-Key was used for another request.' });
  }
  return earlier.subject_id;
}
