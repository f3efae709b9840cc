/**
 * Messages between processes by PostgreSQL's NOTIFY. They are small and may be lost, so essential events are in the
 * outbox.
 */
import pg from 'pg';
import * as z from 'zod/mini';
import type { Database } from '../database/db.ts';
import type { Logger } from '../log.ts';
import type { EventPayload, EventType } from './event-types.ts';

export const PROCESS_CHANNEL = 'stagedoor';
/** NOTIFY accepts 8,000 bytes. */
const MAX_BYTES = 7_900;
const RETRY_MS = 1_000;
/** Heartbeats, because a listener cannot notice that the network silently dropped its connection. */
const HEARTBEAT = { beatMs: 3_000, timeoutMs: 10_000 };

const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wake') }),
  /**
   * A serialized socket event for one user. `aboutCreatorId`: the creator it is about, who may be hidden at the location of a
   * socket.
   */
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    name: z.string(),
    payload: z.unknown(),
    aboutCreatorId: z.optional(z.string()),
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
   * Sessions ended, or data of these users that their sessions contain changed. Sent by the database (functions sessions_notify_ended and users_notify_ended).
   */
  z.object({ kind: z.literal('ended'), sessionIds: z.array(z.string()), userIds: z.array(z.string()) }),
]);
export type ChannelMessage = z.infer<typeof message>;

export function toChannelText(outgoing: ChannelMessage): string | undefined {
  const text = JSON.stringify(outgoing);
  return Buffer.byteLength(text) > MAX_BYTES ? undefined : text;
}

export interface ChannelListener {
  receive(message: ChannelMessage): void;
  /** Messages sent while disconnected are lost. */
  onListening(isListening: boolean): void;
}

export interface ProcessChannel {
  /** Sends to every listening process, in order. A waiting wake replaces later ones. */
  publish(message: ChannelMessage): void;
  listen(channelListener: ChannelListener): Promise<void>;
  close(): Promise<void>;
}

export function createProcessChannel(
  url: string,
  db: () => Database,
  log: Logger,
  { beatMs, timeoutMs } = HEARTBEAT,
): ProcessChannel {
  let lastPublish: Promise<unknown> = Promise.resolve();
  let isWaking = false;
  let listener: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let heartbeatTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(channelListener: ChannelListener): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'stagedoor-channel',
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    listener = client;
    const reconnect = () => {
      if (isClosed || listener !== client) return;
      listener = undefined;
      clearTimeout(heartbeatTimer);
      channelListener.onListening(false);
      client.end().catch(() => undefined);
      retry = setTimeout(() => void connect(channelListener), RETRY_MS);
      retry.unref();
    };
    const scheduleHeartbeat = () => {
      heartbeatTimer = setTimeout(
        () => client.query('select 1').then(() => listener === client && scheduleHeartbeat(), reconnect),
        beatMs,
      );
      heartbeatTimer.unref();
    };
    client.on('error', reconnect).on('end', reconnect);
    client.on('notification', ({ payload }) => {
      const parsed = z.safeParse(message, JSON.parse(payload ?? 'null'));
      if (parsed.success) channelListener.receive(parsed.data);
    });
    try {
      await client.connect();
      await client.query(`listen ${PROCESS_CHANNEL}`);
      channelListener.onListening(true);
      scheduleHeartbeat();
    } catch (error) {
      log.warn({ err: error }, 'messages of other processes cannot be received');
      reconnect();
    }
  }

  return {
    publish: (outgoing) => {
      if (isClosed || (outgoing.kind === 'wake' && isWaking)) return;
      const text = toChannelText(outgoing);
      if (text === undefined) {
        log.warn({ kind: outgoing.kind }, 'a message is too long for other processes');
        return;
      }
      if (outgoing.kind === 'wake') isWaking = true;
      lastPublish = lastPublish
        .then(() => {
          if (outgoing.kind === 'wake') isWaking = false;
          return db().pool.query('select pg_notify($1, $2)', [PROCESS_CHANNEL, text]);
        })
        .catch((error: unknown) => log.warn({ err: error }, 'a message could not be sent to other processes'));
    },
    listen: connect,
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      clearTimeout(heartbeatTimer);
      await lastPublish;
      await listener?.end().catch(() => undefined);
    },
  };
}
