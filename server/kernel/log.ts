/** Logs: JSON lines with a redaction list, never bodies, never personal data. */
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const REDACTED = [
  'req.headers.cookie',
  'req.headers.authorization',
  '*.password',
  '*.newPassword',
  '*.token',
  '*.secret',
  '*.email',
];

/**
 * What is logged of an error. Others hang what they have at hand on theirs (PostgreSQL the row that was refused, a mail
 * server its recipients), so what may leave is named.
 */
function presentError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: 'something else than an error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error && depth < 3 ? presentError(error.cause, depth + 1) : undefined;
  const { name: type, message, stack } = error;
  return { type, message, stack, ...(code !== undefined && { code }), ...(cause !== undefined && { cause }) };
}

/** A logger; `pretty` is for people at a terminal. */
export function createLogger(options: { level: string; isPretty: boolean }, stream?: DestinationStream): Logger {
  const base = {
    level: options.level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: (error: unknown) => presentError(error) },
    base: null,
  };
  if (stream) return pino(base, stream);
  return options.isPretty
    ? pino({
        ...base,
        transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname,reqId' } },
      })
    : pino(base);
}
