/** Prints a statement as a PDF in a worker thread, because a long one takes seconds of CPU time. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Balance, Line, Summary } from './model.ts';

export type Printable = {
  side: 'wallet' | 'earnings';
  person: { name: string; username: string };
  from: string;
  to: string;
  madeAt: Date;
  publicUrl: string;
  opening: Balance;
  closing: Balance;
  /** The first lines, which are printed. The summary covers all lines. */
  lines: Line[];
  summary: Summary;
};

const TIMEOUT_MS = 60_000;

export function print(printable: Printable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./print-worker.ts', import.meta.url), {
      workerData: printable,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const timer = setTimeout(() => finish(() => reject(new Error('printing a statement took too long'))), TIMEOUT_MS);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      void worker.terminate();
    };
    worker.once('error', (error) => finish(() => reject(error)));
    worker.once('exit', (code) => finish(() => reject(new Error(`printing a statement ended with ${code}`))));
    worker.once('message', (bytes: unknown) => finish(() => resolve(z.parse(z.instanceof(Uint8Array), bytes))));
  });
}
