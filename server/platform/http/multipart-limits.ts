/** Limits multipart forms that are read at the same time. They are stored on disk meanwhile, so that many slow uploads can run. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { createConnectionLimit } from '../limits/connection-limit.ts';
import { getCallerKey } from './http.ts';

/** Forms of one account or network, and of all. */
const uploads = createConnectionLimit({ max: 3, pools: [{ open: 0, max: 256 }] });
/** A client that sends fewer bytes in this time is disconnected. */
const MIN_RATE = { bytes: 15_000, inMs: 15_000 };

/** Older files were left by a killed process, because no form is read for this long. */
const STALE_MS = 60 * 60_000;

let serial = 0;

function closeWhenSlow({ raw }: FastifyRequest): () => void {
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    // Bytes that arrived but were not processed yet are our own delay.
    const isOwnDelay = raw.readableLength > 0 || raw.complete;
    if (!isOwnDelay && bytesRead - before < MIN_RATE.bytes) raw.destroy();
    before = bytesRead;
  }, MIN_RATE.inMs);
  timer.unref();
  return () => clearInterval(timer);
}

export async function deleteStaleForms({ config, clock }: Pick<Context, 'config' | 'clock'>): Promise<void> {
  const dir = path.join(config.dataDir, 'forms');
  for (const name of await readdir(dir).catch(() => [])) {
    const file = path.join(dir, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats && clock.now().getTime() - stats.mtimeMs > STALE_MS) await rm(file, { force: true });
  }
}

/**
 * Reads a form. `createPath` returns a path for each file, deleted when `readForm` has ended. Throws UNAVAILABLE for too many
 * forms, in total or of this caller.
 */
export async function withFormLimit<T>(
  ctx: Pick<Context, 'config'>,
  request: FastifyRequest,
  readForm: (createPath: () => string) => Promise<T>,
): Promise<T> {
  const caller = getCallerKey(request);
  if (!uploads.tryOpen(caller))
    throw new AppError('UNAVAILABLE', {
      message: 'Too many uploads right now. Try again in a moment.',
      retryAfterSeconds: 5,
    });
  const stopWatching = closeWhenSlow(request);
  const paths: string[] = [];
  const dir = path.join(ctx.config.dataDir, 'forms');
  try {
    await mkdir(dir, { recursive: true });
    return await readForm(() => {
      serial += 1;
      const filePath = path.join(dir, `${process.pid}-${serial}`);
      paths.push(filePath);
      return filePath;
    });
  } finally {
    stopWatching();
    uploads.close(caller);
    for (const filePath of paths) await rm(filePath, { force: true });
  }
}
