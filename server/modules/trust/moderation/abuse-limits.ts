import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../platform/context.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Throws RATE_LIMITED, with the seconds to wait. */
async function countWriting(
  { limits, config }: Pick<Context, 'limits' | 'config'>,
  kind: 'message' | 'report' | 'ticket',
  /** Pass a user id, or the network of a visitor. */
  writer: string,
  limitOptions: { max: number; windowMs: number },
): Promise<void> {
  const limit = {
    name: `cases ${kind}`,
    max: Math.ceil(limitOptions.max * config.rateFactor),
    windowMs: limitOptions.windowMs,
  };
  const waitMs = await limits.countShared(limit, writer);
  if (waitMs === 0) return;
  throw new AppError('RATE_LIMITED', {
    message: 'You’ve sent a lot of messages. We read them all. Please wait before sending another.',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Counts a message by account, or by network without one. Throws RATE_LIMITED, with the seconds to wait. */
export function countMessage(ctx: Context, sender: { id: string | undefined; network: string }): Promise<void> {
  const limit = { max: CASE_LIMITS.messagesPerDay, windowMs: DAY_MS };
  return countWriting(ctx, 'message', sender.id ?? sender.network, limit);
}

/** Counts a ticket or a message in one. Throws RATE_LIMITED, with the seconds to wait. */
export function countTicketMessage(ctx: Context, userId: string): Promise<void> {
  return countWriting(ctx, 'ticket', userId, { max: CASE_LIMITS.ticketsPerDay, windowMs: DAY_MS });
}

/** Throws RATE_LIMITED, with the seconds to wait. */
export function countReport(ctx: Context, userId: string): Promise<void> {
  return countWriting(ctx, 'report', userId, { max: CASE_LIMITS.reportsPerHour, windowMs: HOUR_MS });
}
