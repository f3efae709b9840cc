/**
 * Messages between processes by PostgreSQL's NOTIFY. They are small and may be lost, so essential events are in the
 * outbox.
 */
import pg from 'pg';
import * as z from 'zod/mini';
import type { Database } from './db.ts';
import type { EventPayload, EventType } from './events.ts';
import type { Logger } from './log.ts';

export const CHANNEL = 'stagedoor';
/** NOTIFY accepts 8,000 bytes. */
const MAX_BYTES = 7_900;
const RETRY_MS = 1_000;
/** Heartbeats, because a listener cannot notice that the network silently dropped its connection. */
const PACE = { beatMs: 3_000, patienceMs: 10_000 };

const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wake') }),
  /**
   * A serialized socket event for one user. `of`: the creator it is about, who may be hidden at the location of a
   * socket.
   */
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    name: z.string(),
    payload: z.unknown(),
    of: z.optional(z.string()),
  }),
  /** An event for the in-memory caches of every process. `from` has already handled it. */
  z.object({
    kind: z.literal('event'),
    from: z.string(),
    event: z.object({
      eventId: z.string(),
      type: z.custom<EventType>((value) => typeof value === 'string'),
      payload: z.custom<EventPayload<EventType>>((value) => typeof value === 'object'),
      createdAt: z.string(),
    }),
  }),
  z.object({ kind: z.literal('missed'), from: z.optional(z.string()), type: z.optional(z.string()) }),
  /**
   * Sessions ended, or data of these users that their sessions contain changed. Sent by the database (migration 0027).
   */
  z.object({ kind: z.literal('ended'), sessionIds: z.array(z.string()), userIds: z.array(z.string()) }),
]);
export type Message = z.infer<typeof message>;

export function textOf(said: Message): string | undefined {
  const text = JSON.stringify(said);
  return Buffer.byteLength(text) > MAX_BYTES ? undefined : text;
}

export interface Hearer {
  hear(message: Message): void;
  /** Messages sent while disconnected are lost. */
  onHearing(isHearing: boolean): void;
}

export interface ProcessChannel {
  /** Sends to every listening process, in order. A waiting wake replaces later ones. */
  publish(message: Message): void;
  listen(hearer: Hearer): Promise<void>;
  close(): Promise<void>;
}

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
