/** A proof is valid for some minutes and in this session only. */

import type { stepUp as route } from '@stagedoor/contract/admin/staff.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { getStepUpExpiry } from '../../../platform/security/operators.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { reauthenticate, recordStepUp } from '../accounts/index.ts';

/** Throws as reauthenticate: VALIDATION on `currentPassword` or `code`, RATE_LIMITED after too many attempts. */
export async function stepUp(
  ctx: Context,
  actor: Actor,
  body: BodyOf<typeof route>,
): Promise<ResponseInputOf<typeof route>> {
  const confirmReauthentication = await reauthenticate(ctx, actor, body);
  const stepUpAt = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await confirmReauthentication(tx);
    await recordStepUp(tx, actor, stepUpAt);
  });
  // The cached session does not contain the proof yet.
  ctx.sessions.invalidate({ sessionIds: [actor.sessionId] });
  ctx.security.note({ kind: 'steppedUp', userId: actor.userId });
  return { stepUpExpiresAt: getStepUpExpiry({ ...actor, stepUpAt }, ctx).toISOString() };
}
