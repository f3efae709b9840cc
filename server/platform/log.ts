import { createRequire } from 'node:module';
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
 * Only listed fields of an error are logged, because libraries attach personal data (PostgreSQL the refused row, a mail
 * server the recipients).
 */
function presentError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: 'something else than an error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error && depth < 3 ? presentError(error.cause, depth + 1) : undefined;
  const { name: type, message, stack } = error;
  return { type, message, stack, ...(code !== undefined && { code }), ...(cause !== undefined && { cause }) };
}

/**
 * Formats lines in this thread. A worker thread of pino cannot end while the output is not read, and holds up
 * the exit of the process for ten seconds.
 */
function openPretty(): DestinationStream {
  const load = createRequire(import.meta.url);
  const { prettyFactory }: typeof import('pino-pretty') = load('pino-pretty');
  const format = prettyFactory({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname,reqId' });
  return { write: (line) => void process.stdout.write(format(line)) };
}

export function createLogger(options: { level: string; isPretty: boolean }, stream?: DestinationStream): Logger {
  const base = {
    level: options.level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: (error: unknown) => presentError(error) },
    base: null,
  };
  if (stream) return pino(base, stream);
  return options.isPretty ? pino(base, openPretty()) : pino(base);
}
