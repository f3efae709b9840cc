/**
 * A load generator with a fixed number of connections, each with one request at a time. It uses bare sockets, so that
 * it takes little CPU from the measured program.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { respondToParent } from '../servers/parent-messages.ts';
import { ResponseReader } from './response-reader.ts';

export type LoadJob = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly method: 'GET' | 'POST';
  /**
   * Request n uses header line n modulo their number. Paths are chosen so that no pair of header and path repeats
   * before all pairs were used.
   */
  readonly paths: readonly string[];
  readonly headers: readonly string[];
  readonly body?: string;
  /** Sends a unique `Idempotency-Key` with every request. */
  readonly hasKey?: boolean;
  /** The number of the first request, so that a later measurement continues where the last one ended. */
  readonly first?: number;
  /** Stops after this many requests even if time is left. */
  readonly maxCount?: number;
};

export type LoadOutcome = {
  readonly count: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
  /** The number of responses other than 200 and 206, and the first of them. */
  readonly failures: number;
  readonly failure: string;
};

function formatRequest(job: LoadJob, n: number): string {
  const { headers, paths, method, body } = job;
  const kinds = Math.max(1, headers.length);
  const headerIndex = n % kinds;
  const path = paths[(headerIndex + Math.floor(n / kinds)) % paths.length] ?? '/';
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', headers[headerIndex] ?? ''];
  if (job.hasKey) lines.push(`idempotency-key: ${randomUUID()}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function runLoad(job: LoadJob): Promise<LoadOutcome> {
  const times: number[] = [];
  let n = job.first ?? 0;
  let last = n + (job.maxCount ?? Number.POSITIVE_INFINITY);
  let failures = 0;
  let failure = '';
  let bytes = 0;
  const started = performance.now();
  const end = started + job.seconds * 1000;

  const runConnection = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      const reader = new ResponseReader();
      const next = () => {
        if (n >= last || performance.now() >= end) {
          socket.end();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(formatRequest(job, n));
        n += 1;
      };
      socket.setNoDelay(true);
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        const response = reader.push(chunk);
        if (!response) return;
        times.push(performance.now() - sentAt);
        bytes = response.bytes;
        if (response.status !== 200 && response.status !== 206) {
          failures += 1;
          last = n;
          if (failure === '') failure = `${job.method} ${job.paths[0]}: ${response.status} ${response.start}`;
        }
        next();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });

  await Promise.all(Array.from({ length: job.connections }, () => runConnection(connect(job.port, '127.0.0.1'))));
  const seconds = (performance.now() - started) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    count: times.length,
    seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    bytes,
    failures,
    failure,
  };
}

if (process.argv[1] === import.meta.filename) {
  respondToParent(0, (job) => runLoad(job as LoadJob));
}
