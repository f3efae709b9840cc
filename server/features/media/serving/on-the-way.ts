/** Limits the responses in flight to one network. A client that reaches the limits has stopped reading. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../kernel/context.ts';
import { callerNetwork } from '../../../kernel/http.ts';

const MOST = { answers: 500, bytes: 128 * 1024 * 1024 };
const RETRY_SECONDS = 5;

type OnTheWay = { answers: number; bytes: number };
const networksOf = new WeakMap<Context, Map<string, OnTheWay>>();

/** Counts a response until it is sent or its reader disconnects. Throws RATE_LIMITED. */
export function countAnswer(ctx: Context, request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  const networks = networksOf.get(ctx) ?? new Map<string, OnTheWay>();
  networksOf.set(ctx, networks);
  const network = callerNetwork(request);
  const onTheWay = networks.get(network) ?? { answers: 0, bytes: 0 };
  const { rateFactor } = ctx.config;
  if (onTheWay.answers >= MOST.answers * rateFactor || onTheWay.bytes + bytes > MOST.bytes * rateFactor)
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS });
  networks.set(network, onTheWay);
  onTheWay.answers += 1;
  onTheWay.bytes += bytes;
  reply.raw.once('close', () => {
    onTheWay.answers -= 1;
    onTheWay.bytes -= bytes;
    if (onTheWay.answers === 0) networks.delete(network);
  });
}
