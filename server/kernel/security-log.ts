/**
 * What happened to accounts and their doors, for whoever has to find out later: structured rows that only grow, without secrets and
 * without what anybody typed. What is told many times within a second is one row with a count, and what an account or a network
 * does again and again within an hour a row every ten minutes, so that nobody fills the disk.
 */
import type { Counter } from 'prom-client';
import { whoAsks } from './asking.ts';
import type { Clock } from './clock.ts';
import type { Database, Statement } from './db.ts';
import { createLimits } from './limits.ts';
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
  | 'provenAgain'
  | 'actingChanged'
  | 'rolesChanged'
  | 'accountBlocked'
  | 'accountUnblocked'
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
  /**
   * Notes what has happened; after the commit, where it is part of one. Written within a second. Of whoever makes the present request
   * the session and the network need not be said.
   */
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

/** Rows of one kind that are written whole in an hour: far more than anybody causes who does not try to. */
const WHOLE = { ofAccount: 60, ofNetwork: 600 };
const WHOLE_MS = 60 * 60_000;
/** What is more is counted so long before it is a row. */
const COUNTED_MS = 10 * 60_000;
const COUNTED = 'more of the same';
/** What a stranger causes without knowing anything. Of one network these are counted whomever they are about. */
const REFUSALS: ReadonlySet<SecurityKind> = new Set([
  'logInRefused',
  'lockedOut',
  'secondFactorRefused',
  'passwordRefused',
  'roleRefused',
  'originRefused',
]);

const WRITE: Statement = {
  name: 'security-write',
  text: `insert into security_log (at, kind, user_id, session_id, network, detail, count)
    select * from unnest($1::timestamptz[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[])`,
};
const PURGE: Statement = { name: 'security-purge', text: 'delete from security_log where at <= $1' };

type Waiting = SecurityEvent & { at: Date; count: number };

/** With the session of the present request, where it is theirs, and its network, where it is theirs or nobody's. */
function completed(event: SecurityEvent): SecurityEvent {
  const asking = whoAsks();
  if (!asking) return event;
  const isTheirs = event.userId === asking.userId;
  const isFromHere = isTheirs || event.userId === undefined || asking.userId === undefined;
  return {
    ...event,
    sessionId: event.sessionId ?? (isTheirs ? asking.sessionId : undefined),
    network: event.network ?? (isFromHere ? asking.network : undefined),
  };
}

export function createSecurityLog(db: () => Pick<Database, 'run'>, clock: Clock, log: Logger): SecurityLog {
  let waiting = new Map<string, Waiting>();
  /** What is more than is written whole. */
  const counted = new Map<string, Waiting>();
  const whole = createLimits(clock, undefined);
  let lost = 0;
  let counter: Pick<Counter, 'inc'> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(isLast: boolean): Promise<void> {
    const before = clock.now().getTime() - COUNTED_MS;
    const due = [...counted].filter(([, { at }]) => isLast || at.getTime() <= before);
    for (const [key] of due) counted.delete(key);
    const rows = [...waiting.values(), ...due.map(([, row]) => row)];
    if (rows.length === 0) return;
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
      for (const row of rows) keep(waiting, row);
    }
  }

  const keyOf = ({ kind, userId, sessionId, network, detail }: SecurityEvent) =>
    JSON.stringify([kind, userId, sessionId, network, detail]);

  function keep(rows: Map<string, Waiting>, row: Waiting): void {
    const key = keyOf(row);
    const known = rows.get(key);
    if (known) known.count += row.count;
    else if (rows.size < MOST_WAITING) rows.set(key, row);
    else lost += row.count;
  }

  /** As what it is counted, when there were too many rows of it within the hour. What operators do is written whole. */
  function countedAs({ kind, userId, network }: SecurityEvent): SecurityEvent | undefined {
    if (kind === 'operatorActed') return undefined;
    const isTooMuch = (of: string, max: number, key: string) =>
      whole.count({ name: `${kind} of ${of}`, max, windowMs: WHOLE_MS }, key) > 0;
    const isRefusal = REFUSALS.has(kind);
    if (userId !== undefined && isTooMuch('account', WHOLE.ofAccount, userId))
      return { kind, userId, ...(!isRefusal && { network }), detail: COUNTED };
    if (isRefusal && network !== undefined && isTooMuch('network', WHOLE.ofNetwork, network))
      return { kind, userId, network, detail: COUNTED };
    return undefined;
  }

  const flush = (isLast = false) => {
    writing = writing.then(() => write(isLast));
    return writing;
  };
  const timer = setInterval(() => void flush(), EVERY_MS);
  timer.unref();

  return {
    note: (event) => {
      counter?.inc({ kind: event.kind });
      const row = { ...completed(event), at: clock.now(), count: 1 };
      const isKnown = waiting.has(keyOf(row));
      const more = isKnown ? undefined : countedAs(row);
      if (more) keep(counted, { ...more, at: row.at, count: 1 });
      else keep(waiting, row);
    },
    flush: () => flush(),
    countBy: (given) => {
      counter = given;
    },
    purge: async () => {
      await db().run(PURGE, [new Date(clock.now().getTime() - KEPT_MS)]);
    },
    close: async () => {
      clearInterval(timer);
      await flush(true);
    },
  };
}
