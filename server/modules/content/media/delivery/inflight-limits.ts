/** Limits the responses in flight to one network. A client that reaches the limits has stopped reading. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import { getCallerNetwork } from '../../../../platform/http/http.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../../../platform/limits/concurrency-limit.ts';

const MAX_INFLIGHT = { responses: 500, bytes: 128 * 1024 * 1024 };
const RETRY_SECONDS = 5;

type InflightLimits = { responses: ConcurrencyLimit; bytes: ConcurrencyLimit };
const limitsByContext = new WeakMap<Context, InflightLimits>();

const createInflightLimits = ({ config: { rateFactor } }: Context): InflightLimits => ({
  responses: createConcurrencyLimit({ max: Math.ceil(MAX_INFLIGHT.responses * rateFactor) }),
  bytes: createConcurrencyLimit({ max: Math.ceil(MAX_INFLIGHT.bytes * rateFactor) }),
});

/** Counts a response until it is sent or its reader disconnects. Throws RATE_LIMITED. */
export function countInflightResponse(ctx: Context, request: FastifyRequest, reply: FastifyReply, size: number): void {
  const limits = limitsByContext.get(ctx) ?? createInflightLimits(ctx);
  limitsByContext.set(ctx, limits);
  const { responses, bytes } = limits;
  const network = getCallerNetwork(request);
  if (responses.isFull(network) || bytes.isFull(network, size))
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS });
  responses.tryAcquire(network);
  bytes.tryAcquire(network, size);
  reply.raw.once('close', () => {
    responses.release(network);
    bytes.release(network, size);
  });
}
