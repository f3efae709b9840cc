export const ERRORS = {
  VALIDATION: { status: 400, message: 'Check the highlighted fields.' },
  UNAUTHORIZED: { status: 401, message: 'Log in to continue.' },
  INSUFFICIENT_FUNDS: { status: 402, message: 'Not enough funds. Add funds and try again.' },
  account_blocked: { status: 403, message: 'This account is blocked. Contact support.' },
  FORBIDDEN: { status: 403, message: 'You don’t have permission to do this.' },
  NOT_VERIFIED: { status: 403, message: 'Verify your identity to start selling.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  CONFLICT: { status: 409, message: 'This has already changed. Reload and try again.' },
  TOO_LARGE: { status: 413, message: 'This file is too large.' },
  UNSUPPORTED_TYPE: { status: 415, message: 'This file type isn’t supported.' },
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Try again later.' },
  INTERNAL: { status: 500, message: 'Something went wrong. Try again.' },
  UPSTREAM: { status: 502, message: 'Service temporarily unavailable. Try again.' },
  UNAVAILABLE: { status: 503, message: 'We’ll be right back. Try again in a moment.' },
  FEATURE_DISABLED: { status: 503, message: 'This is temporarily unavailable.' },
  MAINTENANCE: { status: 503, message: 'We’re doing maintenance. Try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

export type FieldError = { field: string; message: string };

/** Days, weeks from Monday and calendar months in UTC. */
export type UtcPeriod = 'day' | 'week' | 'month';

/** A message with `{time}`: the end of the current period, which clients show in the time zone of the viewer. */
export type LocalMessage = { text: string; endOf: UtcPeriod };

/**
 * `href`: page with more information. `proof`: sent with account_blocked after correct credentials, to be included in a
 * message to support. `requestId`: only with INTERNAL. `localMessage`: `message` for clients that know the viewer's time
 * zone.
 */
export type ErrorBody = {
  code: ErrorCode;
  message: string;
  error?: FieldError[];
  href?: string;
  proof?: string;
  requestId?: string;
  localMessage?: LocalMessage;
};

export type ErrorData = {
  message?: string;
  error?: FieldError[];
  href?: string;
  proof?: string;
  retryAfterSeconds?: number;
  localMessage?: LocalMessage;
};

/** A refusal (4xx), a bug (500) or a failure (502, 503). `data.message` overrides the default message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  constructor(code: ErrorCode, data: ErrorData = {}) {
    super(data.message ?? ERRORS[code].message);
    this.name = 'AppError';
    this.code = code;
    this.data = data;
  }
}

export function createFieldError(field: string, message: string): AppError {
  return new AppError('VALIDATION', { message, error: [{ field, message }] });
}
