/** Binds a contract route to a handler. Responses contain only fields that the response schema names. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError, type FieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId, operationId } from '@stagedoor/contract/shared/ids.ts';
import { formatRestriction } from '@stagedoor/contract/shared/restrictions.ts';
import {
  type BodyOf,
  fileResponse,
  type ParamsOf,
  type QueryOf,
  type RateClass,
  type ResponseInputOf,
  type RouteSpec,
} from '@stagedoor/contract/shared/route.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { limitRequests, type RateLimit } from '../limits/rate-limit.ts';
import { resolveRouteActor } from '../security/delegation.ts';
import { hasOperatorRole, requireOperator, requireOperatorRight } from '../security/operators.ts';
import { type Actor, teamDelegation } from '../security/session.ts';
import { requireRouteEnabled } from '../site-status.ts';
import { sendJson } from './compression.ts';
import { getCallerKey, getCallerNetwork, getSessionKey, toRequester } from './http.ts';
import { createPageSerializer, type PreserializedPage, parsePreserialized } from './preserialized.ts';
import { runAs } from './request-context.ts';
import { createResponseSerializer } from './response-serializer.ts';

const PER_MINUTE: Record<RateClass, number> = {
  read: 600,
  asset: 3_000,
  write: 120,
  money: 60,
  sensitive: 10,
  upload: 120,
};

/**
 * For anonymous callers, because a household, school or office shares one address. Password guesses are limited
 * separately.
 */
const SENSITIVE_PER_NETWORK = 60;

type ActorOf<R extends RouteSpec> = R['auth'] extends 'public' ? Actor | undefined : Actor;

