/**
 * From workers to the processes that have sockets, through the one thing they surely share: PostgreSQL's NOTIFY. What is
 * said here is ephemeral, small and of no weight; what must not be lost is in the outbox.
 */
import pg from 'pg';
import * as z from 'zod/mini';
import type { Database } from './db.ts';
import type { Logger } from './log.ts';

const CHANNEL = 'stagedoor';
/** PostgreSQL takes 8,000 bytes. */
const MAX_BYTES = 7_900;
const RETRY_MS = 1_000;

const message = z.discriminatedUnion('kind', [
  /** Something was committed that reactions wait for. */
  z.object({ kind: z.literal('wake') }),
  /** A socket event for one person, already of the contract's form. */
  z.object({ kind: z.literal('user'), userId: z.string(), name: z.string(), payload: z.unknown() }),
]);
export type Message = z.infer<typeof message>;

export interface Wire {
  /** Says something to every process that listens, in order. A wake that waits to be said stands for those after it. */
  say(message: Message): void;
  /** Listens until closed, through lost connections; what was said meanwhile is lost, and stands for a wake. */
  listen(hear: (message: Message) => void): Promise<void>;
  close(): Promise<void>;
}

export function createWire(url: string, db: () => Database, log: Logger): Wire {
  let last: Promise<unknown> = Promise.resolve();
  let isWaking = false;
  let listener: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(hear: (message: Message) => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, application_name: 'stagedoor-wire' });
    listener = client;
    const again = () => {
      if (isClosed || listener !== client) return;
      listener = undefined;
      client.end().catch(() => undefined);
      retry = setTimeout(() => void connect(hear), RETRY_MS);
      retry.unref();
    };
    client.on('error', again).on('end', again);
    client.on('notification', ({ payload }) => {
      const heard = z.safeParse(message, JSON.parse(payload ?? 'null'));
      if (heard.success) hear(heard.data);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      hear({ kind: 'wake' });
    } catch (error) {
      log.warn({ err: error }, 'what workers say cannot be heard');
      again();
    }
  }

  return {
    say: (said) => {
      if (isClosed || (said.kind === 'wake' && isWaking)) return;
      const text = JSON.stringify(said);
      if (Buffer.byteLength(text) > MAX_BYTES) {
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
      await last;
      await listener?.end().catch(() => undefined);
    },
  };
}
