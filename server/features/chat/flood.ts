/** How much one account may send, on one process: enough for any conversation, too little for a flood. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import type { Context } from '../../kernel/context.ts';

const MAX_KEPT = 50_000;
type Sent = { at: number[] };
const sentOf = new WeakMap<Context, Map<string, Sent>>();

/** Counts one message. Throws RATE_LIMITED, with the seconds to wait, when there are too many. */
export function countSending(ctx: Context, userId: string): void {
  const kept = sentOf.get(ctx) ?? new Map<string, Sent>();
  sentOf.set(ctx, kept);
  if (kept.size > MAX_KEPT) kept.clear();
  const now = ctx.clock.now().getTime();
  const sent = kept.get(userId) ?? { at: [] };
  kept.set(userId, sent);
  sent.at = sent.at.filter((at) => now - at < 60_000);
  const lately = sent.at.filter((at) => now - at < 10_000);
  const factor = ctx.config.rateFactor;
  const isBurst = lately.length >= CHAT_LIMITS.inTenSeconds * factor;
  if (isBurst || sent.at.length >= CHAT_LIMITS.inAMinute * factor) {
    const [oldest = now] = isBurst ? lately : sent.at;
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + (isBurst ? 10_000 : 60_000) - now) / 1000));
    throw new AppError('RATE_LIMITED', {
      message: `You are sending very fast. Please wait ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    });
  }
  sent.at.push(now);
}
