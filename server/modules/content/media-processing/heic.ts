/** Decodes HEIC, which sharp recognizes but cannot decode. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { ProcessingTimeoutError, TransientError } from './error-messages.ts';

export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

const TIMEOUT_MS = 60_000;
const workerResult = z.object({ width: z.number(), height: z.number(), pixels: z.instanceof(Uint8Array) });

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Applies the rotation of the file. Rejects on failure, with TransientError if the failure does not depend on the file. */
export function decodeHeic(file: Buffer): Promise<Pixels> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
      workerData: new Uint8Array(file),
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    const timer = setTimeout(
      () => finish(() => reject(new ProcessingTimeoutError('decoding took too long'))),
      TIMEOUT_MS,
    );
    const finish = (complete: () => void) => {
      clearTimeout(timer);
      complete();
      void worker.terminate();
    };
    worker.once('error', (error) =>
      finish(() => reject(isOutOfMemory(error) ? new TransientError(error.message) : error)),
    );
    worker.once('exit', (code) => finish(() => reject(new TransientError(`the decoder ended with ${code}`))));
    worker.once('message', (message: unknown) => {
      const parsed = z.safeParse(workerResult, message);
      if (!parsed.success) return finish(() => reject(new TransientError('the decoder returned nothing usable')));
      const { width, height, pixels } = parsed.data;
      return finish(() => resolve({ data: pixels, width, height, channels: 4 }));
    });
  });
}
