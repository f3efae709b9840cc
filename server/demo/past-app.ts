/** The app with a clock in the past, without a port. The demo data is created through the API calls of users. */
import { createHash } from 'node:crypto';
import { login, logout } from '@stagedoor/contract/identity/accounts.ts';
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { InjectOptions } from 'fastify';
import * as z from 'zod/mini';
import { type App, createApp } from '../app.ts';
import { createTestClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { getSessionCookieName } from '../platform/http/http.ts';
import { createId } from '../platform/ids.ts';
import { createLogger } from '../platform/log.ts';
import { DEMO_PASSWORD } from './world.ts';

type PastRequest<R extends RouteSpec> = Partial<Pick<RequestOf<R>, 'params' | 'query' | 'body'>> & {
  as?: string;
  key?: string;
  form?: FormData;
};

export type PastApp = {
  readonly app: App;
  readonly ctx: Context;
  moveTo(at: Date): void;
  logIn(username: string): Promise<void>;
  /** Throws an Error with the body of a refusal. */
  call<R extends RouteSpec>(route: R, request?: PastRequest<R>): Promise<ResponseOf<R>>;
  post(url: string, fields: Readonly<Record<string, string>>): Promise<number>;
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
};

/** A repeated operation gets the same id. */
export function toOperationId(text: string): string {
  const hex = createHash('sha256').update(`stagedoor demo ${text}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function toUrl(path: string, params: Readonly<Record<string, string>> = {}): string {
  return `/api${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`;
}

async function encodeForm(form: FormData): Promise<{ payload: Buffer; contentType: string }> {
  const encoded = new Response(form);
  return { payload: Buffer.from(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' };
}

const BANK = {
  destination: '091000019',
  destinationName: 'FRB Minneapolis',
  origin: '1234567890',
  originName: 'Stagedoor',
  companyName: 'Stagedoor',
  companyId: '1234567890',
  odfi: '09100001',
};

export async function openPastApp(presentContext: Context, databaseUrl: string, start: Date): Promise<PastApp> {
  const clock = createTestClock(start);
  const { config } = presentContext;
  // Today's limits do not apply to the past.
  const payments: Context['config']['payments'] = {
    ...config.payments,
    isSandbox: true,
    minCents: 0,
    maxCents: Number.MAX_SAFE_INTEGER,
  };
  const app = await createApp({
    config: {
      ...config,
      payments,
      payouts: { ...config.payouts, ach: config.payouts.ach ?? BANK },
      rateFactor: 1_000_000,
      databasePool: 6,
    },
    databaseUrl,
    log: createLogger({ level: 'error', isPretty: !config.isProduction && !config.isTest }),
    clock,
    // A generator's ids never go back in time, but this clock does.
    createEventId: () => createId({ now: () => clock.now() }),
    hasPages: false,
  });
  const cookieName = getSessionCookieName(config);
  const cookies = new Map<string, string>();

  async function call<R extends RouteSpec>(
    route: R,
    { as, key, params, query, body, form }: PastRequest<R> = {},
  ): Promise<ResponseOf<R>> {
    const headers: Record<string, string> = {};
    if (as !== undefined) headers.cookie = cookies.get(as) ?? '';
    if (key !== undefined) headers['idempotency-key'] = toOperationId(key);
    const options: InjectOptions = {
      method: route.method,
      url: toUrl(route.path, params as Readonly<Record<string, string>>),
      headers,
    };
    if (query) options.query = z.parse(z.record(z.string(), z.string()), query);
    if (form) {
      const { payload, contentType } = await encodeForm(form);
      headers['content-type'] = contentType;
      options.payload = payload;
    } else if (body) {
      options.payload = body;
    }
    const response = await app.http.inject(options);
    const renewed = response.cookies.find(({ name }) => name === cookieName)?.value;
    if (as !== undefined && renewed) cookies.set(as, `${cookieName}=${renewed}`);
    if (response.statusCode >= 300)
      throw new Error(
        `${route.method} ${options.url} as ${as ?? 'a visitor'}: ${response.statusCode} ${response.body}`,
      );
    return z.parse<R['response']>(route.response, response.json());
  }

  return {
    app,
    ctx: app.ctx,
    moveTo: (at) => clock.set(at),
    call,
    logIn: async (username) => {
      const payload = { username, password: DEMO_PASSWORD };
      const response = await app.http.inject({ method: login.method, url: toUrl(login.path), payload });
      const value = response.cookies.find(({ name }) => name === cookieName)?.value;
      if (!value) throw new Error(`${username} cannot log in: ${response.body}`);
      cookies.set(username, `${cookieName}=${value}`);
    },
    post: async (url, fields) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const payload = new URLSearchParams(fields).toString();
      return (await app.http.inject({ method: 'POST', url, headers, payload })).statusCode;
    },
    waitUntilIdle: () => app.ctx.events.waitUntilIdle(),
    close: async () => {
      for (const username of cookies.keys()) await call(logout, { as: username }).catch(() => undefined);
      await app.close();
    },
  };
}
