/** Domain events. After the commit, the relay passes each to its handlers at least once (docs/adr/0006). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from './db.ts';
import type { Jobs } from './jobs.ts';
import type { Logger } from './log.ts';
import type { Message, ProcessChannel } from './process-channel.ts';
import { defineReactionJobs, type Lane, MAX_ATTEMPTS, REACTION_JOBS } from './reaction-jobs.ts';
import { createReactions, type Everywhere, keyOf, type Step } from './reactions.ts';
import { createRelay } from './relay.ts';

/** All events with their payloads, which are plain JSON. Features add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: an interface, so that features can merge into it
export interface EventMap {}
export type EventType = keyof EventMap & string;
export type EventPayload<T extends EventType> = EventMap[T];

export type Told<T extends EventType> = { eventId: string; type: T; payload: EventPayload<T>; createdAt: Date };
type Of<T extends EventType, R> = (payload: EventPayload<T>) => R;

type How<T extends EventType> = { lane: Lane; when?: Of<T, boolean> };

/** `name` is unique among the handlers of an event, and stable because unfinished work refers to it. */
export interface Events {
  /**
   * Registers a fast handler that emits to sockets. Events with the same `subject` are handled in the order of the
   * outbox and wait only for each other. An event may be delivered again, also by another process, and a failed one is
   * retried after later ones.
   */
  tell<T extends EventType>(
    type: T,
    name: string,
    subject: Of<T, string>,
    reaction: (event: Told<T>) => Promise<void> | void,
  ): void;
  /**
   * Registers a handler that runs as a job of a queue, retried with growing delays. Events with the same `subject` are
   * handled one after another in the order of the outbox, whatever their type. A failed one is skipped until its next
   * attempt. Work in steps returns its progress and is called again from there.
   */
  do<T extends EventType>(
    type: T,
    name: string,
    how: How<T> & { subject: Of<T, string> },
    work: (event: Told<T>, step: Step) => Promise<string | null> | Promise<void>,
  ): void;
  /**
   * Registers a job handler for many events at once, in the order of the outbox. A failed batch is retried one by one.
   */
  doTogether<T extends EventType>(
    type: T,
    name: string,
    how: How<T>,
    work: (events: readonly Told<T>[]) => Promise<void>,
  ): void;
  /**
   * Registers a handler that runs in every process, for in-memory caches, in order. `missed` is called when events may
   * have been missed and must drop the cache.
   */
  everywhere<T extends EventType>(
    type: T,
    name: string,
    reaction: (event: Told<T>) => Promise<void> | void,
    missed: () => Promise<void> | void,
  ): void;
  /**
   * Reports that the writer of an event already did what this handler would do, so that only other handlers run. Saves
   * a turn of the relay for frequent events. The event must be written with a `not_before` some seconds ahead, so that
   * it is delivered if the writer ends before this call.
   */
  hasTold(type: EventType, name: string, id: number): void;
  wake(): void;
  hear(message: Message): void;
  /** Missed messages are made up for after a reconnect. */
  onHearing(isHearing: boolean): void;
  /** Waits until nothing is due, including jobs, which run here if this process has not started its own. */
  settle(): Promise<void>;
  start(): void;
  /** Stops relaying and lets another process take over. Later commits of this process wake that one. */
  leave(): Promise<void>;
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

const GATHER_MS = 100;
const SOON_MS = 10;
const SETTLE_MS = 120_000;

const GONE: Statement = {
  name: 'outbox-gone',
  // The commit does not wait for the disk because a crash only causes events to be delivered again.
  text: `delete from outbox where id = any($1::bigint[]) and set_config('synchronous_commit', 'off', true) is not null`,
};
const HAS_TOLD: Statement = {
  name: 'outbox-has-told',
  text: `update outbox o set done = array_append(o.done, t.name), not_before = '-infinity'
    from unnest($1::bigint[], $2::text[]) t (id, name) where o.id = t.id and set_config('synchronous_commit', 'off', true) is not null`,
};
const IS_DUE: Statement = {
  name: 'outbox-is-due',
  text: `select exists (select from outbox where not_before <= now() and attempts < $1) as is_waiting,
    exists (select from reactions_due where not_before <= now() and attempts < $1) as has_work`,
};
const HASTEN: Statement = {
  name: 'reactions-hasten',
  text: `select relay_job(lane, subject, now()) from (select distinct lane, subject from reactions_due
    where not_before <= now() and attempts < $1 order by 1, 2) s`,
};

function createOwnTelling(db: () => Database, log: Logger, wake: () => void) {
  let gone: number[] = [];
  let told: { id: number; name: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    const [ids, marks] = [gone, told];
    gone = [];
    told = [];
    if (ids.length > 0) await db().run(GONE, [ids]);
    if (marks.length === 0) return;
    await db().run(HAS_TOLD, [marks.map(({ id }) => id), marks.map(({ name }) => name)]);
    wake();
  }

  function soon(ms: number): void {
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
    add: (id: number, name: string, isAlone: boolean) => {
      if (isAlone) gone.push(id);
      else told.push({ id, name });
      soon(isAlone ? GATHER_MS : SOON_MS);
    },
  };
}

function createHearing(log: Logger) {
  const lasts = new Map<Everywhere, Promise<void>>();
  return {
    run: (reaction: Everywhere, work: () => Promise<void> | void): void => {
      const last = (lasts.get(reaction) ?? Promise.resolve())
        .then(work)
        .catch((error: unknown) => log.error({ err: error, reaction: reaction.name }, 'a reaction failed'))
        .finally(() => {
          if (lasts.get(reaction) === last) lasts.delete(reaction);
        });
      lasts.set(reaction, last);
    },
    settle: async (): Promise<void> => void (await Promise.all(lasts.values())),
  };
}

export function createEvents({ db, jobs, channel, log, isRelay = true, leaseMs = 6_000 }: EventsOptions): Events {
  const id = randomUUID();
  const reactions = createReactions();
  const hearing = createHearing(log);
  const hear = (event: Told<EventType>) => {
    for (const one of reactions.to(event.type).everywhere) hearing.run(one, () => one.run(event));
  };
  const relay = createRelay({
    db,
    reactions,
    log,
    id,
    leaseMs,
    hear,
    elsewhere: () => channel.publish({ kind: 'wake' }),
  });
  const wake = isRelay ? relay.wake : () => channel.publish({ kind: 'wake' });
  const own = createOwnTelling(db, log, wake);
  let wasDeaf = false;
  defineReactionJobs(db, jobs, reactions, log);

  const leave = async () => void (isRelay && (await relay.stop()));

  function miss(type: string | undefined): void {
    for (const one of type === undefined ? reactions.everywhere() : reactions.to(type).everywhere)
      hearing.run(one, () => one.missed());
  }

  return {
    tell: (type, name, subject, run) => reactions.addTell(type, { name, subject, run }),
    do: (type, name, { lane, subject, when = () => true }, work) =>
      reactions.addWork(type, {
        name,
        lane,
        subject,
        isTogether: false,
        isWanted: when,
        run: async (events, step) => {
          const [event] = events;
          const next = event && (await work(event, step));
          return typeof next === 'string' ? next : null;
        },
      }),
    doTogether: (type, name, { lane, when = () => true }, work) =>
      reactions.addWork(type, {
        name,
        lane,
        subject: () => keyOf(type, name),
        isTogether: true,
        isWanted: when,
        run: async (events) => {
          await work(events);
          return null;
        },
      }),
    everywhere: (type, name, run, missed) => reactions.addEverywhere(type, { name, run, missed }),
    hasTold: (type, name, eventId) => {
      const { tells, works, everywhere } = reactions.to(type);
      own.add(eventId, name, ![...tells, ...works, ...everywhere].some((other) => other.name !== name));
    },
    wake,
    hear: (message) => {
      if (message.kind === 'wake' && isRelay) relay.wake(true);
      if (message.kind === 'missed' && message.from !== id) miss(message.type);
      if (message.kind !== 'event' || message.from === id) return;
      hear({ ...message.event, createdAt: new Date(message.event.createdAt) });
    },
    onHearing: (isHearing) => {
      if (isHearing && isRelay) relay.wake(true);
      if (isHearing && wasDeaf) miss(undefined);
      wasDeaf = !isHearing;
    },
    settle: async () => {
      const until = performance.now() + SETTLE_MS;
      for (;;) {
        await own.flush();
        if (!isRelay || !(await relay.run())) channel.publish({ kind: 'wake' });
        await hearing.settle();
        const [left] = await db().run<{ is_waiting: boolean; has_work: boolean }>(IS_DUE, [MAX_ATTEMPTS]);
        if (left?.has_work) await db().run(HASTEN, [MAX_ATTEMPTS]);
        if (left?.has_work) await jobs.runDue(REACTION_JOBS);
        else if (!left?.is_waiting && relay.isIdle()) return;
        if (performance.now() > until) throw new Error('the outbox does not settle');
        await sleep(5);
      }
    },
    start: relay.start,
    leave,
    stop: async () => {
      await leave();
      await own.flush().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be written'));
      await hearing.settle();
    },
  };
}
