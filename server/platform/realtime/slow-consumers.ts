/**
 * Closes clients that do not read, because unsent messages would fill the memory. After a reconnect they receive what
 * they missed.
 */
import type { Socket, Server as SocketServer } from 'socket.io';
import type { Logger } from '../log.ts';
import { findWebSocket } from './fan-out.ts';

export type BacklogLimits = {
  maxBytes: number;
  maxMs: number;
  everyMs: number;
};
const DEFAULT_LIMITS: BacklogLimits = { maxBytes: 1024 * 1024, maxMs: 30_000, everyMs: 1_000 };

export interface SlowConsumers {
  /** Resolves when a client received what was queued for it, or disconnected. */
  waitUntilDrained(engine: EngineConnection): Promise<void>;
  stop(): void;
}

export type EngineConnection = Socket['client']['conn'];
type ClientBacklog = {
  queued: number;
  waitingSince: number | undefined;
  isClosed: boolean;
};

/** A poll response is no larger than the limit of the queue, so the system buffers it. */
function countUnsent(engine: EngineConnection, { queued }: ClientBacklog): number {
  return queued + (findWebSocket(engine.transport)?.bufferedAmount ?? 0);
}

/** Closes at once, because a client that floods or does not read may not answer a close handshake. */
export function closeEngine(engine: EngineConnection): void {
  findWebSocket(engine.transport)?.terminate();
  engine.close(true);
}

async function waitForChange(engine: EngineConnection): Promise<void> {
  const { transport } = engine;
  const { promise, resolve } = Promise.withResolvers<void>();
  transport.once('ready', resolve);
  for (const event of ['upgrade', 'close'] as const) engine.once(event, resolve);
  await promise;
  transport.off('ready', resolve);
  for (const event of ['upgrade', 'close'] as const) engine.off(event, resolve);
}

export function watchSlowConsumers(
  io: SocketServer,
  log: Logger,
  { maxBytes, maxMs, everyMs }: BacklogLimits = DEFAULT_LIMITS,
): SlowConsumers {
  const backlogs = new Map<EngineConnection, ClientBacklog>();

  function closeSlowClient(engine: EngineConnection, backlog: ClientBacklog, unsent: number): void {
    if (backlog.isClosed) return;
    backlog.isClosed = true;
    log.warn({ unsent }, 'a client that does not read is cut');
    setImmediate(() => closeEngine(engine));
  }

  io.engine.on('connection', (engine: EngineConnection) => {
    const backlog: ClientBacklog = { queued: 0, waitingSince: undefined, isClosed: false };
    backlogs.set(engine, backlog);
    engine.on('packetCreate', ({ data }: { data?: unknown }) => {
      backlog.queued += typeof data === 'string' ? data.length : 0;
      if (backlog.queued <= maxBytes / 2) return;
      const unsent = countUnsent(engine, backlog);
      if (unsent > maxBytes) closeSlowClient(engine, backlog, unsent);
    });
    engine.on('flush', () => {
      backlog.queued = 0;
      backlog.waitingSince = undefined;
    });
    engine.once('close', () => backlogs.delete(engine));
  });

  const checkTimer = setInterval(() => {
    const now = performance.now();
    for (const [engine, backlog] of backlogs) {
      const unsent = countUnsent(engine, backlog);
      backlog.waitingSince = unsent === 0 ? undefined : (backlog.waitingSince ?? now);
      if (unsent > maxBytes || now - (backlog.waitingSince ?? now) >= maxMs) closeSlowClient(engine, backlog, unsent);
    }
  }, everyMs);
  checkTimer.unref();

  return {
    waitUntilDrained: async (engine) => {
      const isWaiting = () => (backlogs.get(engine)?.queued ?? 0) > 0 || !engine.transport.writable;
      while (engine.readyState === 'open' && isWaiting()) await waitForChange(engine);
    },
    stop: () => clearInterval(checkTimer),
  };
}
