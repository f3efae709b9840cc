/**
 * The append-only security log, without secrets or user input. Repeated events become one row with a count, so that a
 * flood cannot fill the disk.
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
  /** Fixed terms such as a route pattern or a browser. Never user input. */
  detail?: string | undefined;
};

export interface SecurityLog {
  /**
   * Records an event, after the commit if it belongs to a transaction. Written within a second. The session and network
   * of the current request are added.
   */
  note(event: SecurityEvent): void;
  flush(): Promise<void>;
  countBy(counter: Pick<Counter, 'inc'>): void;
  purge(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 1_000;
/** Limit of buffered rows while the database is unreachable. Further ones are only counted. */
const MOST_WAITING = 5_000;
const KEPT_MS = keptMs('securityLog');

const WHOLE = { ofAccount: 60, ofNetwork: 600 };
const WHOLE_MS = 60 * 60_000;
const COUNTED_MS = 10 * 60_000;
const COUNTED = 'more of the same';
/** Anonymous callers can cause these, so they are limited per network, whatever account they are about. */
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

/**
 * Adds the session if the event is about the caller, and the network unless a logged-in caller caused an event of
 * another user.
 */
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

  /**
   * Returns the row to count instead, once there were too many within the hour. Operator actions are always written.
   */
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
