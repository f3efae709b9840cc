/** The HTTP server: security headers, cookies, cross-site refusal, and errors that leave in one shape. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import cookie from '@fastify/cookie';
import { AppError, ERRORS, type ErrorBody } from '@stagedoor/contract/atoms/errors.ts';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { type Asking, askedBy } from './asking.ts';
import type { Config } from './config.ts';
import { type Connections, keepAddresses, limitConnections, networkOf } from './connections.ts';
import { isDatabaseAway } from './db.ts';
import type { Faults } from './faults.ts';
import type { Logger } from './log.ts';
import { randomOf } from './random.ts';
import type { SecurityLog } from './security-log.ts';
import type { Actor, Sessions } from './session.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What failed on our side, counted. */
    faults: Faults;
  }
  interface FastifyRequest {
    /** Who is calling; nobody when undefined. Resolved once a request. */
    actor: Actor | undefined;
    /** For this answer's inline scripts. */
    cspNonce: string;
  }
}

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const PROBES = new Set(['/healthz', '/readyz']);
const BODY_LIMIT = 256 * 1024;
const BAD_REQUEST: ErrorBody = { code: 'VALIDATION', message: 'The request could not be read.' };
const REQUEST_MS = 300_000;
const PLUGIN_MS = 120_000;
/** No call is thought about for as long. */
const SILENT_MS = 60_000;
/** Many people may share a network, and a person's browser opens six. */
const CONNECTIONS = { inAll: 20_000, ofNetwork: 1_000 };
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The session cookie's name: `__Host-` binds it to this origin, which needs https. */
export function sessionCookie(config: Config): string {
  return config.isSecure ? '__Host-sid' : 'sid';
}

/**
 * Refuses changes that a page of another origin could have caused. Browsers say where a request comes from (Origin, or
 * Sec-Fetch-Site); what carries neither is no browser, and so rides on nobody's cookies.
 */
function isCrossSite(request: FastifyRequest, allowed: ReadonlySet<string>): boolean {
  const origin = request.headers.origin;
  if (origin !== undefined) return !allowed.has(origin);
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Origins that may change things: ours; in development also the loopback names of the same port. */
export function allowedOrigins(config: Config): ReadonlySet<string> {
  const own = [config.publicUrl];
  if (!config.isProduction)
    for (const host of ['localhost', '127.0.0.1', '[::1]']) own.push(`http://${host}:${config.port}`);
  return new Set(own);
}

/** Addresses of pages for other sites' frames (row B11): these exactly, so that no other page can be framed under their prefix. */
const EMBED = /^\/embed\/(?:post|profile|tip)\/[\w.-]{1,64}(?:\?|$)/;
export function isEmbed(url: string): boolean {
  return EMBED.test(url) && !/\/\.{1,2}(?:\?|$)/.test(url);
}

/** Who may show a page in a frame: everybody the ones made for it, we ourselves the composer's preview, nobody else any other. */
type Framers = '*' | "'self'" | "'none'";
function framersOf(url: string): Framers {
  if (isEmbed(url)) return '*';
  return /^\/creator\/post\/[0-9a-f-]{36}\/preview(?:\?|$)/.test(url) ? "'self'" : "'none'";
}

/** What pages may speak to. An SFU over its socket, and over HTTP, by which its client asks why a socket was refused. */
export function reachable({ calls, isHotReload }: Pick<Config, 'calls' | 'isHotReload'>): string[] {
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
      `connect-src ${reachable(config).join(' ')}`,
      "worker-src 'self' blob:",
      `form-action 'self' ${processor}`,
    ].join('; ');
  return (request: FastifyRequest, reply: FastifyReply) => {
    request.cspNonce = randomOf(16, 'base64');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    reply.header('permissions-policy', 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()');
    reply.header('cross-origin-opener-policy', 'same-origin');
    const framedBy = framersOf(request.url);
    if (framedBy !== '*') reply.header('x-frame-options', framedBy === "'self'" ? 'SAMEORIGIN' : 'DENY');
    reply.header('content-security-policy', csp(request.cspNonce, framedBy));
    if (config.isSecure) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  };
}

/** It is back within seconds, or somebody is at it; whoever asks again with the same key is answered once. */
const AWAY = new AppError('UNAVAILABLE', {
  message: 'Something we need cannot be reached. Please try again in a moment.',
  retryAfterSeconds: 5,
});

function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return isDatabaseAway(error) ? AWAY : undefined;
}

/** The wire form of an error; what is not an AppError is INTERNAL and says nothing but the request's id. */
export function errorBody(error: unknown, requestId: string): { status: number; body: ErrorBody } {
  const refusal = refusalOf(error);
  if (refusal) {
    const { code, message, data } = refusal;
    const { error: fields, href, proof } = data;
    return {
      status: ERRORS[code].status,
      body: { code, message, ...(fields && { error: fields }), ...(href && { href }), ...(proof && { proof }) },
    };
  }
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413) return { status, body: { code: 'TOO_LARGE', message: ERRORS.TOO_LARGE.words } };
  if (status === 415) return { status, body: { code: 'UNSUPPORTED_TYPE', message: ERRORS.UNSUPPORTED_TYPE.words } };
  if (status === 404) return { status, body: { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.words } };
  if (status >= 400 && status < 500) return { status: 400, body: BAD_REQUEST };
  return { status: 500, body: { code: 'INTERNAL', message: ERRORS.INTERNAL.words, requestId } };
}

