/**
 * Clients that do not read: what is sent to them waits in this process, however well they answer pings. Their connection is cut
 * before that becomes much; who comes back with the last message they know is sent what they missed.
 */
import type { Socket, Server as SocketServer } from 'socket.io';
import { webOf } from './fan-out.ts';
import type { Logger } from './log.ts';

export type Limits = {
  /** More than this waiting for one client is too much. */
  maxBytes: number;
  /** Something has been waiting all this time. */
  maxMs: number;
  /** How often every connection is looked at. */
  everyMs: number;
};
const LIMITS: Limits = { maxBytes: 1024 * 1024, maxMs: 30_000, everyMs: 1_000 };

export interface Readers {
  /** Resolves when a client has taken what was queued for it, or is gone. */
  drained(engine: Engine): Promise<void>;
  stop(): void;
}

export type Engine = Socket['client']['conn'];
/** What waits for one client, besides what its WebSocket counts itself. */
type Reader = {
  /** Bytes in Engine.IO's queue. */
  queued: number;
  /** When it was first seen that something waits; by performance.now(). */
  waitsSince: number | undefined;
  isCut: boolean;
};

/** An answer to a poll is no larger than what may be queued: the system takes it. */
function unsentTo(engine: Engine, { queued }: Reader): number {
  return queued + (webOf(engine.transport)?.bufferedAmount ?? 0);
}

/** Ends a connection at once: who floods or does not read may not answer the protocol's farewell either. */
export function hangUp(engine: Engine): void {
  webOf(engine.transport)?.terminate();
  engine.close(true);
}

/** Resolves with the next thing that happens to what is queued. */
async function change(engine: Engine): Promise<void> {
  const { transport } = engine;
  const { promise, resolve } = Promise.withResolvers<void>();
  transport.once('ready', resolve);
  for (const event of ['upgrade', 'close'] as const) engine.once(event, resolve);
  await promise;
  transport.off('ready', resolve);
  for (const event of ['upgrade', 'close'] as const) engine.off(event, resolve);
}

/** Watches every connection of `io`, whose engine is there by now. */
export function watchReaders(io: SocketServer, log: Logger, { maxBytes, maxMs, everyMs }: Limits = LIMITS): Readers {
  const readers = new Map<Engine, Reader>();

  function cut(engine: Engine, reader: Reader, unsent: number): void {
    if (reader.isCut) return;
    reader.isCut = true;
    log.warn({ unsent }, 'a client that does not read is cut');
    // Not while somebody is just writing to it.
    setImmediate(() => hangUp(engine));
  }

  io.engine.on('connection', (engine: Engine) => {
    const reader: Reader = { queued: 0, waitsSince: undefined, isCut: false };
    readers.set(engine, reader);
    engine.on('packetCreate', ({ data }: { data?: unknown }) => {
      reader.queued += typeof data === 'string' ? data.length : 0;
      if (reader.queued <= maxBytes / 2) return;
      const unsent = unsentTo(engine, reader);
      if (unsent > maxBytes) cut(engine, reader, unsent);
    });
    // It took what was there before.
    engine.on('flush', () => {
      reader.queued = 0;
      reader.waitsSince = undefined;
    });
    engine.once('close', () => readers.delete(engine));
  });

  const sweeping = setInterval(() => {
    const now = performance.now();
    for (const [engine, reader] of readers) {
      const unsent = unsentTo(engine, reader);
      reader.waitsSince = unsent === 0 ? undefined : (reader.waitsSince ?? now);
      if (unsent > maxBytes || now - (reader.waitsSince ?? now) >= maxMs) cut(engine, reader, unsent);
    }
  }, everyMs);
  sweeping.unref();

  return {
    drained: async (engine) => {
      const isWaiting = () => (readers.get(engine)?.queued ?? 0) > 0 || !engine.transport.writable;
      while (engine.readyState === 'open' && isWaiting()) await change(engine);
    },
    stop: () => clearInterval(sweeping),
  };
}
