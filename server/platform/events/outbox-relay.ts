/**
 * The outbox relay. One process relays at a time, under a lease, so that events of one subject stay in order. No
 * transaction is open meanwhile.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, SqlStatement } from '../database/db.ts';
import type { Logger } from '../log.ts';
import { type BroadcastHandler, type EventHandlers, toHandlerKey } from './event-handlers.ts';
import type { DomainEvent, EventPayload, EventType } from './event-types.ts';
import { type ChannelMessage, PROCESS_CHANNEL, toChannelText } from './process-channel.ts';

const BATCH = 200;
const MAX_ATTEMPTS = 12;
const MAX_OPEN = 5_000;
/** A batch waits this long for its handlers, so that the events of most are deleted by the same statement. */
const GRACE_MS = 20;
/** A slower handler has failed, and the next event of its subject is delivered. */
const HANDLER_TIMEOUT_MS = 30_000;
const POLL_MS = 2_000;
const MAX_SUBJECT = 200;
/** Pause after a turn to collect events, because a large batch costs little more than a single event. */
const WAKE_MS = 10;

const ACQUIRE_LEASE: SqlStatement = {
  name: 'relay-lead',
  text: `update relay_lease set holder = $1, until = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
    where holder = $1 or until < clock_timestamp() returning 1 as leads`,
};
const RELEASE_LEASE: SqlStatement = {
  name: 'relay-leave',
  text: `update relay_lease set until = '-infinity' where holder = $1`,
};
const READ_EVENTS: SqlStatement = {
  name: 'relay-take',
  text: `select id, event_id, type, payload, attempts, done, created_at from outbox
    where not_before <= now() and attempts < $2 and id <> all($3::bigint[]) order by id limit $1`,
};
const COMMIT: SqlStatement = {
  name: 'relay-commit',
  text: 'select relay_commit($1, $2::bigint[], $3::jsonb, $4::jsonb, $5, $6::text[]) as is_done',
};

type Row = {
  id: number;
  event_id: string;
  type: EventType;
  payload: EventPayload<EventType>;
  attempts: number;
  done: string[] | null;
  created_at: Date;
};
type DueJob = {
  queue: string;
  subject: string;
  handler: string;
  eventId: string;
  payload: unknown;
  createdAt: Date;
};
type FinishedRow = { row: Row; handledNames: string[]; failure: string | undefined };
type UnfinishedRow = { id: number; done: string[]; failure: string | undefined };

export type OutboxRelay = {
  /** `isRemote`: another process reported the commit, and also wakes the leader. */
  wake(isRemote?: boolean): void;
  run(): Promise<boolean>;
  start(): void;
  /** Reads nothing more, waits briefly for running handlers and gives up the lease. */
  stop(): Promise<void>;
  isIdle(): boolean;
};

type Options = {
  db: () => Database;
  eventHandlers: EventHandlers;
  log: Logger;
  id: string;
  leaseMs: number;
  runLocal: (event: DomainEvent<EventType>) => void;
  wakeOthers: () => void;
};

