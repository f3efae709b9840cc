/**
 * The database: a pool, Kysely for everyday queries, named prepared statements for hot paths, and transactions with an
 * outbox whose events run after the commit.
 */
import { createHash } from 'node:crypto';
import { CompiledQuery, Kysely, type PostgresPool } from 'kysely';
import pg from 'pg';
import { type Asking, askedBy, whoAsks } from './asking.ts';
import type { EventPayload, EventType } from './events.ts';
import { createShares } from './shares.ts';
import type { DB as Tables } from './tables.ts';
import { Dialect } from './words-in-place.ts';

export type { Tables };

/** A hot statement: prepared once a connection, under `name` and a hash of its text. */
export type Statement = { name: string; text: string };

/** What stores take: works alike in and outside a transaction. */
export interface Executor {
  readonly query: Kysely<Tables>;
  /** Runs raw, named SQL and answers its rows. */
  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export interface Transaction extends Executor {
  /** Puts an event into the outbox: it is told after the commit, at least once, or never if the transaction fails. */
  emit<T extends EventType>(type: T, payload: EventPayload<T>): Promise<void>;
}

export interface Database extends Executor {
  readonly pool: pg.Pool;
  /** Runs `work` in one READ COMMITTED transaction; deadlocks and serialisation failures are tried again twice. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work`, which reads only: all that it reads is of one moment. */
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
 * A prepared statement has one plan for all values. Left to choose, PostgreSQL plans the longer ones anew each time they
 * run, which takes longer than running them: hot statements are written so that one plan suits everybody.
 */
const ONE_PLAN = 'set plan_cache_mode = force_generic_plan';
/**
 * How long anything waits: for a connection, and for what another transaction holds; and how long a transaction may stand without a
 * statement. Whoever holds a row and stands still, a frozen process say, stops those who want it for so long, and nobody for good.
 */
const PATIENCE = { waitMs: 10_000, standMs: 30_000 };

/**
 * Of the connections so much at once of one account, and of one network of people without: whose statements wait for something stop
 * themselves, and nobody else.
 */
const PART = { ofAccount: 1 / 4, ofNetwork: 1 / 2 };
const LEAST_OF_ONE = 2;

/** As the driver says it of a connection that did not come in time. */
const TOO_LATE = 'timeout exceeded when trying to connect';

/** Does what is done with a connection in hand. */
function served<T>(work: () => T): T {
  const who = whoAsks();
  return who ? askedBy({ ...who, isServed: true }, work) : work();
}

const preparedNames = new Map<string, string>();

/** A connection knows a statement by its name alone: the hash keeps two that chanced upon one name from being taken for each other. */
function prepared({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig {
  const known =
    preparedNames.get(text) ??
    `${name.slice(0, 48)}-${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`;
  preparedNames.set(text, known);
  return { name: known, text, values: [...values] };
}

const RETRYABLE = new Set(['40001', '40P01']);
type Bound = Pick<Executor, 'query' | 'run'> & {
  /** Commits or rolls back, once all that was asked before has had its answer: nothing of it may run on what comes next. */
  end(how: 'commit' | 'rollback'): Promise<void>;
};
const boundByClient = new WeakMap<pg.PoolClient, Bound>();

/**
 * What works on one client, made once a client: building a Kysely for each transaction would cost more than a query. One statement runs
 * after another, in the order they are asked, so that who reads several things at once need not know that the connection is one.
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
  /** Told after a transaction that emitted events. */
  onCommit?: (() => void) | undefined;
  /** Told of idle connections that broke. */
  onError?: ((error: Error) => void) | undefined;
  /** Names events, whose ids say when they happened; the database does it by default. */
  newEventId?: (() => string) | undefined;
};

/** Opens a pool on `url`. */
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
  // A client that breaks while it is lent out fails its query; the event itself needs a listener all the same.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const partOf = ({ userId }: Asking) => (userId === undefined ? PART.ofNetwork : PART.ofAccount);
  const takeShare = createShares({
    most: (who) => Math.max(LEAST_OF_ONE, Math.floor(maxConnections * partOf(who))),
    waitMs,
    refusal: () => new Error(`${TOO_LATE}: too much is asked at once`),
  });

  /** A connection, for who has not got all that is theirs. */
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

/** Runs raw SQL without parameters through Kysely; for maintenance, not for input. */
export async function runSql(db: Executor, text: string): Promise<void> {
  await db.query.executeQuery(CompiledQuery.raw(text));
}

/**
 * Of sockets and names, of a server that starts, stops, is full or a copy that only reads (SQLSTATE 57P0x, 53300, 25006), of its connections
 * (class 08), and of what was waited for too long (55P03, 25P03).
 */
const AWAY =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|57P0[1-5]|53300|25006|55P03|25P03|08[0-9A-Z]{3})$/;
/** What the driver says without a code. */
const CUT = new RegExp(`^(?:Connection terminated|Client has encountered a connection error|${TOO_LATE})`);

/** Whether a query failed because the database could not be reached: nothing is known of what it was to do. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOfDriver = 'syscall' in error || 'severity' in error;
  return (isOfDriver && AWAY.test(errorCode(error) ?? '')) || CUT.test(error.message);
}

/** Whether an error is a unique violation, of that constraint if named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    errorCode(error) === '23505' &&
    (constraint === undefined || (error instanceof Error && 'constraint' in error && error.constraint === constraint))
  );
}
