/** Whether a call can come to a creator: to a page that is open, or to a device that a room above tells. */
import type { Context } from '../../../kernel/context.ts';
import { presenceOf } from '../../presence/index.ts';

/** Whether a device of theirs rings with no page open. */
type Reach = (creatorId: string) => Promise<boolean>;
const reaches = new WeakMap<Context, Reach>();

/** Says whose devices ring; once. */
export function registerReach(ctx: Context, reach: Reach): void {
  reaches.set(ctx, reach);
}

export async function isOutOfReach(ctx: Context, creatorId: string): Promise<boolean> {
  return presenceOf(ctx, creatorId) === 'offline' && !(await reaches.get(ctx)?.(creatorId));
}
