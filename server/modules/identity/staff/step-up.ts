/** A proof is valid for some minutes and in this session only. */

import type { stepUp as route } from '@stagedoor/contract/admin/staff.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { getStepUpExpiry } from '../../../platform/security/operators.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { proveIdentity } from '../accounts/index.ts';

/** Throws VALIDATION on `currentPassword` or `code`, RATE_LIMITED after too many attempts. */
export async function stepUp(
  ctx: Context,
  actor: Actor,
  body: BodyOf<typeof route>,
): Promise<ResponseInputOf<typeof route>> {
  const stepUpAt = await proveIdentity(ctx, actor, body);
  return { stepUpExpiresAt: getStepUpExpiry({ ...actor, stepUpAt }, ctx).toISOString() };
}
