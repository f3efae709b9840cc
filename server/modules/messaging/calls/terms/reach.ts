import type { Context } from '../../../../platform/context.ts';
import { getPresence } from '../../../identity/presence/index.ts';

/** Whether a device of the creator rings without an open page. */
type ReachCheck = (creatorId: string) => Promise<boolean>;
const reachChecks = new WeakMap<Context, ReachCheck>();

export function registerReachCheck(ctx: Context, check: ReachCheck): void {
  reachChecks.set(ctx, check);
}

export async function isUnreachable(ctx: Context, creatorId: string): Promise<boolean> {
  return getPresence(ctx, creatorId) === 'offline' && !(await reachChecks.get(ctx)?.(creatorId));
}
