import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';

const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;

/** Counts one message. Throws RATE_LIMITED, with the seconds to wait. */
export async function countWriting(
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

export const REPORTS_WINDOW_MS = HOUR_MS;
