/** Who may call a creator. */
import type { CallerRule } from '@stagedoor/contract/messaging/calls.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { findFollowedAt } from '../../../content/follows/index.ts';
import { findChatRelation } from '../../chat/index.ts';

export type LimitedCallers = Exclude<CallerRule, 'everyone'>;

/** How long a fan may call after the creator requested a callback. */
const CALLBACK_MS = 24 * 60 * 60_000;
const IS_CALLED_BACK: SqlStatement = {
  name: 'calls-is-called-back',
  text: 'select id from calls where creator_id = $1 and fan_id = $2 and callback_requested_at > $3 limit 1',
};

async function isAmongCallers(ctx: Context, rule: LimitedCallers, fanId: string, creatorId: string): Promise<boolean> {
  if (rule === 'followers') return (await findFollowedAt(ctx.db, fanId, creatorId)) !== undefined;
  const { hasOpenChat, hasBought } = await findChatRelation(ctx.db, fanId, creatorId);
  return rule === 'buyers' ? hasBought : hasOpenChat;
}

/** Returns the rule that excludes a fan. Undefined for a fan who may call, or of whom the creator has requested a callback. */
export async function findCallerObstacle(
  ctx: Context,
  rule: CallerRule,
  fanId: string,
  creatorId: string,
): Promise<LimitedCallers | undefined> {
  if (rule === 'everyone' || (await isAmongCallers(ctx, rule, fanId, creatorId))) return undefined;
  const since = new Date(ctx.clock.now().getTime() - CALLBACK_MS);
  return (await ctx.db.run(IS_CALLED_BACK, [creatorId, fanId, since])).length > 0 ? undefined : rule;
}

const COUNT_FREE: SqlStatement = {
  name: 'calls-count-free',
  text: `select count(*) as count from calls where fan_id = $1 and creator_id = $2 and created_at >= date_trunc('day', $3::timestamptz, 'UTC')
    and ended_at is not null and connected_ms > 0 and charged_cents = 0`,
};

/** Calls of the pair on this UTC day that connected and ended before they cost anything. */
export async function countFreeCalls(ctx: Context, fanId: string, creatorId: string): Promise<number> {
  const [row] = await ctx.db.run<{ count: number }>(COUNT_FREE, [fanId, creatorId, ctx.clock.now()]);
  return row?.count ?? 0;
}
