/** What a refused or failed call rejects with, in browser and on the server alike (row A12). */
import { ERRORS, type ErrorBody, type ErrorCode, type FieldError } from '@stagedoor/contract/atoms/errors.ts';

export type FailureCode = ErrorCode | 'NETWORK';
const OFFLINE_WORDS = 'We could not reach Stagedoor. Check your connection and try again.';

export class ApiError extends Error {
  readonly code: FailureCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Complaints by field, for VALIDATION. The first one of a field counts. */
  readonly fields: Readonly<Record<string, string>>;
  /** The page that says more of it. */
  readonly href: string | undefined;
  /** Of who is blocked, from a log-in that was right. */
  readonly proof: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    code: FailureCode,
    message: string,
    more: {
      status?: number;
      fields?: Record<string, string>;
      href?: string | undefined;
      proof?: string | undefined;
      requestId?: string | undefined;
    } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = more.status ?? 0;
    this.fields = more.fields ?? {};
    this.href = more.href;
    this.proof = more.proof;
    this.requestId = more.requestId;
  }

  /** Whether it is not known that nothing happened: trying again must use the same operation id. */
  get isUncertain(): boolean {
    return this.code === 'NETWORK' || this.code === 'CONFLICT' || this.status >= 500;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    Object.hasOwn(ERRORS, body.code) &&
    'message' in body &&
    typeof body.message === 'string'
  );
}

/** The page that says more of a failure, if there is one. */
export function hrefOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.href : undefined;
}

/** VALIDATION's array as a map keyed by field. */
export function fieldMap(errors: readonly FieldError[] = []): Record<string, string> {
  const map: Record<string, string> = {};
  for (const { field, message } of errors) map[field] ??= message;
  return map;
}

/** The failure that an answer of this status and body stands for. */
export function errorOf(status: number, body: unknown): ApiError {
  if (isErrorBody(body))
    return new ApiError(body.code, body.message, {
      status,
      fields: fieldMap(body.error),
      href: body.href,
      proof: body.proof,
      requestId: body.requestId,
    });
  const code: ErrorCode =
    status === 401
      ? 'UNAUTHORIZED'
      : status === 404
        ? 'NOT_FOUND'
        : status === 429
          ? 'RATE_LIMITED'
          : status === 503
            ? 'UNAVAILABLE'
            : 'INTERNAL';
  return new ApiError(code, ERRORS[code].words, { status });
}

export function networkError(): ApiError {
  return new ApiError('NETWORK', OFFLINE_WORDS);
}
