/** The error of a refused or failed API call, in the browser and on the server (row A12). */
import { ERRORS, type ErrorBody, type ErrorCode, type FieldError } from '@stagedoor/contract/shared/errors.ts';
import { localizeMessage } from './local-message.ts';
import * as texts from './texts.ts';

export type FailureCode = ErrorCode | 'NETWORK';
const OFFLINE_MESSAGE = texts.connectionError;

export class ApiError extends Error {
  readonly code: FailureCode;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /** The first validation message per field, for VALIDATION. */
  readonly fields: Readonly<Record<string, string>>;
  readonly href: string | undefined;
  /** Proves the identity of a blocked user whose password was correct. */
  readonly proof: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: {
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
    this.status = options.status ?? 0;
    this.fields = options.fields ?? {};
    this.href = options.href;
    this.proof = options.proof;
    this.requestId = options.requestId;
  }

  /** Whether the operation may have been carried out. A retry must use the same operation id. */
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

export function findErrorHref(error: unknown): string | undefined {
  return error instanceof ApiError ? error.href : undefined;
}

export function toFieldMessages(errors: readonly FieldError[] = []): Record<string, string> {
  const map: Record<string, string> = {};
  for (const { field, message } of errors) map[field] ??= message;
  return map;
}

export function toApiError(status: number, body: unknown): ApiError {
  if (isErrorBody(body))
    return new ApiError(body.code, localizeMessage(body), {
      status,
      fields: toFieldMessages(body.error),
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
  return new ApiError(code, ERRORS[code].message, { status });
}

export function createNetworkError(): ApiError {
  return new ApiError('NETWORK', OFFLINE_MESSAGE);
}
