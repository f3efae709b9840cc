export const ERRORS = {
  VALIDATION: { status: 400, words: 'Please check the highlighted fields.' },
  UNAUTHORIZED: { status: 401, words: 'Please log in.' },
  INSUFFICIENT_FUNDS: { status: 402, words: 'Your balance is too low for this. Add funds and try again.' },
  account_blocked: { status: 403, words: 'This account is blocked. Please contact us.' },
  FORBIDDEN: { status: 403, words: 'You may not do this.' },
  NOT_VERIFIED: { status: 403, words: 'Paid work begins once you are verified.' },
  NOT_FOUND: { status: 404, words: 'There is nothing here.' },
  CONFLICT: { status: 409, words: 'This was changed or used already.' },
  TOO_LARGE: { status: 413, words: 'This is larger than we accept.' },
  UNSUPPORTED_TYPE: { status: 415, words: 'This kind of content is not accepted.' },
  RATE_LIMITED: { status: 429, words: 'Too many attempts. Please wait a moment and try again.' },
  INTERNAL: { status: 500, words: 'Something went wrong on our side. Please try again.' },
  UPSTREAM: { status: 502, words: 'A service we depend on did not answer. Please try again.' },
  UNAVAILABLE: { status: 503, words: 'We are restarting. Please try again in a moment.' },
  STOPPED: { status: 503, words: 'This is stopped for the moment.' },
  MAINTENANCE: { status: 503, words: 'We are working on Stagedoor. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; words: string }>;

export type ErrorCode = keyof typeof ERRORS;

export type FieldError = { field: string; message: string };

/**
 * `href`: page with more information. `proof`: sent with account_blocked after correct credentials, to be included in a
 * message to support. `requestId`: only with INTERNAL.
 */
export type ErrorBody = {
  code: ErrorCode;
  message: string;
  error?: FieldError[];
  href?: string;
  proof?: string;
  requestId?: string;
};

export type ErrorData = {
  message?: string;
  error?: FieldError[];
  href?: string;
  proof?: string;
  retryAfterSeconds?: number;
};

/** A refusal (4xx), a bug (500) or a failure (502, 503). `data.message` overrides the default message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  constructor(code: ErrorCode, data: ErrorData = {}) {
    super(data.message ?? ERRORS[code].words);
    this.name = 'AppError';
    this.code = code;
    this.data = data;
  }
}

export function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION', { message, error: [{ field, message }] });
}
