import { createHash } from 'node:crypto';
import { CompiledQuery, Kysely, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { EventPayload, EventType } from '../events/event-types.ts';
import { findRequester, type Requester, runAs } from '../http/request-context.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { InlineLiteralDialect } from './inline-literals.ts';
import type { DB as Tables } from './tables.ts';

export type { Tables };

export type SqlStatement = { name: string; text: string };

export interface Executor {
  readonly query: Kysely<Tables>;
  run<Row extends object>(statement: SqlStatement, values: readonly unknown[]): Promise<Row[]>;
}

export interface DbTransaction extends Executor {
  /** Adds an event to the outbox. It is delivered at least once after the commit, or never if the transaction fails. */
  emit<T extends EventType>(type: T, payload: EventPayload<T>): Promise<void>;
}

export interface Database extends Executor {
  readonly pool: pg.Pool;
  /** Runs `work` in a READ COMMITTED transaction. Deadlocks and serialization failures are retried twice. */
  transaction<T>(work: (tx: DbTransaction) => Promise<T>): Promise<T>;
  /** Runs read-only `work` on one consistent snapshot. */
  snapshot<T>(work: (db: Executor) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const INT8 = 20;
const NUMERIC = 1700;
pg.types.setTypeParser(INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 outside the safe integers: ${text}`);
  return value;
});
pg.types.setTypeParser(NUMERIC, Number);

/**
 * Forces one generic plan per prepared statement, because planning longer statements on each run takes longer than
 * running them. Hot statements must suit a generic plan.
 */
const GENERIC_PLAN = 'set plan_cache_mode = force_generic_plan';
/**
 * Timeouts in ms: `waitMs` for a connection or a lock, `idleTransactionMs` for an idle transaction, so that a frozen process
 * cannot stop others forever.
 */
const TIMEOUTS = { waitMs: 10_000, idleTransactionMs: 30_000 };

/**
 * The part of the connections for one account, or for one network of anonymous callers, so that waiting statements slow
 * down only their own caller.
 */
const POOL_SHARE = { perAccount: 1 / 4, perNetwork: 1 / 2 };
const MIN_CONNECTIONS = 2;

const TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';

/**
 * Returns the caller whose connections are limited. Work outside of requests is not limited, nor is a caller that holds a
 * connection, because it would wait for itself.
 */
function findLimitedCaller(): Requester | undefined {
  const requester = findRequester();
  return requester?.hasSlot ? undefined : requester;
}

function runWithSlot<T>(work: () => T): T {
  const requester = findRequester();
  return requester ? runAs({ ...requester, hasSlot: true }, work) : work();
}

const preparedNames = new Map<string, string>();

/**
 * A connection knows a prepared statement by its name only, so the hash separates two statements with the same name.
 */
function toPreparedQuery({ name, text }: SqlStatement, values: readonly unknown[]): pg.QueryConfig {
  const known =
    preparedNames.get(text) ??
    `${name.slice(0, 48)}-${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`;
  preparedNames.set(text, known);
  return { name: known, text, values: [...values] };
}

const RETRYABLE = new Set(['40001', '40P01']);
type BoundClient = Pick<Executor, 'query' | 'run'> & {
  /**
   * Commits or rolls back after all earlier queries have finished, so that none of them runs in the next transaction.
   */
  end(command: 'commit' | 'rollback'): Promise<void>;
};
const boundClients = new WeakMap<pg.PoolClient, BoundClient>();

/**
 * Created once per client, because building a Kysely per transaction costs more than a query. Statements run in the
 * order of the calls, so callers may issue several at once.
 */
function toBoundClient(client: pg.PoolClient): BoundClient {
  const known = boundClients.get(client);
  if (known) return known;
  let last: Promise<void> = Promise.resolve();
  const waitForTurn = async (): Promise<() => void> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
  const pool: PostgresPool = {
    options: {},
    connect: async () => {
      const release = await waitForTurn();
      return { query: client.query.bind(client), release };
    },
    end: async () => undefined,
  };
  const runInOrder = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await waitForTurn();
    try {
      return await work();
    } finally {
      release();
    }
  };
  const boundClient: BoundClient = {
    query: new Kysely<Tables>({ dialect: new InlineLiteralDialect({ pool }) }),
    run: <Row extends object>(statement: SqlStatement, values: readonly unknown[]) =>
      runInOrder(async () => (await client.query<Row>(toPreparedQuery(statement, values))).rows),
    end: (command) => runInOrder(async () => void (await client.query(command))),
  };
  boundClients.set(client, boundClient);
  return boundClient;
}

const EMIT: SqlStatement = { name: 'outbox-emit', text: 'insert into outbox (type, payload) values ($1, $2)' };
const EMIT_AS: SqlStatement = {
  name: 'outbox-emit-as',
  text: 'insert into outbox (type, payload, event_id) values ($1, $2, $3)',
};

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

type DatabaseOptions = {
  maxConnections?: number | undefined;
  timeouts?: typeof TIMEOUTS | undefined;
  onCommit?: (() => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
  createEventId?: (() => string) | undefined;
};

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { waitMs, idleTransactionMs } = options.timeouts ?? TIMEOUTS;
  const settings = [
    GENERIC_PLAN,
    `set lock_timeout = ${waitMs}`,
    `set idle_in_transaction_session_timeout = ${idleTransactionMs}`,
  ];
  const maxConnections = options.maxConnections ?? 20;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: waitMs,
    application_name: 'stagedoor',
    onConnect: async (client) => void (await client.query(settings.join('; '))),
  });
  pool.on('error', (error) => options.onError?.(error));
  // An error of a client in use fails its query, but without a listener it would crash the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const limitShare = (share: number) =>
    createConcurrencyLimit({
      max: Math.max(MIN_CONNECTIONS, Math.floor(maxConnections * share)),
      maxWaiting: Number.POSITIVE_INFINITY,
      waitMs,
      createError: () => new Error(`${TIMEOUT_MESSAGE}: the caller has too many queries at once`),
    });
  const accounts = limitShare(POOL_SHARE.perAccount);
  const networks = limitShare(POOL_SHARE.perNetwork);
  function acquireSlot({ userId, network }: Requester): Promise<void> | undefined {
    return userId === undefined ? networks.acquire(network) : accounts.acquire(userId);
  }
  function releaseSlot({ userId, network }: Requester): void {
    if (userId === undefined) networks.release(network);
    else accounts.release(userId);
  }

  async function acquireClient(): Promise<{ client: pg.PoolClient; releaseClient: (broken?: Error) => void }> {
    const caller = findLimitedCaller();
    if (caller) await acquireSlot(caller);
    try {
      const client = await pool.connect();
      return {
        client,
        releaseClient: (broken) => {
          client.release(broken);
          if (caller) releaseSlot(caller);
        },
      };
    } catch (error) {
      if (caller) releaseSlot(caller);
      throw error;
    }
  }
  const shared: PostgresPool = {
    options: {},
    connect: async () => {
      const { client, releaseClient } = await acquireClient();
      return { query: client.query.bind(client), release: () => releaseClient() };
    },
    end: () => pool.end(),
  };
  const query = new Kysely<Tables>({ dialect: new InlineLiteralDialect({ pool: shared }) });

  async function run<Row extends object>(statement: SqlStatement, values: readonly unknown[]): Promise<Row[]> {
    const caller = findLimitedCaller();
    if (caller) await acquireSlot(caller);
    try {
      return (await pool.query<Row>(toPreparedQuery(statement, values))).rows;
    } finally {
      if (caller) releaseSlot(caller);
    }
  }

  async function attempt<T>(work: (tx: DbTransaction) => Promise<T>): Promise<T> {
    const { client, releaseClient } = await acquireClient();
    let hasEmitted = false;
    let broken: Error | undefined;
    const { query, run, end } = toBoundClient(client);
    try {
      await client.query('begin');
      const emit: DbTransaction['emit'] = async (type, payload) => {
        hasEmitted = true;
        const values = [type, JSON.stringify(payload)];
        if (options.createEventId) await run(EMIT_AS, [...values, options.createEventId()]);
        else await run(EMIT, values);
      };
      const result = await runWithSlot(() => work({ query, run, emit }));
      await end('commit');
      return result;
    } catch (error) {
      hasEmitted = false;
      await end('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      releaseClient(broken);
      if (hasEmitted) runAs(undefined, () => options.onCommit?.());
    }
  }

  async function snapshot<T>(work: (db: Executor) => Promise<T>): Promise<T> {
    const { client, releaseClient } = await acquireClient();
    let broken: Error | undefined;
    const { query, run, end } = toBoundClient(client);
    try {
      await client.query('begin isolation level repeatable read read only');
      return await runWithSlot(() => work({ query, run }));
    } finally {
      await end('rollback').catch((failure: Error) => {
        broken = failure;
      });
      releaseClient(broken);
    }
  }

  return {
    pool,
    query,
    snapshot,
    run,
    transaction: async (work) => {
      for (let tries = 0; ; tries += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (tries >= 2 || !RETRYABLE.has(errorCode(error) ?? '')) throw error;
        }
      }
    },
    close: () => pool.end(),
  };
}

/** Runs raw SQL without parameters. For maintenance only, never with user input. */
export async function runSql(db: Executor, text: string): Promise<void> {
  await db.query.executeQuery(CompiledQuery.raw(text));
}

/**
 * Errors of sockets and DNS, of a server that starts, stops, is full or read-only (57P0x, 53300, 25006), of connections
 * (class 08) and of timeouts (55P03, 25P03).
 */
const UNAVAILABLE_CODES =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|57P0[1-5]|53300|25006|55P03|25P03|08[0-9A-Z]{3})$/;
const CONNECTION_LOST = new RegExp(
  `^(?:Connection terminated|Client has encountered a connection error|${TIMEOUT_MESSAGE})`,
);

/** Whether a query failed because the database could not be reached. Whether it took effect is unknown. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isDriverError = 'syscall' in error || 'severity' in error;
  return (isDriverError && UNAVAILABLE_CODES.test(errorCode(error) ?? '')) || CONNECTION_LOST.test(error.message);
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    errorCode(error) === '23505' &&
    (constraint === undefined || (error instanceof Error && 'constraint' in error && error.constraint === constraint))
  );
}
