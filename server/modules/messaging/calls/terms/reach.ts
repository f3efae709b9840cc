import type { Context } from '../../../../platform/context.ts';
import { defineHook } from '../../../../platform/hooks.ts';
import { getPresence } from '../../../identity/presence/index.ts';

/** Whether a device of the creator rings without an open page. */
type ReachCheck = (creatorId: string) => Promise<boolean>;
const reachCheck = defineHook<ReachCheck>('calls.reachCheck');
export const registerReachCheck = reachCheck.register;

export async function isUnreachable(ctx: Context, creatorId: string): Promise<boolean> {
  return getPresence(ctx, creatorId) === 'offline' && !(await reachCheck.find(ctx)?.(creatorId));
}
