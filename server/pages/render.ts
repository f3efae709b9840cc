/** Renders one page: the request as the web knows it, its calls to the API in process, and the whole answer in memory. */
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
  /** The app is not in it. */
  isScriptless: boolean;
  /** What such a page has of script nevertheless, as its policy names it. */
  scripts?: string | undefined;
  /** It tells a person that their session has ended: once. */
  hasToldEnd: boolean;
};

export type RenderOptions = {
  /** Render this path instead of the request's. */
  url?: string;
  /** Told of every API answer. */
  onAnswer?: (body: unknown, status: number) => void;
  /** For everybody alike: nothing of the request but its address, theme and age answer is used. */
  isShared?: boolean;
  /** With `isShared`: for everybody in the place of the request, and not everywhere. */
  isPlaced?: boolean;
};

export type Render = (request: FastifyRequest, reply: FastifyReply, options: RenderOptions) => Promise<Rendered>;

/** What an action's call may pass on of the API's answer: its cookies. */
function cookiesOf(header: string | string[] | number | undefined): string[] {
  if (header === undefined) return [];
  return Array.isArray(header) ? header : [String(header)];
}

function contactOf(mailFrom: string): string {
  return /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom;
}

/** Of the connection; and the origin, which was judged before (kernel/http.ts), and of which the router knows one name only. */
const NOT_HANDED_ON = new Set(['connection', 'transfer-encoding', 'content-length', 'origin']);

/** The request as fetch knows it. */
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

/** Whether an answer is a page: the same addresses with `.data` answer what the app's script asks for. */
export function isHtml({ headers }: { headers: Headers }): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}

type Needs = { app: FastifyInstance; ctx: Context; frame: Frame; bound: Bound };

/** What can be read in process, by the route's path. */
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
    // Row A5: in a browser one is logged in only while the plain cookie stands beside the session’s.
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
    // Never by the Host header, which anybody may write.
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
