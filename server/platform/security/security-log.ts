/**
 * The append-only security log, without secrets or user input. Repeated events become one row with a count, so that a
 * flood cannot fill the disk.
 */
import type { Counter } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Database, SqlStatement } from '../database/db.ts';
import { findRequester } from '../http/request-context.ts';
import { createRateLimits } from '../limits/rate-limit.ts';
import type { Logger } from '../log.ts';
import { getRetentionMs } from '../retention.ts';

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
  | 'steppedUp'
  | 'delegationChanged'
  | 'rolesChanged'
  | 'accountBlocked'
  | 'accountUnblocked'
  | 'accountDeleted'
  | 'breakStarted'
  | 'deletionRequested'
  | 'roleRefused'
  | 'originRefused'
  | 'operatorAction';

export type SecurityEvent = {
  kind: SecurityKind;
  userId?: string | undefined;
  sessionId?: string | undefined;
  network?: string | undefined;
  /** Fixed terms such as a route pattern or a browser. Never user input. */
  detail?: string | undefined;
};

export interface SecurityLogger {
  /**
   * Records an event, after the commit if it belongs to a transaction. Written within a second. The session and network
   * of the current request are added.
   */
  note(event: SecurityEvent): void;
  flush(): Promise<void>;
  setCounter(counter: Pick<Counter, 'inc'>): void;
  purge(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 1_000;
/** Limit of buffered rows while the database is unreachable. Further ones are only counted. */
const MAX_BUFFERED = 5_000;
const RETENTION_MS = getRetentionMs('securityLog');

const MAX_FULL_ROWS = { perAccount: 60, perNetwork: 600 };
const FULL_ROWS_MS = 60 * 60_000;
const COUNT_MS = 10 * 60_000;
const COUNTED_DETAIL = 'more of the same';
/** Anonymous callers can cause these, so they are limited per network, whatever account they are about. */
const REFUSALS: ReadonlySet<SecurityKind> = new Set([
  'logInRefused',
  'lockedOut',
  'secondFactorRefused',
  'passwordRefused',
  'roleRefused',
  'originRefused',
]);

const WRITE: SqlStatement = {
  name: 'security-write',
  text: `insert into security_log (at, kind, user_id, session_id, network, detail, count)
    select * from unnest($1::timestamptz[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[])`,
};
const PURGE: SqlStatement = { name: 'security-purge', text: 'delete from security_log where at <= $1' };

type BufferedEvent = SecurityEvent & { at: Date; count: number };

/**
 * Adds the session if the event is about the caller, and the network unless a logged-in caller caused an event of
 * another user.
 */
function addRequester(event: SecurityEvent): SecurityEvent {
  const requester = findRequester();
  if (!requester) return event;
  const isOwnEvent = event.userId === requester.userId;
  const isOwnNetwork = isOwnEvent || event.userId === undefined || requester.userId === undefined;
  return {
    ...event,
    sessionId: event.sessionId ?? (isOwnEvent ? requester.sessionId : undefined),
    network: event.network ?? (isOwnNetwork ? requester.network : undefined),
  };
}

export function createSecurityLogger(db: () => Pick<Database, 'run'>, clock: Clock, log: Logger): SecurityLogger {
  let buffered = new Map<string, BufferedEvent>();
  const countedRows = new Map<string, BufferedEvent>();
  const fullRows = createRateLimits(clock);
  let lostCount = 0;
  let counter: Pick<Counter, 'inc'> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(isLast: boolean): Promise<void> {
    const before = clock.now().getTime() - COUNT_MS;
    const due = [...countedRows].filter(([, { at }]) => isLast || at.getTime() <= before);
    for (const [key] of due) countedRows.delete(key);
    const rows = [...buffered.values(), ...due.map(([, row]) => row)];
    if (rows.length === 0) return;
    buffered = new Map();
    const column = (pick: (row: BufferedEvent) => unknown) => rows.map(pick);
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
      if (lostCount > 0) log.error({ lostCount }, 'security events were not stored');
      lostCount = 0;
    } catch (error) {
      log.error({ err: error }, 'the security log cannot be written');
      for (const row of rows) buffer(buffered, row);
    }
  }

  const toKey = ({ kind, userId, sessionId, network, detail }: SecurityEvent) =>
    JSON.stringify([kind, userId, sessionId, network, detail]);

  function buffer(rows: Map<string, BufferedEvent>, row: BufferedEvent): void {
    const key = toKey(row);
    const known = rows.get(key);
    if (known) known.count += row.count;
    else if (rows.size < MAX_BUFFERED) rows.set(key, row);
    else lostCount += row.count;
  }

  /**
   * Returns the row to count instead, once there were too many within the hour. Operator actions are always written.
   */
  function toCountedEvent({ kind, userId, network }: SecurityEvent): SecurityEvent | undefined {
    if (kind === 'operatorAction') return undefined;
    const isOverLimit = (scope: string, max: number, key: string) =>
      fullRows.count({ name: `${kind} of ${scope}`, max, windowMs: FULL_ROWS_MS }, key) > 0;
    const isRefusal = REFUSALS.has(kind);
    if (userId !== undefined && isOverLimit('account', MAX_FULL_ROWS.perAccount, userId))
      return { kind, userId, ...(!isRefusal && { network }), detail: COUNTED_DETAIL };
    if (isRefusal && network !== undefined && isOverLimit('network', MAX_FULL_ROWS.perNetwork, network))
      return { kind, userId, network, detail: COUNTED_DETAIL };
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
      const row = { ...addRequester(event), at: clock.now(), count: 1 };
      const isKnown = buffered.has(toKey(row));
      const more = isKnown ? undefined : toCountedEvent(row);
      if (more) buffer(countedRows, { ...more, at: row.at, count: 1 });
      else buffer(buffered, row);
    },
    flush: () => flush(),
    setCounter: (newCounter) => {
      counter = newCounter;
    },
    purge: async () => {
      await db().run(PURGE, [new Date(clock.now().getTime() - RETENTION_MS)]);
    },
    close: async () => {
      clearInterval(timer);
      await flush(true);
    },
  };
}
