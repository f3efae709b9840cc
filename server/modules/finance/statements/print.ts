/** Prints a statement as a PDF in a worker thread, because a long one takes seconds of CPU time. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { PrintedLine, StatementBalance, StatementSummary } from './model.ts';

export type PrintableStatement = {
  side: 'wallet' | 'earnings';
  user: { name: string; username: string };
  from: string;
  to: string;
  madeAt: Date;
  publicUrl: string;
  opening: StatementBalance;
  closing: StatementBalance;
  /** The first lines, which are printed. The summary covers all lines. */
  lines: PrintedLine[];
  summary: StatementSummary;
};

const TIMEOUT_MS = 60_000;

export function printStatement(statement: PrintableStatement): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./print-worker.ts', import.meta.url), {
      workerData: statement,
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
