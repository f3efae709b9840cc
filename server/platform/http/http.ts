import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import cookie from '@fastify/cookie';
import { AppError, ERRORS, type ErrorBody } from '@stagedoor/contract/shared/errors.ts';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Config } from '../config.ts';
import { isDatabaseUnavailable } from '../database/db.ts';
import type { ErrorStats } from '../error-stats.ts';
import type { Logger } from '../log.ts';
import { createRandomText } from '../random.ts';
import type { SecurityLogger } from '../security/security-log.ts';
import type { Actor, SessionCache } from '../security/session.ts';
import { cleanForwardedFor, toNetwork } from './client-address.ts';
import { type Requester, runAs } from './request-context.ts';
import { limitServerConnections, type ServerConnections } from './server-connections.ts';

declare module 'fastify' {
  interface FastifyInstance {
    errorStats: ErrorStats;
  }
  interface FastifyRequest {
    actor: Actor | undefined;
    cspNonce: string;
  }
}

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const PROBES = new Set(['/healthz', '/readyz']);
const BODY_LIMIT = 256 * 1024;
const BAD_REQUEST: ErrorBody = { code: 'VALIDATION', message: 'The request could not be read.' };
const REQUEST_MS = 300_000;
const PLUGIN_MS = 120_000;
const IDLE_MS = 60_000;
/** Many users may share a network, and a browser opens six connections. */
const CONNECTIONS = { total: 20_000, perNetwork: 1_000 };
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** `__Host-` binds the cookie to this origin and requires https. */
export function getSessionCookieName(config: Config): string {
  return config.isSecure ? '__Host-sid' : 'sid';
}

/**
 * Detects changes from pages of other origins by Origin or Sec-Fetch-Site. A client that sends neither is no browser,
 * so it carries no user's cookies.
 */
