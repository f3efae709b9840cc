/**
 * Closes clients that do not read, because unsent messages would fill the memory. After a reconnect they receive what
 * they missed.
 */
import type { Socket, Server as SocketServer } from 'socket.io';
import { webOf } from './fan-out.ts';
import type { Logger } from './log.ts';

export type Limits = {
  maxBytes: number;
  maxMs: number;
  everyMs: number;
};
const LIMITS: Limits = { maxBytes: 1024 * 1024, maxMs: 30_000, everyMs: 1_000 };

export interface Readers {
  /** Resolves when a client received what was queued for it, or disconnected. */
  drained(engine: Engine): Promise<void>;
  stop(): void;
}

export type Engine = Socket['client']['conn'];
type Reader = {
  queued: number;
  waitsSince: number | undefined;
  isCut: boolean;
};

/** A poll response is no larger than the limit of the queue, so the system buffers it. */
function unsentTo(engine: Engine, { queued }: Reader): number {
  return queued + (webOf(engine.transport)?.bufferedAmount ?? 0);
}

/** Closes at once, because a client that floods or does not read may not answer a close handshake. */
export function hangUp(engine: Engine): void {
  webOf(engine.transport)?.terminate();
  engine.close(true);
}

async function change(engine: Engine): Promise<void> {
  const { transport } = engine;
  const { promise, resolve } = Promise.withResolvers<void>();
  transport.once('ready', resolve);
  for (const event of ['upgrade', 'close'] as const) engine.once(event, resolve);
  await promise;
  transport.off('ready', resolve);
  for (const event of ['upgrade', 'close'] as const) engine.off(event, resolve);
}

export function watchReaders(io: SocketServer, log: Logger, { maxBytes, maxMs, everyMs }: Limits = LIMITS): Readers {
  const readers = new Map<Engine, Reader>();

  function cut(engine: Engine, reader: Reader, unsent: number): void {
    if (reader.isCut) return;
    reader.isCut = true;
    log.warn({ unsent }, 'a client that does not read is cut');
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
