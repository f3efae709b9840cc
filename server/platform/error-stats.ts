/**
 * Counts our own errors by hour, route and code, with request ids and without user input. Buffered and written every
 * few seconds.
 */
import type { Clock } from './clock.ts';
import type { Database, Executor, SqlStatement } from './database/db.ts';
import type { Logger } from './log.ts';
import { getRetentionMs } from './retention.ts';

export type ErrorOccurrence = {
  route: string;
  code: string;
  reference: string;
};

export interface ErrorStats {
  note(occurrence: ErrorOccurrence): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 2_000;
const HOUR_MS = 60 * 60_000;
const MAX_BUFFERED = 2_000;
export const MAX_REFERENCES = 10;
const MAX_ROWS = 200;

const WRITE: SqlStatement = {
  name: 'error-stats-write',
  text: `insert into error_stats as f (hour, route, code, count, last_at, refs) values ($1, $2, $3, $4, $5, $6)
    on conflict (hour, route, code) do update set count = f.count + excluded.count, last_at = greatest(f.last_at, excluded.last_at),
      refs = (excluded.refs || f.refs)[1:${MAX_REFERENCES}]`,
};
const LIST: SqlStatement = {
  name: 'error-stats-list',
  text: `select route, code, count, last_at as "lastAt", refs from error_stats where hour > $1
    order by hour desc, last_at desc limit ${MAX_ROWS}`,
};
const PURGE: SqlStatement = { name: 'error-stats-purge', text: 'delete from error_stats where hour < $1' };

type BufferedError = { hour: Date; route: string; code: string; count: number; lastAt: Date; references: string[] };

export function createErrorStats(db: () => Pick<Database, 'run'>, clock: Clock, log: Logger): ErrorStats {
  let buffered = new Map<string, BufferedError>();
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...buffered.values()];
    buffered = new Map();
    for (const [index, { hour, route, code, count, lastAt, references }] of rows.entries()) {
      try {
        await db().run(WRITE, [hour, route, code, count, lastAt, references]);
      } catch (error) {
        log.warn({ err: error }, 'errors could not be counted');
        for (const row of rows.slice(index)) buffer(row);
        return;
      }
    }
  }

  function buffer(row: BufferedError): void {
    const key = JSON.stringify([row.hour, row.route, row.code]);
    const existing = buffered.get(key);
    if (!existing) {
      if (buffered.size < MAX_BUFFERED) buffered.set(key, row);
      return;
    }
    const [newer, older] = existing.lastAt > row.lastAt ? [existing, row] : [row, existing];
    existing.references = [...newer.references, ...older.references].slice(0, MAX_REFERENCES);
    existing.count += row.count;
    existing.lastAt = newer.lastAt;
  }

  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void flush(), EVERY_MS);
  timer.unref();

  return {
    note: ({ route, code, reference }) => {
      const lastAt = clock.now();
      const hour = new Date(Math.floor(lastAt.getTime() / HOUR_MS) * HOUR_MS);
      buffer({ hour, route, code, count: 1, lastAt, references: [reference] });
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

export type ErrorStatRow = { route: string; code: string; count: number; lastAt: Date; refs: string[] };

export async function listErrorStats(db: Executor, since: Date): Promise<ErrorStatRow[]> {
  const rowsByKey = new Map<string, ErrorStatRow>();
  for (const row of await db.run<ErrorStatRow>(LIST, [since])) {
    const key = JSON.stringify([row.route, row.code]);
    const existing = rowsByKey.get(key);
    if (existing) {
      existing.count += row.count;
      existing.refs = [...existing.refs, ...row.refs].slice(0, MAX_REFERENCES);
    } else rowsByKey.set(key, row);
  }
  return [...rowsByKey.values()].sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
}

export async function purgeErrorStats(db: Executor, now: Date): Promise<void> {
  await db.run(PURGE, [new Date(now.getTime() - getRetentionMs('errorStats'))]);
}
