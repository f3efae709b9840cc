/** `route()` declares one call: the typed client, the server's binding, the forms and OpenAPI all come from it. */
import * as z from 'zod/mini';
import type { TeamAccess } from './acting.ts';
import type { Activity } from './activities.ts';
import type { ErrorCode } from './errors.ts';
import type { SwitchName } from './switches.ts';

/** Who may call: anyone; any session; or a session of that type. `operator` is the platform's own staff. */
export type Auth = 'public' | 'session' | 'customer' | 'creator' | 'operator';

/**
 * How often, counted per account (ways out, that is what `goesOn`, per session) or without a session per address, with the sensitive
 * ones also per account named (and 60/min of an address, which many may share):
 * `read` 600/min, `asset` 3000/min, `write` 120/min, `money` 60/min, `sensitive` 10/min, `upload` 120/min.
 */
export type RateClass = 'read' | 'asset' | 'write' | 'money' | 'sensitive' | 'upload';

type Schema = z.ZodMiniType;

export type RouteSpec = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path under `/api`, with `:name` parameters. */
  path: `/${string}`;
  summary: string;
  auth: Auth;
  /** Besides VALIDATION, UNAUTHORIZED, RATE_LIMITED and INTERNAL, which every call may answer. */
  errors?: readonly ErrorCode[];
  params?: Schema;
  query?: Schema;
  body?: Schema;
  response: Schema;
  rate?: RateClass;
  /** Refused to whom an operator keeps from it. */
  activity?: Activity;
  /** Refused while an operator has one of these stopped. */
  switches?: readonly SwitchName[];
  /** Changes something in maintenance too: the way in and out, the end of what costs money, what protects people and what withdraws. */
  goesOn?: true;
  /** Who of a creator's team may call it. Left out: nobody of it, and what is public they see as everybody does. */
  team?: TeamAccess;
  /** Takes the header `Idempotency-Key`: the same key with the same body answers the same, with another CONFLICT. */
  idempotent?: boolean;
  /** `multipart` bodies are described, but parsed by the handler. */
  multipart?: boolean;
  /** Success is a file of one of these media types, not JSON: `response` is {@link fileAnswer}. */
  files?: readonly string[];
  /** The handler answers by itself, with ranges and to HEAD as well: what it returns is not looked at. */
  isPoured?: boolean;
};

/** A file as a handler hands it over. `name` is of plain letters, digits, dots and hyphens. */
export type FileAnswer = {
  readonly name: string;
  readonly type: string;
  /** Left out of what is made while it is read. */
  readonly bytes?: number;
  readonly body: AsyncIterable<Uint8Array>;
};
/** The response of a route with `files`. */
export const fileAnswer = z.custom<FileAnswer>();

type Output<T> = T extends Schema ? z.output<T> : undefined;
type Input<T> = T extends Schema ? z.input<T> : undefined;

export type ParamsOf<R extends RouteSpec> = Output<R['params']>;
export type QueryOf<R extends RouteSpec> = Output<R['query']>;
export type BodyOf<R extends RouteSpec> = Output<R['body']>;
/** What a handler returns: the input side of the response schema. */
export type AnswerOf<R extends RouteSpec> = z.input<R['response']>;
/** What a client gets. */
export type ResponseOf<R extends RouteSpec> = z.output<R['response']>;

type RequiredPart<K extends string, T> = T extends undefined
  ? { [P in K]?: undefined }
  : object extends T
    ? { [P in K]?: T }
    : { [P in K]: T };
/** What a client passes. */
export type RequestOf<R extends RouteSpec> = RequiredPart<'params', Input<R['params']>> &
  RequiredPart<'query', Input<R['query']>> &
  RequiredPart<'body', Input<R['body']>>;

/** Declares a route; the literal types are kept. */
export function route<const R extends RouteSpec>(spec: R): R {
  return spec;
}
