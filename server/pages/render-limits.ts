/** Limits page rendering per account, or per network of visitors, by minute and at once, and in total. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../platform/context.ts';
import { getCallerKey, type RequestCaller } from '../platform/http/http.ts';
import type { RateLimit } from '../platform/limits/rate-limit.ts';

const PER_MINUTE = 600;
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
  const perMinute: RateLimit = { name: 'pages', max: Math.ceil(PER_MINUTE * rateFactor), windowMs: 60_000 };
  const perCaller = Math.ceil(MAX_CONCURRENT.perCaller * rateFactor);
  const callers = new Map<string, number>();
  const countedRequests = new WeakSet<RequestCaller>();
  const running = { anonymous: 0, total: 0 };

  const isFull = (isAnonymous: boolean) =>
    running.total >= MAX_CONCURRENT.total || (isAnonymous && running.anonymous >= MAX_CONCURRENT.anonymous);

  function addRender(caller: string, isAnonymous: boolean, delta: 1 | -1): void {
    running.total += delta;
    if (isAnonymous) running.anonymous += delta;
    const count = (callers.get(caller) ?? 0) + delta;
    if (count > 0) callers.set(caller, count);
    else callers.delete(caller);
  }

  return {
    runWithin: async (request, work) => {
      const caller = getCallerKey(request);
      const isAnonymous = request.actor === undefined;
      if ((callers.get(caller) ?? 0) >= perCaller) return { status: 429, retryAfterSeconds: BUSY_SECONDS };
      if (isFull(isAnonymous)) return { status: 503, retryAfterSeconds: BUSY_SECONDS };
      const waitMs = countedRequests.has(request) ? 0 : limits.count(perMinute, caller);
      if (waitMs > 0) return { status: 429, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      countedRequests.add(request);
      addRender(caller, isAnonymous, 1);
      try {
        return await work();
      } finally {
        addRender(caller, isAnonymous, -1);
      }
    },
  };
}

const MESSAGES = {
  429: ['Too many requests', 'Wait a moment and reload this page.'],
  503: ['We’re busy', 'Lots of people are here right now. Wait a moment and reload.'],
} as const;

const renderRefusal = ([title, message]: readonly [string, string]) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
  '<style>:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}</style>' +
  `<h1>${title}</h1><p>${message}</p></html>`;

export function sendRefusedRender(reply: FastifyReply, { status, retryAfterSeconds }: RefusedRender): FastifyReply {
  reply.headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' });
  return reply.status(status).type('text/html; charset=utf-8').send(renderRefusal(MESSAGES[status]));
}
