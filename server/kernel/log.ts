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

/** A logger; `pretty` is for people at a terminal. */
export function createLogger(options: { level: string; isPretty: boolean }, stream?: DestinationStream): Logger {
  const base = { level: options.level, redact: { paths: REDACTED, censor: '[redacted]' }, base: null };
  if (stream) return pino(base, stream);
  return options.isPretty
    ? pino({
        ...base,
        transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname,reqId' } },
      })
    : pino(base);
}
