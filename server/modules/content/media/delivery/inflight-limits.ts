/** Limits the responses in flight to one network. A client that reaches the limits has stopped reading. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import { getCallerNetwork } from '../../../../platform/http/http.ts';

const MAX_INFLIGHT = { responses: 500, bytes: 128 * 1024 * 1024 };
const RETRY_SECONDS = 5;

type InflightResponses = { responses: number; bytes: number };
const networksByContext = new WeakMap<Context, Map<string, InflightResponses>>();

/** Counts a response until it is sent or its reader disconnects. Throws RATE_LIMITED. */
export function countInflightResponse(ctx: Context, request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  const networks = networksByContext.get(ctx) ?? new Map<string, InflightResponses>();
  networksByContext.set(ctx, networks);
  const network = getCallerNetwork(request);
  const inflight = networks.get(network) ?? { responses: 0, bytes: 0 };
  const { rateFactor } = ctx.config;
  if (
    inflight.responses >= MAX_INFLIGHT.responses * rateFactor ||
    inflight.bytes + bytes > MAX_INFLIGHT.bytes * rateFactor
  )
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS });
  networks.set(network, inflight);
  inflight.responses += 1;
  inflight.bytes += bytes;
  reply.raw.once('close', () => {
    inflight.responses -= 1;
    inflight.bytes -= bytes;
    if (inflight.responses === 0) networks.delete(network);
  });
}