/** Logs and counts what is no refusal, and for load, which ends by itself, one line without a stack. `called` is the route that a page asked in this process. */
export function reportFault(
  error: unknown,
  { status, body }: ReturnType<typeof errorBody>,
  request: FastifyRequest,
  called?: string,
): void {
  // What operators stopped is refused, and has not failed.
  if (status < 500 || body.code === 'STOPPED' || body.code === 'MAINTENANCE') return;
  const route = `${request.method} ${called ?? request.routeOptions.url ?? 'none'}`;
  if (error instanceof AppError && error.data.retryAfterSeconds !== undefined)
    request.log.warn({ code: body.code, words: body.message, requestId: request.id, route }, 'a request was put off');
  else request.log.error({ err: error, requestId: request.id, route }, 'a request failed');
  request.server.faults.note({ route, code: body.code, reference: request.id });
}

/** Answers a refusal or a fault in the contract's one shape. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = errorBody(error, request.id);
  const { status, body } = answer;
  reportFault(error, answer, request);
  const retryAfter = refusalOf(error)?.data.retryAfterSeconds;
  if (retryAfter) reply.header('retry-after', String(retryAfter));
  return reply.status(status).header('cache-control', 'no-store').type('application/json').send(body);
}

/** Answers bytes that are no request: the socket is all there is. Refused are too many headers, too slow ones, and nonsense. */
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  const text = JSON.stringify(BAD_REQUEST);
  const head = `content-type: application/json\r\ncontent-length: ${text.length}\r\ncache-control: no-store\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${text}`);
}

/** Whom a request comes from. */
export type Caller = Pick<FastifyRequest, 'actor' | 'ip'>;

/** What calls are counted by: the account, however many sessions it has; else the network. */
export function callerKey(caller: Caller): string {
  return caller.actor?.userId ?? callerNetwork(caller);
}

/** What ways out are counted by: nobody who has another session of the account can close them. */
export function sessionKey(caller: Caller): string {
  return caller.actor?.sessionId ?? callerNetwork(caller);
}

/** The address that a request comes from, of IPv6 the customer's network. */
export function callerNetwork({ ip }: Pick<Caller, 'ip'>): string {
  // Whatever its type says, there is no address once the client has hung up.
  const address: string | undefined = ip;
  return address === undefined ? 'gone' : networkOf(address);
}

/** Who asks, for what looks at it without a request. */
export function askerOf(caller: Caller): Asking {
  return { userId: caller.actor?.userId, sessionId: caller.actor?.sessionId, network: callerNetwork(caller) };
}

/** Whether a request names more than one host, which proxies and we could read differently. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** Makes the Fastify instance with what holds for every request. Paths under `/webhook/` may come from other sites. */
export async function createHttp(
  config: Config,
  log: Logger,
  sessions: Sessions,
  security: SecurityLog,
  faults: Faults,
): Promise<FastifyInstance> {
  let connections: Connections | undefined;
  const app: FastifyInstance = fastify<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: () => randomOf(8, 'hex'),
    routerOptions: { maxParamLength: 300 },
    // Long enough for the largest upload on a slow line; nobody holds a connection open for ever.
    requestTimeout: REQUEST_MS,
    // Loading the pages takes a busy machine longer than the library's ten seconds.
    pluginTimeout: PLUGIN_MS,
    clientErrorHandler: refuseUnreadable,
    // What no route is looked for: an address that cannot be read.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    // Who neither sends nor takes anything for so long is cut; node sees that what waits for a slow line gets less.
    connectionTimeout: SILENT_MS,
    forceCloseConnections: 'idle',
    // Sockets are all that we upgrade to; an offer of anything else (h2c) is ignored, as RFC 9110 (7.8) allows.
    http: {
      shouldUpgradeCallback: ({ headers, socket }) => {
        const isSocket = headers.upgrade?.toLowerCase() === 'websocket';
        if (isSocket) connections?.work(socket);
        return isSocket;
      },
    },
  });
  const ofNetwork = Math.ceil(CONNECTIONS.ofNetwork * config.rateFactor);
  connections = limitConnections(app.server, { ...CONNECTIONS, ofNetwork }, config.trustProxy !== false);
  app.decorate('faults', faults);
  app.decorateRequest('actor', undefined);
  app.decorateRequest('cspNonce', '');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  // Row W1: clients announce JSON with every call, also where they send nothing.
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body, done),
  );
  await app.register(cookie);

  if (config.trustProxy !== false)
    app.addHook('onRequest', (request, _reply, done) => {
      keepAddresses(request.raw);
      done();
    });
  const allowed = allowedOrigins(config);
  const secure = securityHeaders(config);
  const cookieName = sessionCookie(config);
  app.addHook('onRequest', async (request, reply) => {
    secure(request, reply);
    // A proxy's form of an address (RFC 9112, 3.2.2): this is none. Nor may there be two hosts to choose from (3.2).
    if (!request.url.startsWith('/') || hasTwoHosts(request.raw))
      throw new AppError('VALIDATION', { message: BAD_REQUEST.message });
    if (UNSAFE.has(request.method) && !request.url.startsWith('/api/webhook/') && isCrossSite(request, allowed)) {
      security.note({ kind: 'originRefused', network: callerNetwork(request) });
      throw new AppError('FORBIDDEN', { message: 'This request came from another site.' });
    }
    // Watchers ask whether the database answers: nothing of theirs waits for it.
    if (PROBES.has(request.url)) return;
    // Looking for a session is the network's: of cookies that were made up, each is a look in the database.
    const token = request.cookies[cookieName];
    request.actor = await askedBy({ network: callerNetwork(request) }, () => sessions.resolve(token));
  });
  app.addHook('onRequest', (request, _reply, done) => askedBy(askerOf(request), done));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new AppError('NOT_FOUND'), request, reply));
  return app;
}
