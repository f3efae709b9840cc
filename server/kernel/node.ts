import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import type { Database, Executor, Statement } from './db.ts';
import type { Logger } from './log.ts';

const BEAT_MS = 10_000;
/** Three missed heartbeats, by the clock of the database because those of machines differ. */
const GONE = "interval '35 seconds'";

const BEAT: Statement = {
  name: 'node-beat',
  text: `insert into nodes (id, role, version, started_at, seen_at, memory_bytes) values ($1, $2, $3, now() - $4::float8 * interval '1 second', now(), $5)
    on conflict (id) do update set seen_at = now(), memory_bytes = excluded.memory_bytes`,
};
const LEAVE: Statement = {
  name: 'node-leave',
  text: `delete from nodes where id = $1 or seen_at < now() - ${GONE}`,
};
const LIST: Statement = {
  name: 'nodes-list',
  text: `select id, role, version, started_at as "startedAt", seen_at as "seenAt", memory_bytes as "memoryBytes" from nodes
    where seen_at > now() - ${GONE} order by started_at, id limit 100`,
};

export type NodeRow = {
  id: string;
  role: string;
  version: string;
  startedAt: Date;
  seenAt: Date;
  memoryBytes: number;
};

export interface Node {
  readonly id: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

export function createNode({ role }: Pick<Config, 'role'>, db: () => Pick<Database, 'run'>, log: Logger): Node {
  const id = randomUUID();
  const version = ownVersion();
  let timer: NodeJS.Timeout | undefined;
  const beat = async () => {
    try {
      await db().run(BEAT, [id, role, version, process.uptime(), process.memoryUsage.rss()]);
    } catch (error) {
      log.debug({ err: error }, 'this process could not say that it is up');
    }
  };
  return {
    id,
    start: async () => {
      await db()
        .run(LEAVE, [id])
        .catch(() => undefined);
      await beat();
      timer = setInterval(() => void beat(), BEAT_MS);
      timer.unref();
    },
    stop: async () => {
      if (timer === undefined) return;
      clearInterval(timer);
      await db()
        .run(LEAVE, [id])
        .catch(() => undefined);
    },
  };
}

export function listNodes(db: Executor): Promise<NodeRow[]> {
  return db.run<NodeRow>(LIST, []);
}
