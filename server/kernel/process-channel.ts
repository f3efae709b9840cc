/**
 * What processes say to each other, through the one thing they surely share: PostgreSQL's NOTIFY. It is ephemeral and small;
 * what must not be lost is in the outbox, and who may have missed something is told so.
 */
import pg from 'pg';
import * as z from 'zod/mini';
import type { Database } from './db.ts';
import type { EventPayload, EventType } from './events.ts';
import type { Logger } from './log.ts';

export const CHANNEL = 'stagedoor';
/** PostgreSQL takes 8,000 bytes. */
const MAX_BYTES = 7_900;
const RETRY_MS = 1_000;
/** Who only listens never learns that nobody is there any more: what is between may forget a connection and tell neither end. */
const PACE = { beatMs: 3_000, patienceMs: 10_000 };

const message = z.discriminatedUnion('kind', [
  /** Something was committed that reactions wait for. */
  z.object({ kind: z.literal('wake') }),
  /** A socket event for one person, already of the contract's form; `of`: whose it is, who may be hidden where a socket is. */
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    name: z.string(),
    payload: z.unknown(),
    of: z.optional(z.string()),
  }),
  /** An event that concerns what every process keeps in memory. `from` has heard it. */
  z.object({
    kind: z.literal('event'),
    from: z.string(),
    // As a relay, which is of this code, has written it.
    event: z.object({
      eventId: z.string(),
      type: z.custom<EventType>((value) => typeof value === 'string'),
      payload: z.custom<EventPayload<EventType>>((value) => typeof value === 'object'),
      createdAt: z.string(),
    }),
  }),
  /** Events (of a type) could not be said to others, or not be heard here. */
  z.object({ kind: z.literal('missed'), from: z.optional(z.string()), type: z.optional(z.string()) }),
  /** Sessions ended, or something of these users that their sessions are known by (migration 0027). The database says it. */
  z.object({ kind: z.literal('ended'), sessionIds: z.array(z.string()), userIds: z.array(z.string()) }),
]);
export type Message = z.infer<typeof message>;

/** A message as NOTIFY takes it; undefined when it is too long. */
export function textOf(said: Message): string | undefined {
  const text = JSON.stringify(said);
  return Buffer.byteLength(text) > MAX_BYTES ? undefined : text;
}

export interface Hearer {
  hear(message: Message): void;
  /** From now on everything is heard, or nothing; what was said while nothing was is lost. */
  onHearing(isHearing: boolean): void;
}

export interface ProcessChannel {
  /** Says something to every process that listens, in order. A wake that waits to be said stands for those after it. */
  publish(message: Message): void;
  /** Listens until closed, through lost connections. */
  listen(hearer: Hearer): Promise<void>;
  close(): Promise<void>;
}

/** `pace`: how often the connection that listens is asked for an answer, and how long it may owe it. */
export function createProcessChannel(
  url: string,
  db: () => Database,
  log: Logger,
  { beatMs, patienceMs } = PACE,
): ProcessChannel {
  let last: Promise<unknown> = Promise.resolve();
  let isWaking = false;
  let listener: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(hearer: Hearer): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'stagedoor-channel',
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    listener = client;
    const again = () => {
      if (isClosed || listener !== client) return;
      listener = undefined;
      clearTimeout(beating);
      hearer.onHearing(false);
      client.end().catch(() => undefined);
      retry = setTimeout(() => void connect(hearer), RETRY_MS);
      retry.unref();
    };
    const beat = () => {
      beating = setTimeout(() => client.query('select 1').then(() => listener === client && beat(), again), beatMs);
      beating.unref();
    };
    client.on('error', again).on('end', again);
    client.on('notification', ({ payload }) => {
      const heard = z.safeParse(message, JSON.parse(payload ?? 'null'));
      if (heard.success) hearer.hear(heard.data);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      hearer.onHearing(true);
      beat();
    } catch (error) {
      log.warn({ err: error }, 'what other processes say cannot be heard');
      again();
    }
  }

  return {
    publish: (said) => {
      if (isClosed || (said.kind === 'wake' && isWaking)) return;
      const text = textOf(said);
      if (text === undefined) {
        log.warn({ kind: said.kind }, 'too long to be said to other processes');
        return;
      }
      if (said.kind === 'wake') isWaking = true;
      last = last
        .then(() => {
          if (said.kind === 'wake') isWaking = false;
          return db().pool.query('select pg_notify($1, $2)', [CHANNEL, text]);
        })
        .catch((error: unknown) => log.warn({ err: error }, 'nothing could be said to other processes'));
    },
    listen: connect,
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      clearTimeout(beating);
      await last;
      await listener?.end().catch(() => undefined);
    },
  };
}
