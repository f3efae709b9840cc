/** Limits multipart forms. They are stored on disk meanwhile, so that many slow uploads can run. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyRequest } from 'fastify';
import { shareOf } from './connections.ts';
import type { Context } from './context.ts';
import { callerKey } from './http.ts';

const AT_ONCE = { ofOne: 3, inAll: 256 };
const LEAST = { bytes: 15_000, inMs: 15_000 };

/** Older files were left by a killed process, because no form is read for this long. */
const STALE_MS = 60 * 60_000;

const reading: string[] = [];
let serial = 0;

function tooMany(): AppError {
  return new AppError('UNAVAILABLE', {
    message: 'Too many uploads right now. Try again in a moment.',
    retryAfterSeconds: 5,
  });
}

function watch({ raw }: FastifyRequest): () => void {
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    // Bytes that arrived but were not processed yet are our own delay.
    const isOurs = raw.readableLength > 0 || raw.complete;
    if (!isOurs && bytesRead - before < LEAST.bytes) raw.destroy();
    before = bytesRead;
  }, LEAST.inMs);
  timer.unref();
  return () => clearInterval(timer);
}

export async function sweepForms({ config, clock }: Pick<Context, 'config' | 'clock'>): Promise<void> {
  const dir = path.join(config.dataDir, 'forms');
  for (const name of await readdir(dir).catch(() => [])) {
    const file = path.join(dir, name);
    const found = await stat(file).catch(() => undefined);
    if (found && clock.now().getTime() - found.mtimeMs > STALE_MS) await rm(file, { force: true });
  }
}

/**
 * Reads a form. `place` returns a path for each file, deleted when `read` has ended. Throws UNAVAILABLE for too many
 * forms, in total or of this caller.
 */
export async function whileReading<T>(
  ctx: Pick<Context, 'config'>,
  request: FastifyRequest,
  read: (place: () => string) => Promise<T>,
): Promise<T> {
  const who = callerKey(request);
  const own = reading.filter((other) => other === who).length;
  if (own >= shareOf(AT_ONCE.ofOne, reading.length, AT_ONCE.inAll)) throw tooMany();
  reading.push(who);
  const unwatch = watch(request);
  const places: string[] = [];
  const dir = path.join(ctx.config.dataDir, 'forms');
  try {
    await mkdir(dir, { recursive: true });
    return await read(() => {
      serial += 1;
      const place = path.join(dir, `${process.pid}-${serial}`);
      places.push(place);
      return place;
    });
  } finally {
    unwatch();
    reading.splice(reading.indexOf(who), 1);
    for (const place of places) await rm(place, { force: true });
  }
}
