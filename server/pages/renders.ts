/** Limits page rendering per account, or per network of visitors, by minute and at once, and in total. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../kernel/context.ts';
import { type Caller, callerKey } from '../kernel/http.ts';
import type { Limit } from '../kernel/limits.ts';

const PER_MINUTE = 600;
/** A starting browser opens all its tabs. A quarter of the total is reserved for logged-in users. */
const AT_ONCE = { ofOne: 50, ofStrangers: 150, inAll: 200 };
const BUSY_SECONDS = 5;

export type Refused = { readonly status: 429 | 503; readonly retryAfterSeconds: number };

export interface Renders {
  /** A request counts once per minute, however often it renders. */
  within<T>(request: Caller, work: () => Promise<T>): Promise<T | Refused>;
}

export function isRefused(made: object): made is Refused {
  return 'retryAfterSeconds' in made;
}

export function createRenders({ limits, config: { rateFactor } }: Pick<Context, 'limits' | 'config'>): Renders {
  const perMinute: Limit = { name: 'pages', max: Math.ceil(PER_MINUTE * rateFactor), windowMs: 60_000 };
  const ofOne = Math.ceil(AT_ONCE.ofOne * rateFactor);
  const callers = new Map<string, number>();
  const counted = new WeakSet<Caller>();
  const busy = { strangers: 0, inAll: 0 };

  const isFull = (isStranger: boolean) =>
    busy.inAll >= AT_ONCE.inAll || (isStranger && busy.strangers >= AT_ONCE.ofStrangers);

  function enter(caller: string, isStranger: boolean, more: 1 | -1): void {
    busy.inAll += more;
    if (isStranger) busy.strangers += more;
    const count = (callers.get(caller) ?? 0) + more;
    if (count > 0) callers.set(caller, count);
    else callers.delete(caller);
  }

  return {
    within: async (request, work) => {
      const caller = callerKey(request);
      const isStranger = request.actor === undefined;
      if ((callers.get(caller) ?? 0) >= ofOne) return { status: 429, retryAfterSeconds: BUSY_SECONDS };
      if (isFull(isStranger)) return { status: 503, retryAfterSeconds: BUSY_SECONDS };
      const waitMs = counted.has(request) ? 0 : limits.count(perMinute, caller);
      if (waitMs > 0) return { status: 429, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      counted.add(request);
      enter(caller, isStranger, 1);
      try {
        return await work();
      } finally {
        enter(caller, isStranger, -1);
      }
    },
  };
}

const WORDS = {
  429: ['Too many requests', 'Wait a moment and reload this page.'],
  503: ['We’re busy', 'Lots of people are here right now. Wait a moment and reload.'],
} as const;

const written = ([title, words]: readonly [string, string]) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
  '<style>:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}</style>' +
  `<h1>${title}</h1><p>${words}</p></html>`;

export function sendRefused(reply: FastifyReply, { status, retryAfterSeconds }: Refused): FastifyReply {
  reply.headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' });
  return reply.status(status).type('text/html; charset=utf-8').send(written(WORDS[status]));
}
