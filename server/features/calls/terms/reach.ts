import type { Context } from '../../../kernel/context.ts';
import { presenceOf } from '../../presence/index.ts';

/** Whether a device of the creator rings without an open page. */
type Reach = (creatorId: string) => Promise<boolean>;
const reaches = new WeakMap<Context, Reach>();

export function registerReach(ctx: Context, reach: Reach): void {
  reaches.set(ctx, reach);
}

export async function isOutOfReach(ctx: Context, creatorId: string): Promise<boolean> {
  return presenceOf(ctx, creatorId) === 'offline' && !(await reaches.get(ctx)?.(creatorId));
}
