/** Binds a contract route to a handler. Responses contain only fields that the response schema names. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { closedActivityWords } from '@stagedoor/contract/atoms/activities.ts';
import { AppError, type FieldError } from '@stagedoor/contract/atoms/errors.ts';
import { isId, operationId } from '@stagedoor/contract/atoms/ids.ts';
import {
  type AnswerOf,
  type BodyOf,
  fileAnswer,
  type ParamsOf,
  type QueryOf,
  type RateClass,
  type RouteSpec,
} from '@stagedoor/contract/atoms/route.ts';
import { check } from '@stagedoor/contract/atoms/words.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import * as z from 'zod/mini';
import { actorFor } from './acting.ts';
import { askedBy } from './asking.ts';
import { sendJson } from './compression.ts';
import type { Context } from './context.ts';
import { askerOf, callerKey, callerNetwork, sessionKey } from './http.ts';
import { type Limit, limitRequests } from './limits.ts';
import { isInRole, requireEntry, requireOperator } from './operators.ts';
import type { Actor } from './session.ts';
import { answerShape } from './shape.ts';
import { requireGoing } from './switches.ts';
import { opened, type WrittenPage, writerOf } from './written.ts';

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
const SENSITIVE_OF_NETWORK = 60;

type ActorOf<R extends RouteSpec> = R['auth'] extends 'public' ? Actor | undefined : Actor;

export type Call<R extends RouteSpec> = {
  readonly actor: ActorOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** The `Idempotency-Key`, or a random id when the client sent none. */
  readonly operationId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

type Made<R extends RouteSpec> = AnswerOf<R> | WrittenPage<AnswerOf<R>>;

export type Handler<R extends RouteSpec> = (call: Call<R>) => Promise<Made<R>> | Made<R>;
export type Bind = <R extends RouteSpec>(route: R, handler: Handler<R>) => void;

type Given = { readonly params: unknown; readonly query: unknown; readonly body?: unknown };
/** `actor` may differ from the actor of the request, because shared pages are rendered for an anonymous viewer. */
type Asker = Pick<Call<RouteSpec>, 'request' | 'reply'> & {
  readonly actor: Actor | undefined;
  /** Skips geo-blocking because the result is shared by viewers everywhere. */
  readonly isPlaceless?: boolean;
};

/**
 * Calls a GET route in this process while a page is rendered, with the same rights, validation and rate limit as over
 * HTTP. Throws what the handler throws.
 */
export type LocalRead = (given: Given, asker: Asker) => Promise<unknown>;

export type Bound = Map<RouteSpec, LocalRead | undefined>;

export type Server = {
  readonly app: FastifyInstance;
  readonly ctx: Context;
  readonly bind: Bind;
  readonly metrics: Registry;
};

/** Throws UNAUTHORIZED, account_blocked or FORBIDDEN when the actor may not call the route. */
export function requireRole(route: Pick<RouteSpec, 'auth'>, actor: Actor | undefined): void {
  if (route.auth === 'public') return;
  if (!actor) throw new AppError('UNAUTHORIZED');
  if (actor.isBlocked) throw new AppError('account_blocked');
  if (!mayCall(route, actor)) throw new AppError('FORBIDDEN');
}

function requireActivity({ activity }: Pick<RouteSpec, 'activity'>, actor: Actor | undefined, now: Date): void {
  const until = activity && actor?.limited?.[activity];
  if (!activity || !until || Date.parse(until) <= now.getTime()) return;
  throw new AppError('FORBIDDEN', { message: closedActivityWords(activity, until) });
}

function mayCall(route: Pick<RouteSpec, 'auth'>, actor: Actor | undefined): boolean {
  return actor === undefined || route.auth === 'public' || route.auth === 'session' || route.auth === actor.type;
}

