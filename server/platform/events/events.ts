/** Domain events. After the commit, the relay passes each to its handlers at least once (docs/adr/0006). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, SqlStatement } from '../database/db.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Logger } from '../log.ts';
import {
  createEventHandlers,
  type EventQueue,
  type LocalHandler,
  type StepState,
  toHandlerKey,
} from './event-handlers.ts';
import { defineEventJobs, EVENT_JOBS, MAX_JOB_ATTEMPTS } from './event-jobs.ts';
import type { DomainEvent, EventPayload, EventType } from './event-types.ts';
import { createOutboxRelay } from './outbox-relay.ts';
import type { ChannelMessage, ProcessChannel } from './process-channel.ts';

type FromPayload<T extends EventType, R> = (payload: EventPayload<T>) => R;

type JobOptions<T extends EventType> = { queue: EventQueue; filter?: FromPayload<T, boolean> };

/** `name` is unique among the handlers of an event, and stable because unfinished work refers to it. */
export interface Events {
  /**
   * Registers a fast handler that emits to sockets. Events with the same `subject` are handled in the order of the
   * outbox and wait only for each other. An event may be delivered again, also by another process, and a failed one is
   * retried after later ones.
   */
  addBroadcastHandler<T extends EventType>(
    type: T,
    name: string,
    subject: FromPayload<T, string>,
    handler: (event: DomainEvent<T>) => Promise<void> | void,
  ): void;
  /**
   * Registers a handler that runs as a job of a queue, retried with growing delays. Events with the same `subject` are
   * handled one after another in the order of the outbox, whatever their type. A failed one is skipped until its next
   * attempt. Work in steps returns its progress and is called again from there.
   */
  addJobHandler<T extends EventType>(
    type: T,
    name: string,
    options: JobOptions<T> & { subject: FromPayload<T, string> },
    handler: (event: DomainEvent<T>, step: StepState) => Promise<string | null> | Promise<void>,
  ): void;
  /**
   * Registers a job handler for many events at once, in the order of the outbox. A failed batch is retried one by one.
   */
  addBatchJobHandler<T extends EventType>(
    type: T,
    name: string,
    options: JobOptions<T>,
    handler: (events: readonly DomainEvent<T>[]) => Promise<void>,
  ): void;
  /**
   * Registers a handler that runs in every process, for in-memory caches, in order. `onMissed` is called when events may
   * have been missed and must drop the cache.
   */
  addLocalHandler<T extends EventType>(
    type: T,
    name: string,
    handler: (event: DomainEvent<T>) => Promise<void> | void,
    onMissed: () => Promise<void> | void,
  ): void;
  /**
   * Reports that the writer of an event already did what this handler would do, so that only other handlers run. Saves
   * a turn of the relay for frequent events. The event must be written with a `not_before` some seconds ahead, so that
   * it is delivered if the writer ends before this call.
   */
  markHandled(type: EventType, name: string, id: number): void;
  wake(): void;
  receive(message: ChannelMessage): void;
  /** Missed messages are made up for after a reconnect. */
  onListening(isListening: boolean): void;
  /** Waits until nothing is due, including jobs, which run here if this process has not started its own. */
  waitUntilIdle(): Promise<void>;
  start(): void;
  /** Stops relaying and lets another process take over. Later commits of this process wake that one. */
  stopRelaying(): Promise<void>;
  stop(): Promise<void>;
}

export type EventsOptions = {
  db: () => Database;
  jobs: Jobs;
  channel: Pick<ProcessChannel, 'publish'>;
  log: Logger;
  /** Whether this process has sockets. Other processes do not read the outbox. */
  isRelay?: boolean;
  /** Time in ms until another process takes over from one that is gone. */
  leaseMs?: number;
};

const BATCH_MS = 100;
const SOON_MS = 10;
const SETTLE_MS = 120_000;

const DELETE_HANDLED: SqlStatement = {
  name: 'outbox-delete-handled',
  // The commit does not wait for the disk because a crash only causes events to be delivered again.
  text: `delete from outbox where id = any($1::bigint[]) and set_config('synchronous_commit', 'off', true) is not null`,
};
const MARK_HANDLED: SqlStatement = {
  name: 'outbox-mark-handled',
  text: `update outbox o set done = array_append(o.done, t.name), not_before = '-infinity'
    from unnest($1::bigint[], $2::text[]) t (id, name) where o.id = t.id and set_config('synchronous_commit', 'off', true) is not null`,
};
const FIND_DUE: SqlStatement = {
  name: 'outbox-is-due',
  text: `select exists (select from outbox where not_before <= now() and attempts < $1) as is_waiting,
    exists (select from event_jobs where not_before <= now() and attempts < $1) as has_work`,
};
const HASTEN_JOBS: SqlStatement = {
  name: 'event-jobs-hasten',
  text: `select relay_schedule_job(queue, subject, now()) from (select distinct queue, subject from event_jobs
    where not_before <= now() and attempts < $1 order by 1, 2) s`,
};

