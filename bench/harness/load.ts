/**
 * The load generator, a process of its own: a fixed number of connections, each of which asks, waits for the whole answer
 * and asks again. Written on bare sockets so that it takes as little of the machine as it can from what it measures.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { answerParent } from '../servers/answer.ts';
import { AnswerReader } from './answer-reader.ts';

export type LoadJob = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly method: 'GET' | 'POST';
  /** Request n takes header line n modulo their number, and a path so that every pair comes once before any comes again. */
  readonly paths: readonly string[];
  /** Complete header lines without line ends, such as `cookie: sid=…`. */
  readonly headers: readonly string[];
  readonly body?: string;
  /** Gives every request an `Idempotency-Key` of its own. */
  readonly hasKey?: boolean;
  /** The first request's number: a later measurement goes on where the last one ended. */
  readonly first?: number;
  /** Stop after so many requests even when there is time left. */
  readonly maxCount?: number;
};

export type LoadOutcome = {
  readonly count: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bytes of the last answer, head and body. */
  readonly bytes: number;
  /** The first answer that was neither 200 nor 206, and how many of those there were. */
  readonly failures: number;
  readonly failure: string;
};

/** The n-th request as bytes to send. */
function requestOf(job: LoadJob, n: number): string {
  const { headers, paths, method, body } = job;
  // Without any, all are alike.
  const kinds = Math.max(1, headers.length);
  const c = n % kinds;
  const path = paths[(c + Math.floor(n / kinds)) % paths.length] ?? '/';
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', headers[c] ?? ''];
  if (job.hasKey) lines.push(`idempotency-key: ${randomUUID()}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs one job to its end. */
async function run(job: LoadJob): Promise<LoadOutcome> {
  const times: number[] = [];
  let n = job.first ?? 0;
  let last = n + (job.maxCount ?? Number.POSITIVE_INFINITY);
  let failures = 0;
  let failure = '';
  let bytes = 0;
  const started = performance.now();
  const end = started + job.seconds * 1000;

  const converse = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      const reader = new AnswerReader();
      const next = () => {
        if (n >= last || performance.now() >= end) {
          socket.end();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(requestOf(job, n));
        n += 1;
      };
      socket.setNoDelay(true);
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        const answer = reader.push(chunk);
        if (!answer) return;
        times.push(performance.now() - sentAt);
        bytes = answer.bytes;
        if (answer.status !== 200 && answer.status !== 206) {
          failures += 1;
          // A refusal makes the measurement void: no reason to go on.
          last = n;
          if (failure === '') failure = `${job.method} ${job.paths[0]}: ${answer.status} ${answer.start}`;
        }
        next();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });

  await Promise.all(Array.from({ length: job.connections }, () => converse(connect(job.port, '127.0.0.1'))));
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
  // The parent sends nothing but jobs; see startLoader.
  answerParent(0, (job) => run(job as LoadJob));
}
