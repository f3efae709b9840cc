/** Limits page rendering per account, or per network of visitors, by minute and at once, and in total. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../platform/context.ts';
import { getCallerKey, type RequestCaller } from '../platform/http/http.ts';
import { createConcurrencyLimit } from '../platform/limits/concurrency-limit.ts';
import type { RateLimit } from '../platform/limits/rate-limit.ts';
import * as texts from './texts.ts';

const PER_MINUTE: RateLimit = { name: 'pages', max: 600, windowMs: 60_000 };
/** A starting browser opens all its tabs. A quarter of the total is reserved for logged-in users. */
const MAX_CONCURRENT = { perCaller: 50, anonymous: 150, total: 200 };
const BUSY_SECONDS = 5;

export type RefusedRender = { readonly status: 429 | 503; readonly retryAfterSeconds: number };

export interface RenderLimits {
  /** A request counts once per minute, however often it renders. */
  runWithin<T>(request: RequestCaller, work: () => Promise<T>): Promise<T | RefusedRender>;
}

export function isRefusedRender(made: object): made is RefusedRender {
  return 'retryAfterSeconds' in made;
}

export function createRenderLimits({
  limits,
  config: { rateFactor },
}: Pick<Context, 'limits' | 'config'>): RenderLimits {
  const byCaller = createConcurrencyLimit({ max: Math.ceil(MAX_CONCURRENT.perCaller * rateFactor) });
  const anonymous = createConcurrencyLimit({ max: MAX_CONCURRENT.anonymous });
  const all = createConcurrencyLimit({ max: MAX_CONCURRENT.total });
  const countedRequests = new WeakSet<RequestCaller>();

  return {
    runWithin: async (request, work) => {
      const caller = getCallerKey(request);
      const isAnonymous = request.actor === undefined;
      if (byCaller.isFull(caller)) return { status: 429, retryAfterSeconds: BUSY_SECONDS };
      if (all.isFull() || (isAnonymous && anonymous.isFull())) return { status: 503, retryAfterSeconds: BUSY_SECONDS };
      const waitMs = countedRequests.has(request) ? 0 : limits.count(PER_MINUTE, caller);
      if (waitMs > 0) return { status: 429, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      countedRequests.add(request);
      byCaller.tryAcquire(caller);
      all.tryAcquire();
      if (isAnonymous) anonymous.tryAcquire();
      try {
        return await work();
      } finally {
        byCaller.release(caller);
        all.release();
        if (isAnonymous) anonymous.release();
      }
    },
  };
}

const MESSAGES = {
  429: [texts.tooManyRequests, texts.tooManyRequestsHint],
  503: [texts.busyTitle, texts.busyHint],
} as const;

const renderRefusal = ([title, message]: readonly [string, string]) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
  '<style>:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}</style>' +
  `<h1>${title}</h1><p>${message}</p></html>`;

export function sendRefusedRender(reply: FastifyReply, { status, retryAfterSeconds }: RefusedRender): FastifyReply {
  reply.headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' });
  return reply.status(status).type('text/html; charset=utf-8').send(renderRefusal(MESSAGES[status]));
}