function createOwnDeliveries(db: () => Database, log: Logger, wake: () => void) {
  let handledIds: number[] = [];
  let handled: { id: number; name: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    const [ids, marks] = [handledIds, handled];
    handledIds = [];
    handled = [];
    if (ids.length > 0) await db().run(DELETE_HANDLED, [ids]);
    if (marks.length === 0) return;
    await db().run(MARK_HANDLED, [marks.map(({ id }) => id), marks.map(({ name }) => name)]);
    wake();
  }

  function flushWithin(ms: number): void {
    const at = performance.now() + ms;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(
      () => void flush().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be written')),
      ms,
    );
  }

  return {
    flush,
    add: (id: number, name: string, isOnlyHandler: boolean) => {
      if (isOnlyHandler) handledIds.push(id);
      else handled.push({ id, name });
      flushWithin(isOnlyHandler ? BATCH_MS : SOON_MS);
    },
  };
}

function createLocalRunner(log: Logger) {
  const lastByHandler = new Map<LocalHandler, Promise<void>>();
  return {
    run: (handler: LocalHandler, task: () => Promise<void> | void): void => {
      const last = (lastByHandler.get(handler) ?? Promise.resolve())
        .then(task)
        .catch((error: unknown) => log.error({ err: error, handler: handler.name }, 'an event handler failed'))
        .finally(() => {
          if (lastByHandler.get(handler) === last) lastByHandler.delete(handler);
        });
      lastByHandler.set(handler, last);
    },
    waitUntilIdle: async (): Promise<void> => void (await Promise.all(lastByHandler.values())),
  };
}

export function createEvents({ db, jobs, channel, log, isRelay = true, leaseMs = 6_000 }: EventsOptions): Events {
  const id = randomUUID();
  const eventHandlers = createEventHandlers();
  const localRunner = createLocalRunner(log);
  const runLocalHandlers = (event: DomainEvent<EventType>) => {
    for (const one of eventHandlers.getHandlersFor(event.type).localHandlers)
      localRunner.run(one, () => one.run(event));
  };
  const relay = createOutboxRelay({
    db,
    eventHandlers,
    log,
    id,
    leaseMs,
    runLocal: runLocalHandlers,
    wakeOthers: () => channel.publish({ kind: 'wake' }),
  });
  const wake = isRelay ? relay.wake : () => channel.publish({ kind: 'wake' });
  const ownDeliveries = createOwnDeliveries(db, log, wake);
  let wasDisconnected = false;
  defineEventJobs(db, jobs, eventHandlers, log);

  const stopRelaying = async () => void (isRelay && (await relay.stop()));

  function runMissed(type: string | undefined): void {
    for (const one of type === undefined
      ? eventHandlers.listLocalHandlers()
      : eventHandlers.getHandlersFor(type).localHandlers)
      localRunner.run(one, () => one.onMissed());
  }

  return {
    addBroadcastHandler: (type, name, subject, run) => eventHandlers.addBroadcastHandler(type, { name, subject, run }),
    addJobHandler: (type, name, { queue, subject, filter = () => true }, handler) =>
      eventHandlers.addJobHandler(type, {
        name,
        queue,
        subject,
        isBatched: false,
        shouldHandle: filter,
        run: async (events, step) => {
          const [event] = events;
          const next = event && (await handler(event, step));
          return typeof next === 'string' ? next : null;
        },
      }),
    addBatchJobHandler: (type, name, { queue, filter = () => true }, handler) =>
      eventHandlers.addJobHandler(type, {
        name,
        queue,
        subject: () => toHandlerKey(type, name),
        isBatched: true,
        shouldHandle: filter,
        run: async (events) => {
          await handler(events);
          return null;
        },
      }),
    addLocalHandler: (type, name, run, onMissed) => eventHandlers.addLocalHandler(type, { name, run, onMissed }),
    markHandled: (type, name, eventId) => {
      const { broadcastHandlers, jobHandlers, localHandlers } = eventHandlers.getHandlersFor(type);
      ownDeliveries.add(
        eventId,
        name,
        ![...broadcastHandlers, ...jobHandlers, ...localHandlers].some((other) => other.name !== name),
      );
    },
    wake,
    receive: (message) => {
      if (message.kind === 'wake' && isRelay) relay.wake(true);
      if (message.kind === 'missed' && message.from !== id) runMissed(message.type);
      if (message.kind !== 'event' || message.from === id) return;
      runLocalHandlers({ ...message.event, createdAt: new Date(message.event.createdAt) });
    },
    onListening: (isListening) => {
      if (isListening && isRelay) relay.wake(true);
      if (isListening && wasDisconnected) runMissed(undefined);
      wasDisconnected = !isListening;
    },
    waitUntilIdle: async () => {
      const until = performance.now() + SETTLE_MS;
      for (;;) {
        await ownDeliveries.flush();
        if (!isRelay || !(await relay.run())) channel.publish({ kind: 'wake' });
        await localRunner.waitUntilIdle();
        const [due] = await db().run<{ is_waiting: boolean; has_work: boolean }>(FIND_DUE, [MAX_JOB_ATTEMPTS]);
        if (due?.has_work) await db().run(HASTEN_JOBS, [MAX_JOB_ATTEMPTS]);
        if (due?.has_work) await jobs.runDue(EVENT_JOBS);
        else if (!due?.is_waiting && relay.isIdle()) return;
        if (performance.now() > until) throw new Error('the outbox does not settle');
        await sleep(5);
      }
    },
    start: relay.start,
    stopRelaying,
    stop: async () => {
      await stopRelaying();
      await ownDeliveries
        .flush()
        .catch((error: unknown) => log.error({ err: error }, 'the outbox could not be written'));
      await localRunner.waitUntilIdle();
    },
  };
}