export type RouteCall<R extends RouteSpec> = {
  readonly actor: ActorOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** The `Idempotency-Key`, or a random id when the client sent none. */
  readonly operationId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

type RouteResult<R extends RouteSpec> = ResponseInputOf<R> | PreserializedPage<ResponseInputOf<R>>;

export type RouteHandler<R extends RouteSpec> = (call: RouteCall<R>) => Promise<RouteResult<R>> | RouteResult<R>;
export type BindRoute = <R extends RouteSpec>(route: R, handler: RouteHandler<R>) => void;

type RouteInput = { readonly params: unknown; readonly query: unknown; readonly body?: unknown };
/** `actor` may differ from the actor of the request, because shared pages are rendered for an anonymous viewer. */
type CallOrigin = Pick<RouteCall<RouteSpec>, 'request' | 'reply'> & {
  readonly actor: Actor | undefined;
  /** Skips geo-blocking because the result is shared by viewers everywhere. */
  readonly isGeoIndependent?: boolean;
};

/**
 * Calls a GET route in this process while a page is rendered, with the same rights, validation and rate limit as over
 * HTTP. Throws what the handler throws.
 */
export type LocalRead = (input: RouteInput, callOrigin: CallOrigin) => Promise<unknown>;

export type BoundRoutes = Map<RouteSpec, LocalRead | undefined>;

export type ModuleHost = {
  readonly app: FastifyInstance;
  readonly ctx: Context;
  readonly bind: BindRoute;
  readonly metrics: Registry;
};

/** Throws UNAUTHORIZED, account_blocked or FORBIDDEN when the actor may not call the route. */
export function requireRole(route: Pick<RouteSpec, 'auth'>, actor: Actor | undefined): void {
  if (route.auth === 'public') return;
  if (!actor) throw new AppError('UNAUTHORIZED');
  if (actor.isBlocked) throw new AppError('account_blocked');
  if (!canCall(route, actor)) throw new AppError('FORBIDDEN');
}

function requireUnrestricted({ activity }: Pick<RouteSpec, 'activity'>, actor: Actor | undefined, now: Date): void {
  const until = activity && actor?.restrictions?.[activity];
  if (!activity || !until || Date.parse(until) <= now.getTime()) return;
  throw new AppError('FORBIDDEN', { message: formatRestriction(activity, until) });
}

function canCall(route: Pick<RouteSpec, 'auth'>, actor: Actor | undefined): boolean {
  return actor === undefined || route.auth === 'public' || route.auth === 'session' || route.auth === actor.type;
}

/** PostgreSQL cannot store NUL, and UTF-8 cannot encode half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isStorable);
  return true;
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, fieldErrors: FieldError[], part: string): unknown {
  if (!schema) return undefined;
  const result = validate(schema, value);
  if (result.success && isStorable(result.data)) return result.data;
  if (result.success) {
    const unstorable = Object.entries(Object(result.data)).find(([, inner]) => !isStorable(inner));
    fieldErrors.push({ field: unstorable?.[0] ?? part, message: 'This contains unsupported characters' });
    return undefined;
  }
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.') || part;
    if (!fieldErrors.some((other) => other.field === field)) fieldErrors.push({ field, message: issue.message });
  }
  return undefined;
}

/** Maps a key of another form to a UUID (version 8, RFC 9562) that is stable per user and key. */
function toUuid(key: string, actor: Actor | undefined): string {
  const hex = createHash('sha256')
    .update(`${actor?.userId ?? ''} ${key}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function parseOperationId(request: FastifyRequest, actor: Actor | undefined, fieldErrors: FieldError[]): string {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return randomUUID();
  const parsed = validate(operationId, header);
  if (parsed.success) return isId(parsed.data.toLowerCase()) ? parsed.data.toLowerCase() : toUuid(parsed.data, actor);
  fieldErrors.push({ field: 'Idempotency-Key', message: parsed.error.issues[0]?.message ?? '' });
  return '';
}

function sendFile(reply: FastifyReply, result: unknown): FastifyReply {
  const { name, type, bytes, body } = z.parse(fileResponse, result);
  reply.headers({
    'content-disposition': `attachment; filename="${name}"`,
    ...(bytes !== undefined && { 'content-length': bytes }),
    'x-content-type-options': 'nosniff',
  });
  const stream = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
  return reply.type(type).send(stream);
}

function isPathId(route: RouteSpec, field: string): boolean {
  return /id$/i.test(field) && route.path.split('/').includes(`:${field}`);
}

function formatSubject(route: RouteSpec, input: Record<string, unknown>): string {
  const ids = Object.entries(input).filter(
    ([name, value]) => /^id$|(?<!client)Id$/.test(name) && typeof value === 'string',
  );
  return ids.map(([name, id]) => `${name === 'id' ? route.path.split('/')[1] : name}:${id}`).join(' ');
}

async function runOrRecordRefusal<T>(
  work: () => Promise<T> | T,
  recordRefusal: (() => Promise<void>) | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await recordRefusal?.();
    throw error;
  }
}

export function createBind(app: FastifyInstance, ctx: Context, bound: BoundRoutes): BindRoute {
  return (route, handler) => {
    requireOperatorRight(route);
    if (bound.has(route)) throw new Error(`${route.method} ${route.path} is bound twice`);
    const serialize = route.files
      ? (result: unknown) => result
      : createResponseSerializer(ctx.config, route.response, `${route.method} ${route.path}`);
    const serializeText = createPageSerializer(serialize);
    const limit = (perMinute: number): RateLimit => ({
      name: `${route.method} ${route.path}`,
      max: perMinute,
      windowMs: 60_000,
    });
    const accountLimit = limit(PER_MINUTE[route.rate ?? 'read']);
    const networkLimit = route.rate === 'sensitive' ? limit(SENSITIVE_PER_NETWORK) : accountLimit;
    const getLimitKey = route.allowedInMaintenance ? getSessionKey : getCallerKey;
    const enforceLimit = limitRequests(ctx.limits, ({ actor }) => (actor ? accountLimit : networkLimit), getLimitKey);

    /** Recorded before the action, so that no action is missing in the log. */
    const recordTeamAction = (actor: Actor, params: unknown, body: unknown) =>
      teamDelegation
        .get(ctx)
        .recordAction(actor, route.summary, formatSubject(route, { ...Object(body), ...Object(params) }));

    const handle = async (
      input: RouteInput,
      { actor: requestActor, request, reply, isGeoIndependent = false }: CallOrigin,
    ) => {
      const actor = resolveRouteActor(route, requestActor);
      const logSecurityEvent = (kind: 'roleRefused' | 'operatorAction') =>
        ctx.security.note({
          kind,
          userId: actor?.userId,
          sessionId: actor?.sessionId,
          network: getCallerNetwork(request),
          detail: `${route.method} ${route.path}`,
        });
      if (!canCall(route, actor) || !hasOperatorRole(route, actor)) logSecurityEvent('roleRefused');
      requireRole(route, actor);
      if (actor) requireOperator(route, actor, ctx);
      requireUnrestricted(route, actor, ctx.clock.now());
      await requireRouteEnabled(ctx.siteStatus, route, requestActor);
      const fieldErrors: FieldError[] = [];
      const params = parse(route.params, input.params, fieldErrors, 'params');
      const query = parse(route.query, input.query, fieldErrors, 'query');
      const body = route.multipart ? undefined : parse(route.body, input.body ?? undefined, fieldErrors, 'body');
      const operation = route.method === 'GET' ? '' : parseOperationId(request, actor, fieldErrors);
      if (fieldErrors.length > 0) {
        // A malformed id in the path is answered like an unknown one.
        const isOnlyPath = fieldErrors.every(({ field }) => field === 'params' || isPathId(route, field));
        if (isOnlyPath && route.params) throw new AppError('NOT_FOUND');
        throw new AppError('VALIDATION', { message: fieldErrors[0]?.message ?? '', error: fieldErrors });
      }
      const call = { actor, params, query, body, operationId: operation, request, reply } as RouteCall<typeof route>;
      const recordRefusal =
        actor?.member && route.method !== 'GET' ? await recordTeamAction(actor, params, body) : undefined;
      const geoContext = isGeoIndependent ? undefined : ctx.geo.findContext(request, actor);
      const result = await runOrRecordRefusal(() => ctx.geo.runWith(geoContext, () => handler(call)), recordRefusal);
      if (route.auth === 'operator' && route.method !== 'GET') logSecurityEvent('operatorAction');
      return result;
    };
    // Reading a body loses the AsyncLocalStorage context, so the caller is set again.
    const execute = (input: RouteInput, callOrigin: CallOrigin): Promise<unknown> =>
      runAs(toRequester(callOrigin.request), () => handle(input, callOrigin));
    const read: LocalRead = async (input, callOrigin) => {
      const result = await execute(input, callOrigin);
      return route.isStreamed ? undefined : serialize(parsePreserialized(result));
    };

    const readLocally: LocalRead = async (input, callOrigin) => {
      await enforceLimit(callOrigin.request);
      return read(input, callOrigin);
    };
    bound.set(route, route.method === 'GET' ? readLocally : undefined);
    app.route({
      method: route.isStreamed ? [route.method, 'HEAD'] : route.method,
      url: `/api${route.path}`,
      onRequest: enforceLimit,
      handler: async (request, reply) => {
        const result = await execute(request, { actor: request.actor, request, reply });
        if (reply.sent || route.isStreamed) return reply;
        reply.header('cache-control', 'no-store');
        return route.files ? sendFile(reply, result) : sendJson(request, reply, serializeText(result));
      },
    });
  };
}
