/**
 * The outbox relay. One process relays at a time, under a lease, so that events of one subject stay in order. No
 * transaction is open meanwhile.
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
const MAX_OPEN = 5_000;
/** A batch waits this long for its handlers, so that the events of most are deleted by the same statement. */
const GRACE_MS = 20;
/** A slower handler has failed, and the next event of its subject is delivered. */
const TELL_MS = 30_000;
const POLL_MS = 2_000;
const MAX_SUBJECT = 200;
/** Pause after a turn to collect events, because a large batch costs little more than a single event. */
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
  /** `isHeard`: another process reported the commit, and also wakes the leader. */
  wake(isHeard?: boolean): void;
  run(): Promise<boolean>;
  start(): void;
  /** Reads nothing more, waits briefly for running handlers and gives up the lease. */
  stop(): Promise<void>;
  isIdle(): boolean;
};

type Options = {
  db: () => Database;
  reactions: Reactions;
  log: Logger;
  id: string;
  leaseMs: number;
  hear: (event: Told<EventType>) => void;
  elsewhere: () => void;
};

export function createRelay({ db, reactions, log, id, leaseMs, hear, elsewhere }: Options): Relay {
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

  /** Takes or extends the lease. By the clock of this process it ends no later than by that of the database. */
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

  async function tell({ name, run }: Tell, subject: string, event: Told<EventType>): Promise<string | undefined> {
    const mine = term;
    const work = async (): Promise<string | undefined> => {
      // A frozen process may wake up after others delivered the event.
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

  async function tellAll(row: Row, event: Told<EventType>): Promise<void> {
    const mine = term;
    const tells = reactions.to(row.type).tells.filter(({ name }) => !row.done?.includes(name));
    const failures = await Promise.all(tells.map((one) => tell(one, one.subject(row.payload), event)));
    if (mine.isOver) return;
    if (!isGathering) wake();
    const told = tells.filter((_, index) => failures[index] === undefined).map(({ name }) => name);
    ended.push({ row, told, failure: failures.find((failure) => failure !== undefined) });
  }

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

/** Job keys have a length limit, and a subject may contain user input. */
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
