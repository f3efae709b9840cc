import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../../platform/geo.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { CALL_COLUMNS, type Call, type CallSide, findCallSide } from './sides.ts';

const FIND: SqlStatement = { name: 'calls-find', text: `select ${CALL_COLUMNS} from calls c where c.id = $1` };

/** Does not check access. */
export async function findCall(db: Executor, id: string): Promise<Call | undefined> {
  return (await db.run<Call>(FIND, [id]))[0];
}

/**
 * Throws NOT_FOUND for other users' calls, for a creator's screened calls, and for a fan's finished free calls with a
 * creator who is geo-blocked here.
 */
export async function accessCall(db: Executor, actor: Actor, id: string): Promise<{ call: Call; side: CallSide }> {
  const unsafeCall = await findCall(db, id);
  const side = unsafeCall && findCallSide(unsafeCall, actor.userId);
  if (!unsafeCall || !side || (side === 'creator' && unsafeCall.isScreened)) throw new AppError('NOT_FOUND');
  if (side === 'fan' && unsafeCall.endedAt !== null && unsafeCall.chargedCents === 0)
    requireNotGeoBlocked(unsafeCall.creatorId);
  return { call: unsafeCall, side };
}

const FIND_OPEN: SqlStatement = {
  name: 'calls-open-of',
  text: `select ${CALL_COLUMNS} from calls c where c.fan_id = $1 and c.ended_at is null
    union all select ${CALL_COLUMNS} from calls c where c.creator_id = $1 and c.ended_at is null`,
};

export async function findOpenCall(db: Executor, userId: string): Promise<Call | undefined> {
  return (await db.run<Call>(FIND_OPEN, [userId]))[0];
}