function isCrossSite(request: FastifyRequest, allowed: ReadonlySet<string>): boolean {
  const origin = request.headers.origin;
  if (origin !== undefined) return !allowed.has(origin);
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

export function listAllowedOrigins(config: Config): ReadonlySet<string> {
  const own = [config.publicUrl];
  if (!config.isProduction)
    for (const host of ['localhost', '127.0.0.1', '[::1]']) own.push(`http://${host}:${config.port}`);
  return new Set(own);
}

/**
 * Paths of pages that other sites may embed, matched exactly so that no other page can be framed under their prefix
 * (row B11).
 */
const EMBED = /^\/embed\/(?:post|profile|tip)\/[\w.-]{1,64}(?:\?|$)/;
export function isEmbed(url: string): boolean {
  return EMBED.test(url) && !/\/\.{1,2}(?:\?|$)/.test(url);
}

/** Embeds may be framed by any site, the composer's preview by our own, all other pages by none. */
type Framers = '*' | "'self'" | "'none'";
function getFramers(url: string): Framers {
  if (isEmbed(url)) return '*';
  return /^\/creator\/post\/[0-9a-f-]{36}\/preview(?:\?|$)/.test(url) ? "'self'" : "'none'";
}

/** Sources for connect-src. The SFU needs its socket, and HTTP by which its client finds out why a socket was refused. */
export function listConnectSources({ calls, isHotReload }: Pick<Config, 'calls' | 'isHotReload'>): string[] {
  const sfu = calls.provider === 'livekit' ? [new URL(calls.livekit.url).origin] : [];
  return [
    "'self'",
    ...sfu,
    ...sfu.map((origin) => origin.replace(/^ws/, 'http')),
    ...(isHotReload ? ['ws:', 'wss:'] : []),
  ];
}

function securityHeaders(config: Config) {
  const processor = new URL(config.payments.url).origin;
  const csp = (nonce: string, framedBy: Framers) =>
    [
      "default-src 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      `frame-ancestors ${framedBy}`,
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "font-src 'self'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      "style-src 'self' 'unsafe-inline'",
      `connect-src ${listConnectSources(config).join(' ')}`,
      "worker-src 'self' blob:",
      `form-action 'self' ${processor}`,
    ].join('; ');
  return (request: FastifyRequest, reply: FastifyReply) => {
    request.cspNonce = createRandomText(16, 'base64');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    reply.header('permissions-policy', 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()');
    reply.header('cross-origin-opener-policy', 'same-origin');
    const framedBy = getFramers(request.url);
    reply.header('cross-origin-resource-policy', framedBy === '*' ? 'cross-origin' : 'same-origin');
    if (framedBy !== '*') reply.header('x-frame-options', framedBy === "'self'" ? 'SAMEORIGIN' : 'DENY');
    reply.header('content-security-policy', csp(request.cspNonce, framedBy));
    if (config.isSecure) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  };
}

/** Temporary, and a retry with the same idempotency key is safe. */
const UNAVAILABLE = new AppError('UNAVAILABLE', {
  message: 'Service temporarily unavailable. Try again in a moment.',
  retryAfterSeconds: 5,
});

function toRefusal(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return isDatabaseUnavailable(error) ? UNAVAILABLE : undefined;
}

/** Returns the wire format of an error. An unknown error becomes INTERNAL and reveals only the request id. */
export function toErrorResponse(error: unknown, requestId: string): { status: number; body: ErrorBody } {
  const refusal = toRefusal(error);
  if (refusal) {
    const { code, message, data } = refusal;
    const { error: fields, href, proof, localMessage } = data;
    return {
      status: ERRORS[code].status,
      body: {
        ...{ code, message },
        ...(fields && { error: fields }),
        ...(href && { href }),
        ...(proof && { proof }),
        ...(localMessage && { localMessage }),
      },
    };
  }
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413) return { status, body: { code: 'TOO_LARGE', message: ERRORS.TOO_LARGE.message } };
  if (status === 415) return { status, body: { code: 'UNSUPPORTED_TYPE', message: ERRORS.UNSUPPORTED_TYPE.message } };
  if (status === 404) return { status, body: { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.message } };
  if (status >= 400 && status < 500) return { status: 400, body: BAD_REQUEST };
  return { status: 500, body: { code: 'INTERNAL', message: ERRORS.INTERNAL.message, requestId } };
}

/**
 * Logs and counts server errors. Temporary overload is a warning without a stack. `calledRoute` is the API route that a page
 * called in process.
 */
export function reportServerError(
  error: unknown,
  { status, body }: ReturnType<typeof toErrorResponse>,
  request: FastifyRequest,
  calledRoute?: string,
): void {
  if (status < 500 || body.code === 'FEATURE_DISABLED' || body.code === 'MAINTENANCE') return;
  const route = `${request.method} ${calledRoute ?? request.routeOptions.url ?? 'none'}`;
  if (error instanceof AppError && error.data.retryAfterSeconds !== undefined)
    request.log.warn({ code: body.code, message: body.message, requestId: request.id, route }, 'a request was put off');
  else request.log.error({ err: error, requestId: request.id, route }, 'a request failed');
  request.server.errorStats.note({ route, code: body.code, reference: request.id });
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const response = toErrorResponse(error, request.id);
  const { status, body } = response;
  reportServerError(error, response, request);
  const retryAfter = toRefusal(error)?.data.retryAfterSeconds;
  if (retryAfter) reply.header('retry-after', String(retryAfter));
  return reply.status(status).header('cache-control', 'no-store').type('application/json').send(body);
}

/** For bytes that are not a valid request. Only the raw socket exists at this point. */
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  const text = JSON.stringify(BAD_REQUEST);
  const head = `content-type: application/json\r\ncontent-length: ${text.length}\r\ncache-control: no-store\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${text}`);
}

export type RequestCaller = Pick<FastifyRequest, 'actor' | 'ip'>;