/** PostgreSQL cannot store NUL, and UTF-8 cannot encode half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isStorable);
  return true;
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, complaints: FieldError[], part: string): unknown {
  if (!schema) return undefined;
  const result = check(schema, value);
  if (result.success && isStorable(result.data)) return result.data;
  if (result.success) {
    const bad = Object.entries(Object(result.data)).find(([, inner]) => !isStorable(inner));
    complaints.push({ field: bad?.[0] ?? part, message: 'This contains unsupported characters' });
    return undefined;
  }
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.') || part;
    if (!complaints.some((other) => other.field === field)) complaints.push({ field, message: issue.message });
  }
  return undefined;
}

/** Maps a key of another form to a UUID (version 8, RFC 9562) that is stable per user and key. */
function uuidOf(key: string, actor: Actor | undefined): string {
  const hex = createHash('sha256')
    .update(`${actor?.userId ?? ''} ${key}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function operationOf(request: FastifyRequest, actor: Actor | undefined, complaints: FieldError[]): string {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return randomUUID();
  const parsed = check(operationId, header);
  if (parsed.success) return isId(parsed.data.toLowerCase()) ? parsed.data.toLowerCase() : uuidOf(parsed.data, actor);
  complaints.push({ field: 'Idempotency-Key', message: parsed.error.issues[0]?.message ?? '' });
  return '';
}

function sendFile(reply: FastifyReply, made: unknown): FastifyReply {
  const { name, type, bytes, body } = z.parse(fileAnswer, made);
  reply.headers({
    'content-disposition': `attachment; filename="${name}"`,
    ...(bytes !== undefined && { 'content-length': bytes }),
    'x-content-type-options': 'nosniff',
  });
  const stream = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
  return reply.type(type).send(stream);
}

function isAddressed(route: RouteSpec, field: string): boolean {
  return /id$/i.test(field) && route.path.split('/').includes(`:${field}`);
}

function subjectOf(route: RouteSpec, given: Record<string, unknown>): string {
  const ids = Object.entries(given).filter(
    ([name, value]) => /^id$|(?<!client)Id$/.test(name) && typeof value === 'string',
  );
  return ids.map(([name, id]) => `${name === 'id' ? route.path.split('/')[1] : name}:${id}`).join(' ');
}

async function done<T>(work: () => Promise<T> | T, refused: (() => Promise<void>) | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await refused?.();
    throw error;
  }
}

export function createBind(app: FastifyInstance, ctx: Context, bound: Bound): Bind {
  return (route, handler) => {
    requireEntry(route);
    if (bound.has(route)) throw new Error(`${route.method} ${route.path} is bound twice`);
    const shape = route.files
      ? (made: unknown) => made
      : answerShape(ctx.config, route.response, `${route.method} ${route.path}`);
    const write = writerOf(shape);
    const limit = (perMinute: number): Limit => ({
      name: `${route.method} ${route.path}`,
      max: Math.ceil(perMinute * ctx.config.rateFactor),
      windowMs: 60_000,
    });
    const ofAccount = limit(PER_MINUTE[route.rate ?? 'read']);
    const ofNetwork = route.rate === 'sensitive' ? limit(SENSITIVE_OF_NETWORK) : ofAccount;
    const countedBy = route.goesOn ? sessionKey : callerKey;
    const holdToLimit = limitRequests(ctx.limits, ({ actor }) => (actor ? ofAccount : ofNetwork), countedBy);

    /** Recorded before the action, so that no action is missing in the log. */
    const keepAct = (actor: Actor, params: unknown, body: unknown) =>
      ctx.sessions.team.keep(actor, route.summary, subjectOf(route, { ...Object(body), ...Object(params) }));

    const handle = async (given: Given, { actor: asking, request, reply, isPlaceless = false }: Asker) => {
      const actor = actorFor(route, asking);
      const note = (kind: 'roleRefused' | 'operatorActed') =>
        ctx.security.note({
          kind,
          userId: actor?.userId,
          sessionId: actor?.sessionId,
          network: callerNetwork(request),
          detail: `${route.method} ${route.path}`,
        });
      if (!mayCall(route, actor) || !isInRole(route, actor)) note('roleRefused');
      requireRole(route, actor);
      if (actor) requireOperator(route, actor, ctx);
      requireActivity(route, actor, ctx.clock.now());
      await requireGoing(ctx.switches, route, asking);
      const complaints: FieldError[] = [];
      const params = parse(route.params, given.params, complaints, 'params');
      const query = parse(route.query, given.query, complaints, 'query');
      const body = route.multipart ? undefined : parse(route.body, given.body ?? undefined, complaints, 'body');
      const operation = route.method === 'GET' ? '' : operationOf(request, actor, complaints);
      if (complaints.length > 0) {
        // A malformed id in the path is answered like an unknown one.
        const isOnlyAddress = complaints.every(({ field }) => field === 'params' || isAddressed(route, field));
        if (isOnlyAddress && route.params) throw new AppError('NOT_FOUND');
        throw new AppError('VALIDATION', { message: complaints[0]?.message ?? '', error: complaints });
      }
      const call = { actor, params, query, body, operationId: operation, request, reply } as Call<typeof route>;
      const kept = actor?.member && route.method !== 'GET' ? await keepAct(actor, params, body) : undefined;
      const here = isPlaceless ? undefined : ctx.places.hereOf(request, actor);
      const made = await done(() => ctx.places.within(here, () => handler(call)), kept);
      if (route.auth === 'operator' && route.method !== 'GET') note('operatorActed');
      return made;
    };
    // Reading a body loses the AsyncLocalStorage context, so the caller is set again.
    const answer = (given: Given, asker: Asker): Promise<unknown> =>
      askedBy(askerOf(asker.request), () => handle(given, asker));
    const read: LocalRead = async (given, asker) => {
      const made = await answer(given, asker);
      return route.isPoured ? undefined : shape(opened(made));
    };

    const readLocally: LocalRead = async (given, asker) => {
      await holdToLimit(asker.request);
      return read(given, asker);
    };
    bound.set(route, route.method === 'GET' ? readLocally : undefined);
    app.route({
      method: route.isPoured ? [route.method, 'HEAD'] : route.method,
      url: `/api${route.path}`,
      onRequest: holdToLimit,
      handler: async (request, reply) => {
        const made = await answer(request, { actor: request.actor, request, reply });
        if (reply.sent || route.isPoured) return reply;
        reply.header('cache-control', 'no-store');
        return route.files ? sendFile(reply, made) : sendJson(request, reply, write(made));
      },
    });
  };
}
