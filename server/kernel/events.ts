/**
 * Events told upward: features emit them inside a transaction (Transaction.emit), the relay runs every reaction to them
 * after the commit, at least once, in the order of the outbox.
 */
import type { Database, Statement } from './db.ts';
import type { Logger } from './log.ts';

/** Every event and its payload; features add theirs by declaration merging. Payloads are plain JSON. */
// biome-ignore lint/suspicious/noEmptyInterface: an interface, so that features can merge into it
export interface EventMap {}
export type EventType = keyof EventMap & string;
export type EventPayload<T extends EventType> = EventMap[T];

export type Told<T extends EventType> = { eventId: string; type: T; payload: EventPayload<T>; createdAt: Date };
type Reaction<T extends EventType> = (event: Told<T>) => Promise<void> | void;

export interface Events {
  /** Registers a reaction. `name` is unique and stable: a reaction that ran for an event is not run for it again. */
  on<T extends EventType>(type: T, name: string, reaction: Reaction<T>): void;
  /**
   * Says that whoever wrote an event has done itself what that reaction would: if nothing else reacts, the event leaves the
   * outbox soon; else it is due at once, and the reaction is run all the same. Answers whether it left. Worth it for what is told so often that a transaction of the relay for each counts.
   */
  tellNoMore(type: EventType, reaction: string, id: number): boolean;
  /** Says that something was committed; the relay looks at once. */
  wake(): void;
  /** Runs until nothing is due; for tests and for draining at the end. */
  settle(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const BATCH = 200;
const POLL_MS = 2_000;
const MAX_ATTEMPTS = 12;
/** So long are ids gathered that leave the outbox together. */
const GATHER_MS = 100;
/** Once a relay has run, so long are further events gathered for the next: a batch of many costs little more than one of one. */
const WAKE_MS = 10;

const TAKE: Statement = {
  name: 'outbox-take',
  text: `select id, event_id, type, payload, attempts, created_at from outbox
         where not_before <= now() and attempts < $2 order by id limit $1 for update skip locked`,
};
const DUE: Statement = {
  name: 'outbox-due',
  text: "update outbox set not_before = '-infinity' where id = any($1::bigint[])",
};
const GONE: Statement = {
  name: 'outbox-gone',
  // Its commit waits for no disk: what a crash brings back is told once more.
  text: `delete from outbox where id = any($1::bigint[]) and set_config('synchronous_commit', 'off', true) is not null`,
};
const LATER: Statement = {
  name: 'outbox-later',
  text: `update outbox set attempts = attempts + 1, failure = $2, not_before = now() + make_interval(secs => least(600, power(2, attempts))) where id = $1`,
};
const RAN: Statement = {
  name: 'reactions-ran',
  text: 'select event_id, reaction from reactions_done where event_id = any($1::uuid[])',
};
const RUN: Statement = {
  name: 'reactions-run',
  text: 'insert into reactions_done (event_id, reaction) values ($1, $2) on conflict do nothing',
};

type Row = {
  id: number;
  event_id: string;
  type: EventType;
  payload: EventPayload<EventType>;
  attempts: number;
  created_at: Date;
};

/** The relay of one process. Several processes may run one each: rows are taken with `skip locked`. */
export function createEvents(db: () => Database, log: Logger): Events {
  const reactions = new Map<string, { name: string; reaction: Reaction<EventType> }[]>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAgain = false;
  let isStopped = false;
  let gone: number[] = [];
  let gathering: NodeJS.Timeout | undefined;
  let waking: NodeJS.Timeout | undefined;
  let wokenAt = Number.NEGATIVE_INFINITY;

  async function takeOut(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    const ids = gone;
    gone = [];
    if (ids.length > 0) await db().run(GONE, [ids]);
  }

  const report = (error: unknown) => log.error({ err: error }, 'the outbox could not be written');

  /** Tells one batch; answers whether there may be more. A reaction that succeeded is noted only when a later one of the same event failed. */
  async function tellBatch(): Promise<boolean> {
    return db().transaction(async (tx) => {
      const rows = await tx.run<Row>(TAKE, [BATCH, MAX_ATTEMPTS]);
      if (rows.length === 0) return false;
      const again = rows.filter((row) => row.attempts > 0).map((row) => row.event_id);
      const ran = new Set(
        again.length === 0
          ? []
          : (await tx.run<{ event_id: string; reaction: string }>(RAN, [again])).map(
              (done) => `${done.event_id} ${done.reaction}`,
            ),
      );
      const finished: number[] = [];
      for (const row of rows) {
        let failure: string | undefined;
        const succeeded: string[] = [];
        for (const { name, reaction } of reactions.get(row.type) ?? []) {
          if (ran.has(`${row.event_id} ${name}`)) continue;
          try {
            await reaction({ eventId: row.event_id, type: row.type, payload: row.payload, createdAt: row.created_at });
            succeeded.push(name);
          } catch (error) {
            failure = `${name}: ${error instanceof Error ? error.message : 'failed'}`;
            log.error({ err: error, eventId: row.event_id, type: row.type, reaction: name }, 'a reaction failed');
          }
        }
        if (failure === undefined) {
          finished.push(row.id);
        } else {
          for (const name of succeeded) await tx.run(RUN, [row.event_id, name]);
          await tx.run(LATER, [row.id, failure]);
        }
      }
      if (finished.length > 0) await tx.run(GONE, [finished]);
      return rows.length === BATCH;
    });
  }

  async function drain(): Promise<void> {
    do {
      isAgain = false;
      while (await tellBatch()) {}
    } while (isAgain && !isStopped);
  }

  function run(): Promise<void> {
    if (running) {
      isAgain = true;
      return running;
    }
    running = drain()
      .catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    on: (type, name, reaction) => {
      const list = reactions.get(type) ?? [];
      if (list.some((other) => other.name === name)) throw new Error(`reaction ${name} to ${type} is registered twice`);
      // The map holds reactions of every type under their own key; what is read under a key was put under it.
      list.push({ name, reaction: reaction as Reaction<EventType> });
      reactions.set(type, list);
    },
    tellNoMore: (type, reaction, id) => {
      if (reactions.get(type)?.some(({ name }) => name !== reaction)) {
        void db()
          .run(DUE, [[id]])
          .then(() => run(), report);
        return false;
      }
      gone.push(id);
      gathering ??= setTimeout(() => void takeOut().catch(report), GATHER_MS);
      return true;
    },
    wake: () => {
      if (isStopped || waking) return;
      const begin = () => {
        waking = undefined;
        wokenAt = performance.now();
        void run();
      };
      const rest = wokenAt + WAKE_MS - performance.now();
      if (rest <= 0) begin();
      else waking = setTimeout(begin, rest);
    },
    settle: async () => {
      clearTimeout(waking);
      waking = undefined;
      await takeOut();
      await run();
      await run();
    },
    start: () => {
      timer = setInterval(() => void run(), POLL_MS);
      timer.unref();
      void run();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(waking);
      await takeOut().catch(report);
      await running;
    },
  };
}
