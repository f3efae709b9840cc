import { DISMISSED_COOKIE } from '@stagedoor/contract/shared/dismissed-announcements.ts';
import type { PageCall, PageResponse } from '@stagedoor/contract/shared/page-frame.ts';
import { TIME_ZONE_COOKIE } from '@stagedoor/contract/shared/time-zone-names.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import type { Context } from '../platform/context.ts';
import { getSessionCookieName, reportServerError, toErrorResponse } from '../platform/http/http.ts';
import type { BoundRoutes, LocalRead } from '../platform/http/routing.ts';
import type { Actor } from '../platform/security/session.ts';
import { presentSiteStatus, toStatusViewer } from '../platform/site-status.ts';
import { type RenderedPage, toBody } from './encoding.ts';
import type { PageFrame } from './frame.ts';

export type RenderOptions = {
  /** Render this path instead of the request's. */
  url?: string;
  onResponse?: (body: unknown, status: number) => void;
  /** Shared by all viewers, so only address, theme and age cookie of the request are used. */
  isShared?: boolean;
  /** With `isShared`: shared only within the location of the request. */
  isGeoSpecific?: boolean;
  /** With `isShared`: shared by viewers whose session has ended, with a notice on the page. */
  hasEnded?: boolean;
};

/** Returns the viewer of a page: logged in only while the plain cookie accompanies the session cookie (row A5). */
export function findPageActor(request: FastifyRequest): Actor | undefined {
  return request.cookies.loggedIn === 'true' ? request.actor : undefined;
}

export type RenderPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  options: RenderOptions,
) => Promise<RenderedPage>;

function toCookies(header: string | string[] | number | undefined): string[] {
  if (header === undefined) return [];
  return Array.isArray(header) ? header : [String(header)];
}

function parseContact(mailFrom: string): string {
  return /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom;
}

/** Connection headers, and the origin, which was already checked and of which the router knows only one. */
const NOT_FORWARDED = new Set(['connection', 'transfer-encoding', 'content-length', 'origin']);

function webRequest(request: FastifyRequest, url: string, isShared: boolean): Request {
  const headers = new Headers();
  if (!isShared) {
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && !NOT_FORWARDED.has(name)) headers.set(name, value);
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

type RendererOptions = { app: FastifyInstance; ctx: Context; frame: PageFrame; bound: BoundRoutes };

function listReads(bound: BoundRoutes): ReadonlyMap<string, LocalRead> {
  const reads = new Map<string, LocalRead>();
  for (const [route, read] of bound) if (read) reads.set(route.path, read);
  return reads;
}

export function createRenderer({ app, ctx, frame, bound }: RendererOptions): RenderPage {
  const { config } = ctx;
  const cookieName = getSessionCookieName(config);
  const contactMail = parseContact(config.mailFrom);
  const reads = listReads(bound);

  return async (request, reply, options) => {
    const { url, onResponse, isShared = false, isGeoSpecific = !isShared } = options;
    const cookies: string[] = [];
    const actor = isShared ? undefined : findPageActor(request);
    const hasEnded = isShared
      ? options.hasEnded === true
      : actor === undefined && request.cookies[cookieName] !== undefined;

    const readLocally = async (read: LocalRead, { route, params, query }: PageCall): Promise<PageResponse> => {
      try {
        return {
          status: 200,
          body: await read({ params, query }, { actor, request, reply, isGeoIndependent: !isGeoSpecific }),
        };
      } catch (error) {
        const pageResponse = toErrorResponse(error, request.id);
        reportServerError(error, pageResponse, request, `/api${route}`);
        return pageResponse;
      }
    };
    const inject = async ({ method, path, headers, body }: PageCall): Promise<PageResponse> => {
      const forwarded: Record<string, string> = { 'user-agent': request.headers['user-agent'] ?? '' };
      if (!isShared && request.headers.cookie) forwarded.cookie = request.headers.cookie;
      const injected: InjectOptions = {
        method: parseMethod(method),
        url: path,
        headers: { ...forwarded, ...headers },
        remoteAddress: request.ip,
      };
      if (typeof body === 'string') injected.payload = body;
      const pageResponse = await app.inject(injected);
      cookies.push(...toCookies(pageResponse.headers['set-cookie']));
      return {
        status: pageResponse.statusCode,
        body: pageResponse.payload === '' ? undefined : JSON.parse(pageResponse.payload),
      };
    };
    const transport = async (call: PageCall): Promise<PageResponse> => {
      const read = call.method === 'GET' ? reads.get(call.route) : undefined;
      const pageResponse = await (read ? readLocally(read, call) : inject(call));
      onResponse?.(pageResponse.body, pageResponse.status);
      return pageResponse;
    };

    const [pages, siteStatus] = await Promise.all([frame.pages(), ctx.siteStatus.get()]);
    // Never from the Host header, which clients can set.
    const address = `${config.publicUrl}${url ?? request.url}`;
    const { response, staticPage } = await pages.respond(webRequest(request, address, isShared), {
      transport,
      isSignedIn: actor !== undefined,
      readAt: ctx.clock.now().getTime(),
      hasEnded,
      theme: request.cookies.theme,
      timeZone: actor && actor.type !== 'operator' ? request.cookies[TIME_ZONE_COOKIE] : undefined,
      isOfAge: request.cookies.age === '1',
      nonce: request.cspNonce,
      origin: config.publicUrl,
      contactMail,
      isDevelopment: config.isDevelopment,
      isContentProtected: config.hasContentProtection,
      siteStatus: presentSiteStatus(
        siteStatus,
        actor && toStatusViewer(actor, request.cookies[DISMISSED_COOKIE]),
        ctx.clock.now(),
      ),
      styles: frame.styles,
    });
    const isScriptless = isHtml(response) && actor === undefined && frame.findCacheKey(request.url) !== undefined;
    return {
      status: response.status,
      headers: response.headers,
      body: staticPage ? frame.toPageBody(staticPage) : toBody(Buffer.from(await response.arrayBuffer())),
      cookies: [...response.headers.getSetCookie(), ...cookies],
      isScriptless,
      scripts: staticPage?.scripts,
      hasReportedEnd: hasEnded && request.method === 'GET' && isHtml(response),
    };
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function parseMethod(method: string): (typeof METHODS)[number] {
  const found = METHODS.find((known) => known === method);
  if (!found) throw new Error(`no such method: ${method}`);
  return found;
}
