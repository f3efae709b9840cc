/**
 * Binds a contract route to a handler: validates every part and reports every field, asks for the session and role,
 * limits the rate, and answers nothing but what the response schema names.
 */
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

/** Calls a minute by class; see RateClass. */
const PER_MINUTE: Record<RateClass, number> = {
  read: 600,
  asset: 3_000,
  write: 120,
  money: 60,
  sensitive: 10,
  upload: 120,
};

/** Of those who have no session: a household, a school and an office share one address. Guesses are counted where they are made. */
const SENSITIVE_OF_NETWORK = 60;

type ActorOf<R extends RouteSpec> = R['auth'] extends 'public' ? Actor | undefined : Actor;

export type Call<R extends RouteSpec> = {
  readonly actor: ActorOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** The `Idempotency-Key`, or a fresh one: then the call is tried once. */
  readonly operationId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** What a handler makes: the answer, or of a page its list written already. */
type Made<R extends RouteSpec> = AnswerOf<R> | WrittenPage<AnswerOf<R>>;

export type Handler<R extends RouteSpec> = (call: Call<R>) => Promise<Made<R>> | Made<R>;
export type Bind = <R extends RouteSpec>(route: R, handler: Handler<R>) => void;

/** The parts of a call as they come: texts, not yet parsed. */
type Given = { readonly params: unknown; readonly query: unknown; readonly body?: unknown };
/** Who asks: `actor` need not be the request's, as some pages are made for nobody whoever asks for them. */
type Asker = Pick<Call<RouteSpec>, 'request' | 'reply'> & {
  readonly actor: Actor | undefined;
  /** Asked for everybody alike, wherever they are. */
  readonly isPlaceless?: boolean;
};

/**
 * Asks a reading route in this process, for a page that is being rendered: rights, validation, rate limit and answer are
 * those of the same call over HTTP. Throws what the handler throws.
 */
export type LocalRead = (given: Given, asker: Asker) => Promise<unknown>;

/** What was bound; reading routes can be asked in process. */
export type Bound = Map<RouteSpec, LocalRead | undefined>;

/** What a room's `register` is handed. */
export type Server = {
  readonly app: FastifyInstance;
  readonly ctx: Context;
  readonly bind: Bind;
  /** Where rooms put what they count. */
  readonly metrics: Registry;
};

/** Refuses who may not call this route. A blocked account may only be told so, and log out. */
export function requireRole(route: Pick<RouteSpec, 'auth'>, actor: Actor | undefined): void {
  if (route.auth === 'public') return;
  if (!actor) throw new AppError('UNAUTHORIZED');
  if (actor.isBlocked) throw new AppError('account_blocked');
  if (!mayCall(route, actor)) throw new AppError('FORBIDDEN');
}

/** Refuses what an operator keeps the actor from for a time. */
function requireActivity({ activity }: Pick<RouteSpec, 'activity'>, actor: Actor | undefined, now: Date): void {
  const until = activity && actor?.limited?.[activity];
  if (!activity || !until || Date.parse(until) <= now.getTime()) return;
  throw new AppError('FORBIDDEN', { message: closedActivityWords(activity, until) });
}

/** Whether a route is for people of this kind; who is nobody is not asked. */
function mayCall(route: Pick<RouteSpec, 'auth'>, actor: Actor | undefined): boolean {
  return actor === undefined || route.auth === 'public' || route.auth === 'session' || route.auth === actor.type;
}

/** Whether every text in a value can be stored: PostgreSQL has no NUL, and UTF-8 no half of a surrogate pair. */
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
    complaints.push({ field: bad?.[0] ?? part, message: 'This contains characters that cannot be stored' });
    return undefined;
  }
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.') || part;
    // A field is told its first complaint: an empty address is missing, and not invalid besides.
    if (!complaints.some((other) => other.field === field)) complaints.push({ field, message: issue.message });
  }
  return undefined;
}

/** The UUID (version 8, RFC 9562) that stands for a key of another form: always the same for one person's same key. */
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

/** Whether a field is an id in the route's address. */
function isAddressed(route: RouteSpec, field: string): boolean {
  return /id$/i.test(field) && route.path.split('/').includes(`:${field}`);
}

/** What something is done to: `post:…`, `conversationId:…`. A bare `id` is named by where the route's address begins. */
function subjectOf(route: RouteSpec, given: Record<string, unknown>): string {
  const ids = Object.entries(given).filter(
    ([name, value]) => /^id$|(?<!client)Id$/.test(name) && typeof value === 'string',
  );
  return ids.map(([name, id]) => `${name === 'id' ? route.path.split('/')[1] : name}:${id}`).join(' ');
}

/** Does it; what is refused says so where it was kept. */
async function done<T>(work: () => Promise<T> | T, refused: (() => Promise<void>) | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await refused?.();
    throw error;
  }
}

/** Makes `bind` for one instance. `bound` learns what was bound, for the test of completeness. */
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

    /** Before it is done, so that nothing is done without a line of it. */
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
      // Reading is repeated freely.
      const operation = route.method === 'GET' ? '' : operationOf(request, actor, complaints);
      if (complaints.length > 0) {
        // Somebody else's id and a malformed one look alike: there is nothing there.
        const isOnlyAddress = complaints.every(({ field }) => field === 'params' || isAddressed(route, field));
        if (isOnlyAddress && route.params) throw new AppError('NOT_FOUND');
        throw new AppError('VALIDATION', { message: complaints[0]?.message ?? '', error: complaints });
      }
      // The parts were parsed by this route's own schemas, which is what Call<R> says.
      const call = { actor, params, query, body, operationId: operation, request, reply } as Call<typeof route>;
      const kept = actor?.member && route.method !== 'GET' ? await keepAct(actor, params, body) : undefined;
      const here = isPlaceless ? undefined : ctx.places.hereOf(request, actor);
      const made = await done(() => ctx.places.within(here, () => handler(call)), kept);
      if (route.auth === 'operator' && route.method !== 'GET') note('operatorActed');
      return made;
    };
    // What reads a body loses who asks on the way.
    const answer = (given: Given, asker: Asker): Promise<unknown> =>
      askedBy(askerOf(asker.request), () => handle(given, asker));
    const read: LocalRead = async (given, asker) => {
      const made = await answer(given, asker);
      // Also for a page that is answered already, as with a redirect: who asked on its way goes on.
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
