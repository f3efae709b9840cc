/**
 * What happened to accounts and their doors, for whoever has to find out later: structured rows that only grow, without secrets and
 * without what anybody typed. What is told many times within a second is one row with a count, so that no flood fills the disk.
 */
import type { Counter } from 'prom-client';
import type { Clock } from './clock.ts';
import type { Database, Statement } from './db.ts';
import type { Logger } from './log.ts';
import { keptMs } from './retention.ts';

export type SecurityKind =
  | 'loggedIn'
  | 'logInRefused'
  | 'lockedOut'
  | 'secondFactorRefused'
  | 'loggedOut'
  | 'sessionsEnded'
  | 'passwordChanged'
  | 'passwordReset'
  | 'passwordRefused'
  | 'twoFactorOn'
  | 'twoFactorOff'
  | 'accountBlocked'
  | 'accountClosed'
  | 'breakBegun'
  | 'closingAsked'
  | 'roleRefused'
  | 'originRefused'
  | 'operatorActed';

export type SecurityEvent = {
  kind: SecurityKind;
  userId?: string | undefined;
  sessionId?: string | undefined;
  network?: string | undefined;
  /** In words of the code: a route's pattern, a browser's kind. Never what somebody typed. */
  detail?: string | undefined;
};

export interface SecurityLog {
  /** Notes what has happened; after the commit, where it is part of one. Written within a second. */
  note(event: SecurityEvent): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
  /** Counts each event by its kind from now on. */
  countBy(counter: Pick<Counter, 'inc'>): void;
  /** Removes what is older than a security log is kept. */
  purge(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 1_000;
/** Different events that wait while the database is away; more are counted and not kept. */
const MOST_WAITING = 5_000;
const KEPT_MS = keptMs('securityLog');

const WRITE: Statement = {
  name: 'security-write',
  text: `insert into security_log (at, kind, user_id, session_id, network, detail, count)
    select * from unnest($1::timestamptz[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[])`,
};
const PURGE: Statement = { name: 'security-purge', text: 'delete from security_log where at <= $1' };

type Waiting = SecurityEvent & { at: Date; count: number };

export function createSecurityLog(db: () => Pick<Database, 'run'>, clock: Clock, log: Logger): SecurityLog {
  let waiting = new Map<string, Waiting>();
  let lost = 0;
  let counter: Pick<Counter, 'inc'> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const rows = [...waiting.values()];
    waiting = new Map();
    const column = (pick: (row: Waiting) => unknown) => rows.map(pick);
    try {
      await db().run(WRITE, [
        column(({ at }) => at),
        column(({ kind }) => kind),
        column(({ userId }) => userId ?? null),
        column(({ sessionId }) => sessionId ?? null),
        column(({ network }) => network ?? null),
        column(({ detail }) => detail ?? ''),
        column(({ count }) => count),
      ]);
      if (lost > 0) log.error({ lost }, 'security events were not kept');
      lost = 0;
    } catch (error) {
      log.error({ err: error }, 'the security log cannot be written');
      for (const row of rows) keep(row);
    }
  }

  function keep(row: Waiting): void {
    const { kind, userId, sessionId, network, detail } = row;
    const key = JSON.stringify([kind, userId, sessionId, network, detail]);
    const known = waiting.get(key);
    if (known) known.count += row.count;
    else if (waiting.size < MOST_WAITING) waiting.set(key, row);
    else lost += row.count;
  }

  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void flush(), EVERY_MS);
  timer.unref();

  return {
    note: (event) => {
      counter?.inc({ kind: event.kind });
      keep({ ...event, at: clock.now(), count: 1 });
    },
    flush,
    countBy: (given) => {
      counter = given;
    },
    purge: async () => {
      await db().run(PURGE, [new Date(clock.now().getTime() - KEPT_MS)]);
    },
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
