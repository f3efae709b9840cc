/**
 * The limit for sending per account. All processes share it through Redis. Without Redis, or while it is down, each
 * process counts for itself.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import { createId } from '../../../../platform/ids.ts';

const BURST_MS = 10_000;
const MINUTE_MS = 60_000;
const MAX_CACHED = 50_000;

type SendLimits = { inBurst: number; inMinute: number };
const sentByContext = new WeakMap<Context, Map<string, number[]>>();

function countLocally(ctx: Context, userId: string, limits: SendLimits): number {
  const sentByUser = sentByContext.get(ctx) ?? new Map<string, number[]>();
  sentByContext.set(ctx, sentByUser);
  if (sentByUser.size > MAX_CACHED) sentByUser.clear();
  const now = ctx.clock.now().getTime();
  const sent = (sentByUser.get(userId) ?? []).filter((at) => now - at < MINUTE_MS);
  const recent = sent.filter((at) => now - at < BURST_MS);
  sentByUser.set(userId, sent);
  if (recent.length >= limits.inBurst) return Math.max(1, (recent[0] ?? now) + BURST_MS - now);
  if (sent.length >= limits.inMinute) return Math.max(1, (sent[0] ?? now) + MINUTE_MS - now);
  sent.push(now);
  return 0;
}

/** Counts in one Redis script and by the clock of Redis, so that the clocks of the processes do not matter. */
const COUNT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${MINUTE_MS})
if redis.call('ZCOUNT', KEYS[1], '(' .. now - ${BURST_MS}, '+inf') >= tonumber(ARGV[1]) then
  local first = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now - ${BURST_MS}, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return first[2] + ${BURST_MS} - now
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return first[2] + ${MINUTE_MS} - now
end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], ${MINUTE_MS})
return 0`;

async function countShared(ctx: Context, userId: string, limits: SendLimits): Promise<number | undefined> {
  const values = [String(limits.inBurst), String(limits.inMinute), createId(ctx.clock)];
  const result = await ctx.redis?.runScript(COUNT, `chat:sent:${userId}`, values);
  return typeof result === 'number' ? result : undefined;
}

/** Counts one message. Throws RATE_LIMITED with the seconds to wait when there are too many. */
export async function countSentMessage(ctx: Context, userId: string): Promise<void> {
  const factor = ctx.config.rateFactor;
  const limits = { inBurst: CHAT_LIMITS.perTenSeconds * factor, inMinute: CHAT_LIMITS.perMinute * factor };
  let waitMs = countLocally(ctx, userId, limits);
  if (waitMs === 0) waitMs = (await countShared(ctx, userId, limits)) ?? 0;
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError('RATE_LIMITED', {
    message: `You’re sending too fast. Wait ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}
