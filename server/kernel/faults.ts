/**
 * Counts our own errors by hour, route and code, with request ids and without user input. Buffered and written every
 * few seconds.
 */
import type { Clock } from './clock.ts';
import type { Database, Executor, Statement } from './db.ts';
import type { Logger } from './log.ts';
import { keptMs } from './retention.ts';

export type Fault = {
  route: string;
  code: string;
  reference: string;
};

export interface Faults {
  note(fault: Fault): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 2_000;
const HOUR_MS = 60 * 60_000;
const MOST_WAITING = 2_000;
export const KEPT_REFERENCES = 10;
const SHOWN_LINES = 200;

const WRITE: Statement = {
  name: 'faults-write',
  text: `insert into request_faults as f (hour, route, code, count, last_at, refs) values ($1, $2, $3, $4, $5, $6)
    on conflict (hour, route, code) do update set count = f.count + excluded.count, last_at = greatest(f.last_at, excluded.last_at),
      refs = (excluded.refs || f.refs)[1:${KEPT_REFERENCES}]`,
};
const LIST: Statement = {
  name: 'faults-list',
  text: `select route, code, count, last_at as "lastAt", refs from request_faults where hour > $1
    order by hour desc, last_at desc limit ${SHOWN_LINES}`,
};
const FORGET: Statement = { name: 'faults-forget', text: 'delete from request_faults where hour < $1' };

type Waiting = { hour: Date; route: string; code: string; count: number; lastAt: Date; references: string[] };

export function createFaults(db: () => Pick<Database, 'run'>, clock: Clock, log: Logger): Faults {
  let waiting = new Map<string, Waiting>();
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...waiting.values()];
    waiting = new Map();
    for (const [index, { hour, route, code, count, lastAt, references }] of rows.entries()) {
      try {
        await db().run(WRITE, [hour, route, code, count, lastAt, references]);
      } catch (error) {
        log.warn({ err: error }, 'faults could not be counted');
        for (const row of rows.slice(index)) keep(row);
        return;
      }
    }
  }

  function keep(row: Waiting): void {
    const key = JSON.stringify([row.hour, row.route, row.code]);
    const known = waiting.get(key);
    if (!known) {
      if (waiting.size < MOST_WAITING) waiting.set(key, row);
      return;
    }
    const [newer, older] = known.lastAt > row.lastAt ? [known, row] : [row, known];
    known.references = [...newer.references, ...older.references].slice(0, KEPT_REFERENCES);
    known.count += row.count;
    known.lastAt = newer.lastAt;
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
      keep({ hour, route, code, count: 1, lastAt, references: [reference] });
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

export type FaultLine = { route: string; code: string; count: number; lastAt: Date; refs: string[] };

export async function listFaults(db: Executor, since: Date): Promise<FaultLine[]> {
  const lines = new Map<string, FaultLine>();
  for (const row of await db.run<FaultLine>(LIST, [since])) {
    const key = JSON.stringify([row.route, row.code]);
    const known = lines.get(key);
    if (known) {
      known.count += row.count;
      known.refs = [...known.refs, ...row.refs].slice(0, KEPT_REFERENCES);
    } else lines.set(key, row);
  }
  return [...lines.values()].sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
}

export async function forgetFaultsBefore(db: Executor, now: Date): Promise<void> {
  await db.run(FORGET, [new Date(now.getTime() - keptMs('requestFaults'))]);
}
