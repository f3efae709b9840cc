import { createHash } from 'node:crypto';
import { CompiledQuery, Kysely, type PostgresPool } from 'kysely';
import pg from 'pg';
import { type Asking, askedBy, whoAsks } from './asking.ts';
import type { EventPayload, EventType } from './events.ts';
import { createShares } from './shares.ts';
import type { DB as Tables } from './tables.ts';
import { Dialect } from './words-in-place.ts';

export type { Tables };

export type Statement = { name: string; text: string };

export interface Executor {
  readonly query: Kysely<Tables>;
  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export interface Transaction extends Executor {
  /** Adds an event to the outbox. It is delivered at least once after the commit, or never if the transaction fails. */
  emit<T extends EventType>(type: T, payload: EventPayload<T>): Promise<void>;
}

export interface Database extends Executor {
  readonly pool: pg.Pool;
  /** Runs `work` in a READ COMMITTED transaction. Deadlocks and serialization failures are retried twice. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
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
const ONE_PLAN = 'set plan_cache_mode = force_generic_plan';
/**
 * Timeouts in ms: `waitMs` for a connection or a lock, `standMs` for an idle transaction, so that a frozen process
 * cannot stop others forever.
 */
const PATIENCE = { waitMs: 10_000, standMs: 30_000 };

/**
 * The part of the connections for one account, or for one network of anonymous callers, so that waiting statements slow
 * down only their own caller.
 */
const PART = { ofAccount: 1 / 4, ofNetwork: 1 / 2 };
const LEAST_OF_ONE = 2;

const TOO_LATE = 'timeout exceeded when trying to connect';

function served<T>(work: () => T): T {
  const who = whoAsks();
  return who ? askedBy({ ...who, isServed: true }, work) : work();
}

const preparedNames = new Map<string, string>();

/**
 * A connection knows a prepared statement by its name only, so the hash separates two statements with the same name.
 */
function prepared({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig {
  const known =
    preparedNames.get(text) ??
    `${name.slice(0, 48)}-${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`;
  preparedNames.set(text, known);
  return { name: known, text, values: [...values] };
}

const RETRYABLE = new Set(['40001', '40P01']);
type Bound = Pick<Executor, 'query' | 'run'> & {
  /**
   * Commits or rolls back after all earlier queries have finished, so that none of them runs in the next transaction.
   */
  end(how: 'commit' | 'rollback'): Promise<void>;
};
const boundByClient = new WeakMap<pg.PoolClient, Bound>();

/**
 * Created once per client, because building a Kysely per transaction costs more than a query. Statements run in the
 * order of the calls, so callers may issue several at once.
 */
function boundTo(client: pg.PoolClient): Bound {
  const known = boundByClient.get(client);
  if (known) return known;
  let last: Promise<void> = Promise.resolve();
  const takeTurn = async (): Promise<() => void> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
  const pool: PostgresPool = {
    options: {},
    connect: async () => {
      const release = await takeTurn();
      return { query: client.query.bind(client), release };
    },
    end: async () => undefined,
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await takeTurn();
    try {
      return await work();
    } finally {
      release();
    }
  };
  const made: Bound = {
    query: new Kysely<Tables>({ dialect: new Dialect({ pool }) }),
    run: <Row extends object>(statement: Statement, values: readonly unknown[]) =>
      inTurn(async () => (await client.query<Row>(prepared(statement, values))).rows),
    end: (how) => inTurn(async () => void (await client.query(how))),
  };
  boundByClient.set(client, made);
  return made;
}

const EMIT: Statement = { name: 'outbox-emit', text: 'insert into outbox (type, payload) values ($1, $2)' };
const EMIT_AS: Statement = {
  name: 'outbox-emit-as',
  text: 'insert into outbox (type, payload, event_id) values ($1, $2, $3)',
};

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

type DatabaseOptions = {
  maxConnections?: number | undefined;
  patience?: typeof PATIENCE | undefined;
  onCommit?: (() => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
  newEventId?: (() => string) | undefined;
};

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { waitMs, standMs } = options.patience ?? PATIENCE;
  const settings = [ONE_PLAN, `set lock_timeout = ${waitMs}`, `set idle_in_transaction_session_timeout = ${standMs}`];
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
  const partOf = ({ userId }: Asking) => (userId === undefined ? PART.ofNetwork : PART.ofAccount);
  const takeShare = createShares({
    most: (who) => Math.max(LEAST_OF_ONE, Math.floor(maxConnections * partOf(who))),
    waitMs,
    refusal: () => new Error(`${TOO_LATE}: too much is asked at once`),
  });

  async function borrow(): Promise<{ client: pg.PoolClient; giveBack: (broken?: Error) => void }> {
    const giveShare = await takeShare();
    try {
      const client = await pool.connect();
      return {
        client,
        giveBack: (broken) => {
          client.release(broken);
          giveShare();
        },
      };
    } catch (error) {
      giveShare();
      throw error;
    }
  }
  const shared: PostgresPool = {
    options: {},
    connect: async () => {
      const { client, giveBack } = await borrow();
      return { query: client.query.bind(client), release: () => giveBack() };
    },
    end: () => pool.end(),
  };
  const query = new Kysely<Tables>({ dialect: new Dialect({ pool: shared }) });

  async function run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const giveShare = await takeShare();
    try {
      return (await pool.query<Row>(prepared(statement, values))).rows;
    } finally {
      giveShare();
    }
  }

  async function attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { client, giveBack } = await borrow();
    let hasEmitted = false;
    let broken: Error | undefined;
    const { query, run, end } = boundTo(client);
    try {
      await client.query('begin');
      const emit: Transaction['emit'] = async (type, payload) => {
        hasEmitted = true;
        const told = [type, JSON.stringify(payload)];
        if (options.newEventId) await run(EMIT_AS, [...told, options.newEventId()]);
        else await run(EMIT, told);
      };
      const result = await served(() => work({ query, run, emit }));
      await end('commit');
      return result;
    } catch (error) {
      hasEmitted = false;
      await end('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      giveBack(broken);
      if (hasEmitted) askedBy(undefined, () => options.onCommit?.());
    }
  }

  async function snapshot<T>(work: (db: Executor) => Promise<T>): Promise<T> {
    const { client, giveBack } = await borrow();
    let broken: Error | undefined;
    const { query, run, end } = boundTo(client);
    try {
      await client.query('begin isolation level repeatable read read only');
      return await served(() => work({ query, run }));
    } finally {
      await end('rollback').catch((failure: Error) => {
        broken = failure;
      });
      giveBack(broken);
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
const AWAY =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|57P0[1-5]|53300|25006|55P03|25P03|08[0-9A-Z]{3})$/;
const CUT = new RegExp(`^(?:Connection terminated|Client has encountered a connection error|${TOO_LATE})`);

/** Whether a query failed because the database could not be reached. Whether it took effect is unknown. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOfDriver = 'syscall' in error || 'severity' in error;
  return (isOfDriver && AWAY.test(errorCode(error) ?? '')) || CUT.test(error.message);
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    errorCode(error) === '23505' &&
    (constraint === undefined || (error instanceof Error && 'constraint' in error && error.constraint === constraint))
  );
}
