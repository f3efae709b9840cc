/** `route()` declares an API call. The typed client, the server route, forms and OpenAPI derive from it. */
import * as z from 'zod/mini';
import type { TeamAccess } from './delegation.ts';
import type { ErrorCode } from './errors.ts';
import type { KillSwitch } from './kill-switches.ts';
import type { RestrictedActivity } from './restrictions.ts';

/** Required session. `operator` is the platform's own staff. */
export type Auth = 'public' | 'session' | 'customer' | 'creator' | 'operator';

/**
 * Requests per minute: `read` 600, `asset` 3000, `write` 120, `money` 60, `sensitive` 10, `upload` 120. Counted per
 * account (with `allowedInMaintenance` per session), or per IP address without a session. `sensitive` is also counted per named
 * account, with 60 per IP address because many users may share one.
 */
export type RateClass = 'read' | 'asset' | 'write' | 'money' | 'sensitive' | 'upload';

type Schema = z.ZodMiniType;

export type RouteSpec = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path under `/api`, with `:name` parameters. */
  path: `/${string}`;
  summary: string;
  auth: Auth;
  /** In addition to VALIDATION, UNAUTHORIZED, RATE_LIMITED and INTERNAL. */
  errors?: readonly ErrorCode[];
  params?: Schema;
  query?: Schema;
  body?: Schema;
  response: Schema;
  rate?: RateClass;
  activity?: RestrictedActivity;
  killSwitches?: readonly KillSwitch[];
  /** Allowed in maintenance: log-in and log-out, ending what costs money, safety actions and withdrawals. */
  allowedInMaintenance?: true;
  /**
   * Team members who may call it on behalf of a creator. If omitted, none may, and public routes treat them as
   * visitors.
   */
  team?: TeamAccess;
  /** Takes the header `Idempotency-Key`. A repeated key returns the same response, with another body CONFLICT. */
  idempotent?: boolean;
  /** The handler parses the body. */
  multipart?: boolean;
  /** A successful response is a file of one of these media types, and `response` is {@link fileResponse}. */
  files?: readonly string[];
  /** The handler writes the response itself, with ranges and HEAD. Its return value is ignored. */
  isStreamed?: boolean;
};

export type FileResponse = {
  readonly name: string;
  readonly type: string;
  /** Absent if the content is generated while it is sent. */
  readonly bytes?: number;
  readonly body: AsyncIterable<Uint8Array>;
};
export const fileResponse = z.custom<FileResponse>();

type Output<T> = T extends Schema ? z.output<T> : undefined;
type Input<T> = T extends Schema ? z.input<T> : undefined;

export type ParamsOf<R extends RouteSpec> = Output<R['params']>;
export type QueryOf<R extends RouteSpec> = Output<R['query']>;
export type BodyOf<R extends RouteSpec> = Output<R['body']>;
export type ResponseInputOf<R extends RouteSpec> = z.input<R['response']>;
export type ResponseOf<R extends RouteSpec> = z.output<R['response']>;

type RequiredPart<K extends string, T> = T extends undefined
  ? { [P in K]?: undefined }
  : object extends T
    ? { [P in K]?: T }
    : { [P in K]: T };
export type RequestOf<R extends RouteSpec> = RequiredPart<'params', Input<R['params']>> &
  RequiredPart<'query', Input<R['query']>> &
  RequiredPart<'body', Input<R['body']>>;

export function route<const R extends RouteSpec>(spec: R): R {
  return spec;
}
