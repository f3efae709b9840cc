import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { Database, Executor, SqlStatement } from '../database/db.ts';
import type { Logger } from '../log.ts';

const HEARTBEAT_MS = 10_000;
/** Three missed heartbeats, by the clock of the database because those of machines differ. */
const EXPIRED_AFTER = "interval '35 seconds'";

const HEARTBEAT: SqlStatement = {
  name: 'process-heartbeat',
  text: `insert into processes (id, role, version, started_at, seen_at, memory_bytes, clock_offset_ms) values ($1, $2, $3, now() - $4::float8 * interval '1 second', now(), $5, $6)
    on conflict (id) do update set seen_at = now(), memory_bytes = excluded.memory_bytes, clock_offset_ms = excluded.clock_offset_ms`,
};
const REMOVE: SqlStatement = {
  name: 'process-remove',
  text: `delete from processes where id = $1 or seen_at < now() - ${EXPIRED_AFTER}`,
};
const LIST: SqlStatement = {
  name: 'processes-list',
  text: `select id, role, version, started_at as "startedAt", seen_at as "seenAt", memory_bytes as "memoryBytes", clock_offset_ms as "clockOffsetMs" from processes
    where seen_at > now() - ${EXPIRED_AFTER} order by started_at, id limit 100`,
};

export type ProcessRow = {
  id: string;
  role: string;
  version: string;
  startedAt: Date;
  seenAt: Date;
  memoryBytes: number;
  clockOffsetMs: number | null;
};

export interface ProcessRegistry {
  readonly id: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

export function createProcessRegistry(
  { role }: Pick<Config, 'role'>,
  db: () => Pick<Database, 'run'>,
  log: Logger,
  getClockOffsetMs: () => number | null = () => null,
): ProcessRegistry {
  const id = randomUUID();
  const version = readVersion();
  let timer: NodeJS.Timeout | undefined;
  const sendHeartbeat = async () => {
    try {
      await db().run(HEARTBEAT, [id, role, version, process.uptime(), process.memoryUsage.rss(), getClockOffsetMs()]);
    } catch (error) {
      log.debug({ err: error }, 'this process could not say that it is up');
    }
  };
  return {
    id,
    start: async () => {
      await db()
        .run(REMOVE, [id])
        .catch(() => undefined);
      await sendHeartbeat();
      timer = setInterval(() => void sendHeartbeat(), HEARTBEAT_MS);
      timer.unref();
    },
    stop: async () => {
      if (timer === undefined) return;
      clearInterval(timer);
      await db()
        .run(REMOVE, [id])
        .catch(() => undefined);
    },
  };
}

export function listProcesses(db: Executor): Promise<ProcessRow[]> {
  return db.run<ProcessRow>(LIST, []);
}
