/**
 * The relay: takes events out of the outbox, hands each to its reactions, and writes down what that came to. Of all processes
 * one relays at a time, under a lease, so that what is told of one subject is told in order; no transaction is open meanwhile.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from './db.ts';
import type { EventPayload, EventType, Told } from './events.ts';
import type { Logger } from './log.ts';
import { CHANNEL, type Message, textOf } from './process-channel.ts';
import { keyOf, type Reactions, type Tell } from './reactions.ts';

const BATCH = 200;
const MAX_ATTEMPTS = 12;
/** Events that wait for slow tells; with more, nothing further is taken. */
const MAX_OPEN = 5_000;
/** So long is a batch held for what is told in it: nearly always all of it, and its events go with the same statement. */
const GRACE_MS = 20;
/** What takes longer to tell has failed, and the next of its subject is told. */
const TELL_MS = 30_000;
const POLL_MS = 2_000;
const MAX_SUBJECT = 200;
/** After a turn, so long are further events gathered for the next: a batch of many costs little more than one of one. */
const WAKE_MS = 10;

const LEAD: Statement = {
  name: 'relay-lead',
  text: `update relay_lease set holder = $1, until = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
    where holder = $1 or until < clock_timestamp() returning 1 as leads`,
};
const LEAVE: Statement = {
  name: 'relay-leave',
  text: `update relay_lease set until = '-infinity' where holder = $1`,
};
const TAKE: Statement = {
  name: 'relay-take',
  text: `select id, event_id, type, payload, attempts, done, created_at from outbox
    where not_before <= now() and attempts < $2 and id <> all($3::bigint[]) order by id limit $1`,
};
const COMMIT: Statement = {
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
type Due = {
  lane: string;
  subject: string;
  reaction: string;
  eventId: string;
  payload: unknown;
  createdAt: Date;
};
type Ended = { row: Row; told: string[]; failure: string | undefined };
type Kept = { id: number; done: string[]; failure: string | undefined };

export type Relay = {
  /** Looks as soon as it may; `isHeard`: another process said so, and wakes whoever leads itself. */
  wake(isHeard?: boolean): void;
  /** Looks now, until nothing is due. Answers whether this process relays. */
  run(): Promise<boolean>;
  start(): void;
  /** Takes nothing more, waits a moment for what is being told, and lets another process lead. */
  stop(): Promise<void>;
  isIdle(): boolean;
};

type Options = {
  db: () => Database;
  reactions: Reactions;
  log: Logger;
  id: string;
  leaseMs: number;
  /** Takes an event that concerns every process, for this one. */
  hear: (event: Told<EventType>) => void;
  /** Wakes whoever leads, when that is another process. */
  elsewhere: () => void;
};

export function createRelay({ db, reactions, log, id, leaseMs, hear, elsewhere }: Options): Relay {
  /** Of what was taken under one lease; another begins with what is in the outbox. */
  let term = { isOver: true };
  let leadsUntil = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  const open = new Map<number, Row>();
  let ended: Ended[] = [];
  const lasts = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let waking: NodeJS.Timeout | undefined;
  let restedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<boolean> | undefined;
  let isAgain = false;
  let isGathering = false;
  let isOwn = false;
  let isStarted = false;
  let isStopped = false;
  let stopping: Promise<void> | undefined;

  function endTerm(): void {
    term.isOver = true;
    leadsUntil = Number.NEGATIVE_INFINITY;
    open.clear();
    ended = [];
  }

  /** Takes or prolongs the lease. By this process's own clock it ends no later than by the database's. */
  async function lead(): Promise<boolean> {
    const now = performance.now();
    if (now > leadsUntil && !term.isOver) endTerm();
    if (!term.isOver && now < askedAt + leaseMs / 3) return true;
    if (term.isOver && isStarted && now < askedAt + Math.min(POLL_MS, leaseMs) / 2) return false;
    askedAt = now;
    const leads = (await db().run(LEAD, [id, leaseMs])).length > 0;
    if (!leads) {
      endTerm();
    } else {
      leadsUntil = now + leaseMs;
      if (term.isOver) term = { isOver: false };
    }
    return leads;
  }

  /** Tells one reaction, after what was told of its subject before. Answers a failure in words. */
  async function tell({ name, run }: Tell, subject: string, event: Told<EventType>): Promise<string | undefined> {
    const mine = term;
    const work = async (): Promise<string | undefined> => {
      // A process that was frozen wakes up with what others have told meanwhile.
      if (mine.isOver || performance.now() > leadsUntil) return 'somebody else tells it';
      try {
        const telling = run(event);
        if (telling) await inTime(telling);
        return undefined;
      } catch (error) {
        log.error({ err: error, eventId: event.eventId, type: event.type, reaction: name }, 'a reaction failed');
        return `${name}: ${error instanceof Error ? error.message : 'failed'}`;
      }
    };
    const before = lasts.get(subject);
    const telling = before ? before.then(work) : work();
    const last = telling.then(() => {
      if (lasts.get(subject) === last) lasts.delete(subject);
    });
    lasts.set(subject, last);
    return telling;
  }

  /** Tells sockets, and says so when all are through. */
  async function tellAll(row: Row, event: Told<EventType>): Promise<void> {
    const mine = term;
    const tells = reactions.to(row.type).tells.filter(({ name }) => !row.done?.includes(name));
    const failures = await Promise.all(tells.map((one) => tell(one, one.subject(row.payload), event)));
    if (mine.isOver) return;
    // Later than its batch: what it came to is written in a turn of its own.
    if (!isGathering) wake();
    const told = tells.filter((_, index) => failures[index] === undefined).map(({ name }) => name);
    ended.push({ row, told, failure: failures.find((failure) => failure !== undefined) });
  }

  /** What of an event is for jobs, and what for every process. */
  function handOn(row: Row, event: Told<EventType>, due: Due[], notes: string[]): string[] {
    const { works, everywhere } = reactions.to(row.type);
    const isNew = ({ name }: { name: string }) => !row.done?.includes(name);
    const handed: string[] = [];
    for (const { name, lane, subject, isWanted } of works.filter(isNew)) {
      handed.push(name);
      if (!isWanted(row.payload)) continue;
      const reaction = keyOf(row.type, name);
      const { event_id: eventId, payload, created_at: createdAt } = row;
      due.push({ lane, subject: keptShort(subject(payload)), reaction, eventId, payload, createdAt });
    }
    const fresh = everywhere.filter(isNew);
    if (fresh.length > 0) {
      handed.push(...fresh.map(({ name }) => name));
      hear(event);
      const note: Message = { kind: 'event', from: id, event: { ...event, createdAt: event.createdAt.toISOString() } };
      notes.push(textOf(note) ?? JSON.stringify({ kind: 'missed', from: id, type: row.type } satisfies Message));
    }
    return handed;
  }

  /** Takes and hands on one batch. Answers whether there may be more. */
  async function batch(): Promise<boolean> {
    const free = isStopped ? 0 : Math.min(BATCH, MAX_OPEN - open.size);
    const rows = free > 0 ? await db().run<Row>(TAKE, [free, MAX_ATTEMPTS, [...open.keys()]]) : [];
    if (rows.length === 0 && ended.length === 0) return false;
    const mine = term;
    const due: Due[] = [];
    const notes: string[] = [];
    const handed = new Map<number, string[]>();
    isGathering = true;
    const telling: Promise<void>[] = [];
    for (const row of rows) {
      const event = { eventId: row.event_id, type: row.type, payload: row.payload, createdAt: row.created_at };
      open.set(row.id, row);
      try {
        handed.set(row.id, handOn(row, event, due, notes));
      } catch (error) {
        // A subject that cannot be named: a bug, which keeps nothing else from being told.
        ended.push({ row, told: [], failure: error instanceof Error ? error.message : 'failed' });
        continue;
      }
      telling.push(
        tellAll(row, event).then(
          () => undefined,
          (error: unknown) => fail(mine, row, error),
        ),
      );
    }
    await within(GRACE_MS, Promise.all(telling));
    isGathering = false;
    if (mine.isOver || performance.now() > leadsUntil) return false;
    const settled = ended;
    ended = [];
    const { gone, kept } = outcome(settled, handed);
    const [committed] = await db().run<{ is_done: boolean }>(COMMIT, [
      id,
      gone,
      kept.length > 0 ? JSON.stringify(kept) : null,
      due.length > 0 ? JSON.stringify(due) : null,
      CHANNEL,
      notes,
    ]);
    if (!committed?.is_done) {
      endTerm();
      return false;
    }
    for (const { row } of settled) open.delete(row.id);
    return rows.length === free || ended.length > 0;
  }

  function fail(mine: typeof term, row: Row, error: unknown): void {
    log.error({ err: error, eventId: row.event_id, type: row.type }, 'an event cannot be told');
    if (!mine.isOver) ended.push({ row, told: [], failure: error instanceof Error ? error.message : 'failed' });
  }

  /** Which events go, and of which is noted what of them is done: those that failed, and those that are told for longer. */
  function outcome(settled: readonly Ended[], handed: ReadonlyMap<number, string[]>): { gone: number[]; kept: Kept[] } {
    const gone: number[] = [];
    const kept: Kept[] = [];
    const doneOf = (row: Row) => [...(row.done ?? []), ...(handed.get(row.id) ?? [])];
    for (const { row, told, failure } of settled) {
      if (failure === undefined) gone.push(row.id);
      else kept.push({ id: row.id, done: [...doneOf(row), ...told], failure });
    }
    const through = new Set(settled.map(({ row }) => row.id));
    for (const [rowId, names] of handed) {
      const row = open.get(rowId);
      if (!row || names.length === 0 || through.has(rowId)) continue;
      row.done = doneOf(row);
      kept.push({ id: rowId, done: row.done, failure: undefined });
    }
    return { gone, kept };
  }

  async function drain(): Promise<boolean> {
    do {
      isAgain = false;
      if (!(await lead())) return false;
      while (await batch()) if (!(await lead())) return false;
      // Who was not started leads for as long as it was asked to, and no longer.
      if (!isStarted && open.size === 0) await leave();
    } while (isAgain && !isStopped);
    return true;
  }

  async function leave(): Promise<void> {
    if (!term.isOver) await db().run(LEAVE, [id]);
    endTerm();
  }

  function run(): Promise<boolean> {
    if (running) {
      isAgain = true;
      return running;
    }
    running = drain()
      .catch((error: unknown) => {
        // What was taken is taken anew.
        endTerm();
        log.error({ err: error }, 'the outbox could not be read');
        return true;
      })
      .finally(() => {
        running = undefined;
        const isAsked = isAgain && !isStopped;
        isAgain = false;
        if (isAsked) void run();
      });
    return running;
  }

  function wake(isHeard = false): void {
    if (isStopped && !isHeard) elsewhere();
    isOwn ||= !isHeard;
    if (isStopped || waking) return;
    const begin = () => {
      const tellsOthers = isOwn;
      isOwn = false;
      waking = undefined;
      void run().then((leads) => {
        restedAt = performance.now();
        if (!leads && tellsOthers) elsewhere();
      });
    };
    const rest = restedAt + WAKE_MS - performance.now();
    if (rest <= 0) begin();
    else waking = setTimeout(begin, rest);
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearInterval(timer);
    clearTimeout(waking);
    await running;
    await within(POLL_MS, Promise.all(lasts.values()));
    await run();
    await leave().catch((error: unknown) => log.error({ err: error }, 'the lease could not be given back'));
    elsewhere();
  }

  return {
    run,
    wake,
    isIdle: () => open.size === 0 && running === undefined,
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

/** A job's key has its limits, and somebody may have typed the subject. */
function keptShort(subject: string): string {
  return subject.length <= MAX_SUBJECT ? subject : createHash('sha256').update(subject).digest('hex');
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)]);
  waiting.abort();
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = new AbortController();
  const limit = sleep(TELL_MS, undefined, { signal: late.signal, ref: false });
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