/** The key for rate limits: the account, however many sessions it has, otherwise the network. */
export function getCallerKey(caller: RequestCaller): string {
  return caller.actor?.userId ?? getCallerNetwork(caller);
}

/**
 * The key for rate limits of routes such as log-out: the session, so that another session of the account cannot block
 * them.
 */
export function getSessionKey(caller: RequestCaller): string {
  return caller.actor?.sessionId ?? getCallerNetwork(caller);
}

export function getCallerNetwork({ ip }: Pick<RequestCaller, 'ip'>): string {
  // Undefined, despite its type, after the client disconnected.
  const address: string | undefined = ip;
  return address === undefined ? 'gone' : toNetwork(address);
}

export function toRequester(caller: RequestCaller): Requester {
  return { userId: caller.actor?.userId, sessionId: caller.actor?.sessionId, network: getCallerNetwork(caller) };
}

/** Whether a request has several Host headers, which proxies and we could interpret differently. */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** `/api/webhook/` accepts cross-site requests. */
export async function createHttp(
  config: Config,
  log: Logger,
  sessions: SessionCache,
  security: SecurityLogger,
  errorStats: ErrorStats,
): Promise<FastifyInstance> {
  let connections: ServerConnections | undefined;
  const app: FastifyInstance = fastify<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: () => createRandomText(8, 'hex'),
    routerOptions: { maxParamLength: 300 },
    requestTimeout: REQUEST_MS,
    pluginTimeout: PLUGIN_MS,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    // Closes connections that neither send nor receive for this long.
    connectionTimeout: IDLE_MS,
    forceCloseConnections: 'idle',
    // Only WebSocket upgrades are accepted. Other offers (h2c) are ignored, as RFC 9110 (7.8) permits.
    http: {
      shouldUpgradeCallback: ({ headers, socket }) => {
        const isSocket = headers.upgrade?.toLowerCase() === 'websocket';
        if (isSocket) connections?.markBusy(socket);
        return isSocket;
      },
    },
  });
  const perNetwork = Math.ceil(CONNECTIONS.perNetwork * config.rateFactor);
  connections = limitServerConnections(app.server, { ...CONNECTIONS, perNetwork }, config.trustProxy !== false);
  app.decorate('errorStats', errorStats);
  app.decorateRequest('actor', undefined);
  app.decorateRequest('cspNonce', '');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  // Clients send a JSON content type with every call, even without a body (row W1).
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body, done),
  );
  await app.register(cookie);

  if (config.trustProxy !== false)
    app.addHook('onRequest', (request, _reply, done) => {
      cleanForwardedFor(request.raw);
      done();
    });
  const allowed = listAllowedOrigins(config);
  const addSecurityHeaders = securityHeaders(config);
  const cookieName = getSessionCookieName(config);
  app.addHook('onRequest', async (request, reply) => {
    addSecurityHeaders(request, reply);
    // Refuses absolute addresses, which are for proxies (RFC 9112, 3.2.2), and several Host headers (3.2).
    if (!request.url.startsWith('/') || hasSeveralHosts(request.raw))
      throw new AppError('VALIDATION', { message: BAD_REQUEST.message });
    if (UNSAFE.has(request.method) && !request.url.startsWith('/api/webhook/') && isCrossSite(request, allowed)) {
      security.note({ kind: 'originRefused', network: getCallerNetwork(request) });
      throw new AppError('FORBIDDEN', { message: 'This request was blocked because it came from another site.' });
    }
    // Health checks ask whether the database responds, so they must not wait for it.
    if (PROBES.has(request.url)) return;
    // Counts for the network, because each forged cookie costs a database query.
    const token = request.cookies[cookieName];
    request.actor = await runAs({ network: getCallerNetwork(request) }, () => sessions.resolve(token));
  });
  app.addHook('onRequest', (request, _reply, done) => runAs(toRequester(request), done));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new AppError('NOT_FOUND'), request, reply));
  return app;
}
