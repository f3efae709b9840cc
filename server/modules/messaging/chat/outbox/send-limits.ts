import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor } from '../../../../platform/database/db.ts';
import { requireNotLimited } from '../../../../platform/limits/rate-limit.ts';
import { findUser, getRestrictions } from '../../../identity/accounts/index.ts';
import * as texts from '../texts.ts';

const SEND_LIMIT = {
  name: 'chat messages',
  windows: [
    { max: CHAT_LIMITS.perTenSeconds, windowMs: 10_000 },
    { max: CHAT_LIMITS.perMinute, windowMs: 60_000 },
  ],
};

/** Counts one message. Throws RATE_LIMITED with the seconds to wait when there are too many. */
export async function countSentMessage({ limits }: Pick<Context, 'limits'>, userId: string): Promise<void> {
  const waitMs = await limits.countSliding(SEND_LIMIT, userId);
  requireNotLimited(waitMs, formatText(texts.sendingTooFast, { seconds: Math.ceil(waitMs / 1000) }));
}

/** Whether what a creator wrote ahead may be sent now. */
export async function canCreatorWrite(ctx: Context, db: Executor, creatorId: string): Promise<boolean> {
  const creator = await findUser(db, creatorId);
  if (!creator || creator.is_blocked) return false;
  const until = getRestrictions(creator).chat;
  return until === undefined || new Date(until) <= ctx.clock.now();
}
