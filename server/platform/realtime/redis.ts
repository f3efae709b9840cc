/**
 * The Redis that processes share (REDIS_URL). It is bypassed once a response takes too long, until it responds again
 * (docs/adr/0006).
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';

export interface Redis {
  /** Runs a Lua script on one key. Resolves to undefined within 0.2 s while Redis is unreachable. */
  runScript(script: string, key: string, values: readonly string[]): Promise<unknown>;
  /** Sends plain JSON to every other process, in order. Lost while Redis is unreachable. */
  publish(name: string, payload: unknown): void;
  on(name: string, listener: (payload: unknown) => void): void;
  /**
   * Called when messages since an instant may have been lost, to this process (`isOwnLoss`) or another one, before later
   * messages arrive.
   */
  onGap(listener: (since: Date, isOwnLoss: boolean) => void): void;
  isAvailable(): boolean;
  countBypassed(): number;
  /** Connects, and reconnects until closed. Resolves when connected, or after two seconds. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const SCRIPT_TIMEOUT_MS = 200;
const PING_MS = 500;
const LOST_MS = 2_000;
const OPEN_MS = 2_000;
const RETRY_MS = 500;
/** Limit of unacknowledged bytes. Further messages are lost. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;
const CHANNEL = 'stagedoor';

type Client = ReturnType<typeof import('@redis/client')['createClient']>;
type RedisLink = {
  readonly commands: Client;
  readonly subscriber: Client;
  pingedAt: number | undefined;
  healthyAt: number;
  pendingBytes: number;
};

const redisMessage = z.object({
  name: z.optional(z.string()),
  payload: z.unknown(),
  gap: z.optional(z.object({ since: z.number(), isLost: z.boolean() })),
});

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function destroyLink({ commands, subscriber }: Pick<RedisLink, 'commands' | 'subscriber'>): void {
  for (const client of [commands, subscriber]) if (client.isOpen) client.destroy();
}

async function connect(
  url: string,
  now: number,
  receive: (link: RedisLink, text: string) => void,
  fail: (link: RedisLink) => void,
) {
  const { createClient } = await import('@redis/client');
  const createRedisClient = (): Client =>
    createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: OPEN_MS, reconnectStrategy: false },
    });
  const link: RedisLink = {
    commands: createRedisClient(),
    subscriber: createRedisClient(),
    pingedAt: undefined,
    healthyAt: now,
    pendingBytes: 0,
  };
  for (const client of [link.commands, link.subscriber])
    for (const event of ['error', 'end'] as const) client.on(event, () => fail(link));
  const opening = Promise.all([link.commands.connect(), link.subscriber.connect()]);
  try {
    await within(
      OPEN_MS,
      opening.then(() => link.subscriber.subscribe(CHANNEL, (text) => receive(link, text))),
    );
    return link;
  } catch (error) {
    destroyLink(link);
    throw error;
  }
}

export function createRedis(url: string, log: Logger, clock: Clock): Redis {
  const processId = randomUUID();
  const listeners = new Map<string, ((payload: unknown) => void)[]>();
  const gapListeners: ((since: Date, isOwnLoss: boolean) => void)[] = [];
  const waiting = new Set<() => void>();
  let link: RedisLink | undefined;
  let isAvailable = false;
  let bypassedCount = 0;
  let disconnectedSince: number | undefined;
  let lostSince: number | undefined;
  let opening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let pingTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const now = () => clock.now().getTime();

  function publish(to: RedisLink, message: z.infer<typeof redisMessage>): void {
    const text = processId + JSON.stringify(message);
    if (to.pendingBytes + text.length > MAX_PENDING_BYTES) {
      recordLoss(to.healthyAt);
      return;
    }
    to.pendingBytes += text.length;
    to.commands.publish(CHANNEL, text).then(
      () => {
        to.pendingBytes -= text.length;
      },
      () => recordLoss(to.healthyAt),
    );
  }

  function recordLoss(since: number): void {
    bypassedCount += 1;
    lostSince ??= since;
  }

  function markUnavailable(error?: unknown): void {
    if (isAvailable && !isClosed) log.warn({ err: error }, 'Redis does not respond and is bypassed');
    isAvailable = false;
    for (const bypass of waiting) bypass();
  }

  function dropLink(broken: RedisLink): void {
    if (link !== broken) return;
    link = undefined;
    disconnectedSince ??= broken.healthyAt;
    if (broken.pendingBytes > 0) recordLoss(broken.healthyAt);
    markUnavailable();
    destroyLink(broken);
    if (!isClosed) retry = setTimeout(() => void tryToOpen(), RETRY_MS).unref();
  }

  function notifyGap(since: number, isOwnLoss: boolean): void {
    for (const listener of gapListeners) listener(new Date(since), isOwnLoss);
  }

  /** Announces lost messages to all processes first, so that no later message is mistaken for the next one. */
  function markAvailable(by: RedisLink): void {
    if (!isAvailable) log.info('Redis responds');
    isAvailable = true;
    if (disconnectedSince === undefined && lostSince === undefined) return;
    const since = Math.min(disconnectedSince ?? now(), lostSince ?? now());
    const [wasDisconnected, isLost] = [disconnectedSince !== undefined, lostSince !== undefined];
    disconnectedSince = undefined;
    lostSince = undefined;
    publish(by, { payload: null, gap: { since, isLost } });
    notifyGap(since, wasDisconnected);
  }

  function receive(by: RedisLink, text: string): void {
    if (by !== link || text.startsWith(processId)) return;
    const { name, payload, gap } = z.parse(redisMessage, JSON.parse(text.slice(processId.length)));
    if (gap) notifyGap(gap.since, gap.isLost);
    for (const listener of (name && listeners.get(name)) || []) listener(payload);
  }

  async function tryToOpen(): Promise<void> {
    try {
      const newLink = await connect(
        url,
        now(),
        (by, text) => {
          try {
            receive(by, text);
          } catch (error) {
            log.error({ err: error }, 'a message of another process could not be handled');
          }
        },
        dropLink,
      );
      if (isClosed) return destroyLink(newLink);
      link = newLink;
      markAvailable(newLink);
    } catch (error) {
      if (isClosed) return;
      if (disconnectedSince === undefined) log.warn({ err: error }, 'Redis cannot be reached and is bypassed');
      disconnectedSince ??= now();
      retry = setTimeout(() => void tryToOpen(), RETRY_MS).unref();
    }
  }

  function sendPing(): void {
    const currentLink = link;
    if (!currentLink) return;
    const at = performance.now();
    if (currentLink.pingedAt !== undefined) {
      if (at - currentLink.pingedAt >= LOST_MS) dropLink(currentLink);
      else markUnavailable();
      return;
    }
    currentLink.pingedAt = at;
    const sentAt = now();
    Promise.all([currentLink.commands.ping(), currentLink.subscriber.ping()]).then(
      () => {
        currentLink.pingedAt = undefined;
        currentLink.healthyAt = sentAt;
        if (currentLink === link) markAvailable(currentLink);
      },
      () => dropLink(currentLink),
    );
  }

  function open(): Promise<void> {
    // setImmediate lets a response be read first that waited because this process was busy.
    pingTimer ??= setInterval(() => setImmediate(sendPing), PING_MS).unref();
    opening ??= tryToOpen();
    return opening;
  }

  return {
    runScript: (script, key, values) => {
      void open();
      const currentLink = link;
      if (!currentLink || !isAvailable) {
        bypassedCount += 1;
        return Promise.resolve(undefined);
      }
      return new Promise((resolve) => {
        const finish = (result?: unknown) => {
          clearTimeout(timer);
          waiting.delete(bypass);
          resolve(result);
        };
        const bypass = () => {
          bypassedCount += 1;
          finish();
        };
        const late = () => setImmediate(() => waiting.has(bypass) && markUnavailable());
        const timer = setTimeout(late, SCRIPT_TIMEOUT_MS);
        waiting.add(bypass);
        currentLink.commands.eval(script, { keys: [key], arguments: [...values] }).then(
          (result) => waiting.has(bypass) && finish(result),
          (error: unknown) => waiting.has(bypass) && markUnavailable(error),
        );
      });
    },
    publish: (name, payload) => {
      if (link) publish(link, { name, payload });
      else recordLoss(now());
    },
    on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    isAvailable: () => isAvailable,
    countBypassed: () => bypassedCount,
    open,
    close: async () => {
      isClosed = true;
      clearInterval(pingTimer);
      clearTimeout(retry);
      const last = link;
      link = undefined;
      if (!last) return;
      await within(SCRIPT_TIMEOUT_MS, last.commands.ping()).catch(() => undefined);
      destroyLink(last);
    },
  };
}
