/** Each process has its own pool, jobs, channel and relay, on one database. */
import { type Database, openDatabase } from '../platform/database/db.ts';
import { createEvents, type Events, type EventsOptions } from '../platform/events/events.ts';
import { createProcessChannel } from '../platform/events/process-channel.ts';
import { createJobs, type Jobs } from '../platform/jobs/jobs.ts';
import { createLogger } from '../platform/log.ts';

declare module '../platform/events/event-types.ts' {
  interface EventMap {
    'test.happened': { number: number; subject: string };
    'test.other': { number: number };
  }
}

export type RelayProcess = {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly events: Events;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function openRelayProcess(url: string, options: Pick<EventsOptions, 'isRelay' | 'leaseMs'> = {}): RelayProcess {
  const log = createLogger({ level: 'silent', isPretty: false });
  const channel = createProcessChannel(url, () => db, log);
  const jobs = createJobs(url, () => db, log, { concurrency: 1 });
  const events = createEvents({ db: () => db, jobs, channel, log, ...options });
  const db = openDatabase(url, { onCommit: () => events.wake() });
  return {
    db,
    jobs,
    events,
    start: async () => {
      await channel.listen(events);
      if (options.isRelay !== false) events.start();
      await jobs.start();
    },
    stop: async () => {
      for (const { open } of gates.splice(0)) open();
      await jobs.stop();
      await events.stop();
      await channel.close();
      await db.close();
    },
  };
}

type Gate = { wait: Promise<void>; open: () => void };

const gates: Gate[] = [];

/** Blocks a handler. A stopping process opens every gate, so that a failed test does not hang. */
export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  const created = { wait: promise, open: resolve };
  gates.push(created);
  return created;
}
