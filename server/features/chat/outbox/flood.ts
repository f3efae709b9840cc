/**
 * The limit for sending per account. All processes share it through Redis. Without Redis, or while it is down, each
 * process counts for itself.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../../kernel/context.ts';
import { newId } from '../../../kernel/ids.ts';

const BURST_MS = 10_000;
const MINUTE_MS = 60_000;
const MAX_KEPT = 50_000;

type Most = { inBurst: number; inMinute: number };
const sentOf = new WeakMap<Context, Map<string, number[]>>();

function countHere(ctx: Context, userId: string, most: Most): number {
  const kept = sentOf.get(ctx) ?? new Map<string, number[]>();
  sentOf.set(ctx, kept);
  if (kept.size > MAX_KEPT) kept.clear();
  const now = ctx.clock.now().getTime();
  const sent = (kept.get(userId) ?? []).filter((at) => now - at < MINUTE_MS);
  const lately = sent.filter((at) => now - at < BURST_MS);
  kept.set(userId, sent);
  if (lately.length >= most.inBurst) return Math.max(1, (lately[0] ?? now) + BURST_MS - now);
  if (sent.length >= most.inMinute) return Math.max(1, (sent[0] ?? now) + MINUTE_MS - now);
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

async function countEverywhere(ctx: Context, userId: string, most: Most): Promise<number | undefined> {
  const values = [String(most.inBurst), String(most.inMinute), newId(ctx.clock)];
  const answer = await ctx.redis?.ask(COUNT, `chat:sent:${userId}`, values);
  return typeof answer === 'number' ? answer : undefined;
}

/** Counts one message. Throws RATE_LIMITED with the seconds to wait when there are too many. */
export async function countSending(ctx: Context, userId: string): Promise<void> {
  const factor = ctx.config.rateFactor;
  const most = { inBurst: CHAT_LIMITS.inTenSeconds * factor, inMinute: CHAT_LIMITS.inAMinute * factor };
  let waitMs = countHere(ctx, userId, most);
  if (waitMs === 0) waitMs = (await countEverywhere(ctx, userId, most)) ?? 0;
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError('RATE_LIMITED', {
    message: `You’re sending too fast. Wait ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}