export function createOutboxRelay({ db, eventHandlers, log, id, leaseMs, runLocal, wakeOthers }: Options): OutboxRelay {
  let term = { isOver: true };
  let leadsUntil = Number.NEGATIVE_INFINITY;
  let leaseCheckedAt = Number.NEGATIVE_INFINITY;
  const openRows = new Map<number, Row>();
  let finished: FinishedRow[] = [];
  const lastBySubject = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let waking: NodeJS.Timeout | undefined;
  let lastRunAt = Number.NEGATIVE_INFINITY;
  let running: Promise<boolean> | undefined;
  let shouldRunAgain = false;
  let isBatching = false;
  let hasOwnCommits = false;
  let isStarted = false;
  let isStopped = false;
  let stopping: Promise<void> | undefined;

  function endTerm(): void {
    term.isOver = true;
    leadsUntil = Number.NEGATIVE_INFINITY;
    openRows.clear();
    finished = [];
  }

  /** Takes or extends the lease. By the clock of this process it ends no later than by that of the database. */
  async function acquireLease(): Promise<boolean> {
    const now = performance.now();
    if (now > leadsUntil && !term.isOver) endTerm();
    if (!term.isOver && now < leaseCheckedAt + leaseMs / 3) return true;
    if (term.isOver && isStarted && now < leaseCheckedAt + Math.min(POLL_MS, leaseMs) / 2) return false;
    leaseCheckedAt = now;
    const leads = (await db().run(ACQUIRE_LEASE, [id, leaseMs])).length > 0;
    if (!leads) {
      endTerm();
    } else {
      leadsUntil = now + leaseMs;
      if (term.isOver) term = { isOver: false };
    }
    return leads;
  }

  async function runHandler(
    { name, run }: BroadcastHandler,
    subject: string,
    event: DomainEvent<EventType>,
  ): Promise<string | undefined> {
    const ownTerm = term;
    const work = async (): Promise<string | undefined> => {
      // A frozen process may wake up after others delivered the event.
      if (ownTerm.isOver || performance.now() > leadsUntil) return 'another process delivers it';
      try {
        const delivery = run(event);
        if (delivery) await withTimeout(delivery);
        return undefined;
      } catch (error) {
        log.error({ err: error, eventId: event.eventId, type: event.type, handler: name }, 'an event handler failed');
        return `${name}: ${error instanceof Error ? error.message : 'failed'}`;
      }
    };
    const before = lastBySubject.get(subject);
    const delivery = before ? before.then(work) : work();
    const last = delivery.then(() => {
      if (lastBySubject.get(subject) === last) lastBySubject.delete(subject);
    });
    lastBySubject.set(subject, last);
    return delivery;
  }

  async function runBroadcastHandlers(row: Row, event: DomainEvent<EventType>): Promise<void> {
    const ownTerm = term;
    const pendingHandlers = eventHandlers
      .getHandlersFor(row.type)
      .broadcastHandlers.filter(({ name }) => !row.done?.includes(name));
    const failures = await Promise.all(pendingHandlers.map((one) => runHandler(one, one.subject(row.payload), event)));
    if (ownTerm.isOver) return;
    if (!isBatching) wake();
    const handledNames = pendingHandlers.filter((_, index) => failures[index] === undefined).map(({ name }) => name);
    finished.push({ row, handledNames, failure: failures.find((failure) => failure !== undefined) });
  }

  function handOver(row: Row, event: DomainEvent<EventType>, dueJobs: DueJob[], messages: string[]): string[] {
    const { jobHandlers, localHandlers } = eventHandlers.getHandlersFor(row.type);
    const isNew = ({ name }: { name: string }) => !row.done?.includes(name);
    const handedOver: string[] = [];
    for (const { name, queue, subject, shouldHandle } of jobHandlers.filter(isNew)) {
      handedOver.push(name);
      if (!shouldHandle(row.payload)) continue;
      const handler = toHandlerKey(row.type, name);
      const { event_id: eventId, payload, created_at: createdAt } = row;
      dueJobs.push({ queue, subject: shortenSubject(subject(payload)), handler, eventId, payload, createdAt });
    }
    const newHandlers = localHandlers.filter(isNew);
    if (newHandlers.length > 0) {
      handedOver.push(...newHandlers.map(({ name }) => name));
      runLocal(event);
      const message: ChannelMessage = {
        kind: 'event',
        from: id,
        event: { ...event, createdAt: event.createdAt.toISOString() },
      };
      messages.push(
        toChannelText(message) ?? JSON.stringify({ kind: 'missed', from: id, type: row.type } satisfies ChannelMessage),
      );
    }
    return handedOver;
  }

  async function processBatch(): Promise<boolean> {
    const capacity = isStopped ? 0 : Math.min(BATCH, MAX_OPEN - openRows.size);
    const rows = capacity > 0 ? await db().run<Row>(READ_EVENTS, [capacity, MAX_ATTEMPTS, [...openRows.keys()]]) : [];
    if (rows.length === 0 && finished.length === 0) return false;
    const ownTerm = term;
    const dueJobs: DueJob[] = [];
    const messages: string[] = [];
    const handedOver = new Map<number, string[]>();
    isBatching = true;
    const deliveries: Promise<void>[] = [];
    for (const row of rows) {
      const event = { eventId: row.event_id, type: row.type, payload: row.payload, createdAt: row.created_at };
      openRows.set(row.id, row);
      try {
        handedOver.set(row.id, handOver(row, event, dueJobs, messages));
      } catch (error) {
        finished.push({ row, handledNames: [], failure: error instanceof Error ? error.message : 'failed' });
        continue;
      }
      deliveries.push(
        runBroadcastHandlers(row, event).then(
          () => undefined,
          (error: unknown) => recordFailure(ownTerm, row, error),
        ),
      );
    }
    await waitAtMost(GRACE_MS, Promise.all(deliveries));
    isBatching = false;
    if (ownTerm.isOver || performance.now() > leadsUntil) return false;
    const results = finished;
    finished = [];
    const { doneIds, unfinished } = splitResults(results, handedOver);
    const [committed] = await db().run<{ is_done: boolean }>(COMMIT, [
      id,
      doneIds,
      unfinished.length > 0 ? JSON.stringify(unfinished) : null,
      dueJobs.length > 0 ? JSON.stringify(dueJobs) : null,
      PROCESS_CHANNEL,
      messages,
    ]);
    if (!committed?.is_done) {
      endTerm();
      return false;
    }
    for (const { row } of results) openRows.delete(row.id);
    return rows.length === capacity || finished.length > 0;
  }

  function recordFailure(ownTerm: typeof term, row: Row, error: unknown): void {
    log.error({ err: error, eventId: row.event_id, type: row.type }, 'an event cannot be delivered');
    if (!ownTerm.isOver)
      finished.push({ row, handledNames: [], failure: error instanceof Error ? error.message : 'failed' });
  }

  function splitResults(
    results: readonly FinishedRow[],
    handedOver: ReadonlyMap<number, string[]>,
  ): { doneIds: number[]; unfinished: UnfinishedRow[] } {
    const doneIds: number[] = [];
    const unfinished: UnfinishedRow[] = [];
    const listDone = (row: Row) => [...(row.done ?? []), ...(handedOver.get(row.id) ?? [])];
    for (const { row, handledNames, failure } of results) {
      if (failure === undefined) doneIds.push(row.id);
      else unfinished.push({ id: row.id, done: [...listDone(row), ...handledNames], failure });
    }
    const finishedIds = new Set(results.map(({ row }) => row.id));
    for (const [rowId, names] of handedOver) {
      const row = openRows.get(rowId);
      if (!row || names.length === 0 || finishedIds.has(rowId)) continue;
      row.done = listDone(row);
      unfinished.push({ id: rowId, done: row.done, failure: undefined });
    }
    return { doneIds, unfinished };
  }

  async function drain(): Promise<boolean> {
    do {
      shouldRunAgain = false;
      if (!(await acquireLease())) return false;
      while (await processBatch()) if (!(await acquireLease())) return false;
      if (!isStarted && openRows.size === 0) await releaseLease();
    } while (shouldRunAgain && !isStopped);
    return true;
  }

  async function releaseLease(): Promise<void> {
    if (!term.isOver) await db().run(RELEASE_LEASE, [id]);
    endTerm();
  }

  function run(): Promise<boolean> {
    if (running) {
      shouldRunAgain = true;
      return running;
    }
    running = drain()
      .catch((error: unknown) => {
        endTerm();
        log.error({ err: error }, 'the outbox could not be read');
        return true;
      })
      .finally(() => {
        running = undefined;
        const shouldRun = shouldRunAgain && !isStopped;
        shouldRunAgain = false;
        if (shouldRun) void run();
      });
    return running;
  }

  function wake(isRemote = false): void {
    if (isStopped && !isRemote) wakeOthers();
    hasOwnCommits ||= !isRemote;
    if (isStopped || waking) return;
    const runNow = () => {
      const shouldWakeOthers = hasOwnCommits;
      hasOwnCommits = false;
      waking = undefined;
      void run().then((leads) => {
        lastRunAt = performance.now();
        if (!leads && shouldWakeOthers) wakeOthers();
      });
    };
    const delayMs = lastRunAt + WAKE_MS - performance.now();
    if (delayMs <= 0) runNow();
    else waking = setTimeout(runNow, delayMs);
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearInterval(timer);
    clearTimeout(waking);
    await running;
    await waitAtMost(POLL_MS, Promise.all(lastBySubject.values()));
    await run();
    await releaseLease().catch((error: unknown) => log.error({ err: error }, 'the lease could not be given back'));
    wakeOthers();
  }

  return {
    run,
    wake,
    isIdle: () => openRows.size === 0 && running === undefined,
    start: () => {
      isStarted = true;
      timer = setInterval(() => void run(), Math.min(POLL_MS, leaseMs / 3));
      timer.unref();
      void run();
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Job keys have a length limit, and a subject may contain user input. */
function shortenSubject(subject: string): string {
  return subject.length <= MAX_SUBJECT ? subject : createHash('sha256').update(subject).digest('hex');
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)]);
  waiting.abort();
}

async function withTimeout(work: Promise<void>): Promise<void> {
  const late = new AbortController();
  const limit = sleep(HANDLER_TIMEOUT_MS, undefined, { signal: late.signal, ref: false });
  try {
    await Promise.race([
      work,
      limit.then(
        () => Promise.reject(new Error('it took too long')),
        () => undefined,
      ),
    ]);
  } finally {
    late.abort();
  }
}
