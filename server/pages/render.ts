import { CLOSED_COOKIE } from '@stagedoor/contract/atoms/closed-notices.ts';
import type { PageAnswer, PageCall } from '@stagedoor/contract/page-frame.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import type { Bound, LocalRead } from '../kernel/bind.ts';
import type { Context } from '../kernel/context.ts';
import { errorBody, reportFault, sessionCookie } from '../kernel/http.ts';
import { hearerOf, saidTo } from '../kernel/switches.ts';
import { type Body, wholeBody } from './encoding.ts';
import type { Frame } from './frame.ts';

export type Rendered = {
  status: number;
  headers: Headers;
  body: Body;
  cookies: readonly string[];
  isScriptless: boolean;
  scripts?: string | undefined;
  hasToldEnd: boolean;
};

export type RenderOptions = {
  /** Render this path instead of the request's. */
  url?: string;
  onAnswer?: (body: unknown, status: number) => void;
  /** Shared by all viewers, so only address, theme and age cookie of the request are used. */
  isShared?: boolean;
  /** With `isShared`: shared only within the location of the request. */
  isPlaced?: boolean;
};

export type Render = (request: FastifyRequest, reply: FastifyReply, options: RenderOptions) => Promise<Rendered>;

function cookiesOf(header: string | string[] | number | undefined): string[] {
  if (header === undefined) return [];
  return Array.isArray(header) ? header : [String(header)];
}

function contactOf(mailFrom: string): string {
  return /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom;
}

/** Connection headers, and the origin, which was already checked and of which the router knows only one. */
const NOT_HANDED_ON = new Set(['connection', 'transfer-encoding', 'content-length', 'origin']);

function webRequest(request: FastifyRequest, url: string, isShared: boolean): Request {
  const headers = new Headers();
  if (!isShared) {
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && !NOT_HANDED_ON.has(name)) headers.set(name, value);
    }
  }
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : undefined;
  return new Request(url, {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers,
    ...(body && { body }),
  });
}

export function isHtml({ headers }: { headers: Headers }): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}

type Needs = { app: FastifyInstance; ctx: Context; frame: Frame; bound: Bound };

function readsOf(bound: Bound): ReadonlyMap<string, LocalRead> {
  const reads = new Map<string, LocalRead>();
  for (const [route, read] of bound) if (read) reads.set(route.path, read);
  return reads;
}

export function createRenderer({ app, ctx, frame, bound }: Needs): Render {
  const { config } = ctx;
  const cookieName = sessionCookie(config);
  const contactMail = contactOf(config.mailFrom);
  const reads = readsOf(bound);

  return async (request, reply, { url, onAnswer, isShared = false, isPlaced = !isShared }) => {
    const cookies: string[] = [];
    // A browser is logged in only while the plain cookie accompanies the session cookie (row A5).
    const actor = isShared || request.cookies.loggedIn !== 'true' ? undefined : request.actor;
    const hasEnded = !isShared && actor === undefined && request.cookies[cookieName] !== undefined;

    const readHere = async (read: LocalRead, { route, params, query }: PageCall): Promise<PageAnswer> => {
      try {
        return { status: 200, body: await read({ params, query }, { actor, request, reply, isPlaceless: !isPlaced }) };
      } catch (error) {
        const answer = errorBody(error, request.id);
        reportFault(error, answer, request, `/api${route}`);
        return answer;
      }
    };
    const inject = async ({ method, path, headers, body }: PageCall): Promise<PageAnswer> => {
      const forwarded: Record<string, string> = { 'user-agent': request.headers['user-agent'] ?? '' };
      if (!isShared && request.headers.cookie) forwarded.cookie = request.headers.cookie;
      const asked: InjectOptions = {
        method: asMethod(method),
        url: path,
        headers: { ...forwarded, ...headers },
        remoteAddress: request.ip,
      };
      if (typeof body === 'string') asked.payload = body;
      const answer = await app.inject(asked);
      cookies.push(...cookiesOf(answer.headers['set-cookie']));
      return { status: answer.statusCode, body: answer.payload === '' ? undefined : JSON.parse(answer.payload) };
    };
    const transport = async (call: PageCall): Promise<PageAnswer> => {
      const read = call.method === 'GET' ? reads.get(call.route) : undefined;
      const answer = await (read ? readHere(read, call) : inject(call));
      onAnswer?.(answer.body, answer.status);
      return answer;
    };

    const [pages, house] = await Promise.all([frame.pages(), ctx.switches.house()]);
    // Never from the Host header, which clients can set.
    const address = `${config.publicUrl}${url ?? request.url}`;
    const { response, still } = await pages.respond(webRequest(request, address, isShared), {
      transport,
      isSignedIn: actor !== undefined,
      hasEnded,
      theme: request.cookies.theme,
      isOfAge: request.cookies.age === '1',
      nonce: request.cspNonce,
      origin: config.publicUrl,
      contactMail,
      isDevelopment: config.isDevelopment,
      hindersInspection: config.hindersInspection,
      house: saidTo(house, actor && hearerOf(actor, request.cookies[CLOSED_COOKIE]), ctx.clock.now()),
      styles: frame.styles,
    });
    const isScriptless = isHtml(response) && request.actor === undefined && frame.keptPath(request.url) !== undefined;
    return {
      status: response.status,
      headers: response.headers,
      body: still ? frame.bodyOf(still) : wholeBody(Buffer.from(await response.arrayBuffer())),
      cookies: [...response.headers.getSetCookie(), ...cookies],
      isScriptless,
      scripts: still?.scripts,
      hasToldEnd: hasEnded && request.method === 'GET' && isHtml(response),
    };
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function asMethod(method: string): (typeof METHODS)[number] {
  const found = METHODS.find((known) => known === method);
  if (!found) throw new Error(`no such method: ${method}`);
  return found;
}
