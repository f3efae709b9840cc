/**
 * The Redis that processes share (REDIS_URL). It is bypassed once a response takes too long, until it responds again
 * (docs/adr/0006).
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';

export interface Redis {
  /** Runs a Lua script on one key. Resolves to undefined within 0.2 s while Redis is unreachable. */
  ask(script: string, key: string, values: readonly string[]): Promise<unknown>;
  /** Sends plain JSON to every other process, in order. Lost while Redis is unreachable. */
  publish(name: string, payload: unknown): void;
  on(name: string, listener: (payload: unknown) => void): void;
  /**
   * Called when messages since an instant may have been lost, to this process (`isOurs`) or another one, before later
   * messages arrive.
   */
  onGap(listener: (since: Date, isOurs: boolean) => void): void;
  isAnswering(): boolean;
  passes(): number;
  /** Connects, and reconnects until closed. Resolves when connected, or after two seconds. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const ASK_MS = 200;
const BEAT_MS = 500;
const LOST_MS = 2_000;
const OPEN_MS = 2_000;
const RETRY_MS = 500;
/** Limit of unacknowledged bytes. Further messages are lost. */
const MAX_UNANSWERED_BYTES = 4 * 1024 * 1024;
const CHANNEL = 'stagedoor';

type Client = ReturnType<typeof import('@redis/client')['createClient']>;
type Link = {
  readonly commands: Client;
  readonly hearing: Client;
  askedAt: number | undefined;
  soundAt: number;
  unansweredBytes: number;
};

const told = z.object({
  name: z.optional(z.string()),
  payload: z.unknown(),
  gap: z.optional(z.object({ since: z.number(), isLost: z.boolean() })),
});

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function hangUp({ commands, hearing }: Pick<Link, 'commands' | 'hearing'>): void {
  for (const client of [commands, hearing]) if (client.isOpen) client.destroy();
}

async function connect(url: string, now: number, hear: (link: Link, text: string) => void, fail: (link: Link) => void) {
  const { createClient } = await import('@redis/client');
  const make = (): Client =>
    createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: OPEN_MS, reconnectStrategy: false },
    });
  const link: Link = { commands: make(), hearing: make(), askedAt: undefined, soundAt: now, unansweredBytes: 0 };
  for (const client of [link.commands, link.hearing])
    for (const event of ['error', 'end'] as const) client.on(event, () => fail(link));
  const opening = Promise.all([link.commands.connect(), link.hearing.connect()]);
  try {
    await within(
      OPEN_MS,
      opening.then(() => link.hearing.subscribe(CHANNEL, (text) => hear(link, text))),
    );
    return link;
  } catch (error) {
    hangUp(link);
    throw error;
  }
}

export function createRedis(url: string, log: Logger, clock: Clock): Redis {
  const node = randomUUID();
  const listeners = new Map<string, ((payload: unknown) => void)[]>();
  const gapListeners: ((since: Date, isOurs: boolean) => void)[] = [];
  const waiting = new Set<() => void>();
  let link: Link | undefined;
  let isAnswering = false;
  let passed = 0;
  let deafSince: number | undefined;
  let lostSince: number | undefined;
  let opening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let isClosed = false;
  const now = () => clock.now().getTime();

  function publish(to: Link, said: z.infer<typeof told>): void {
    const text = node + JSON.stringify(said);
    if (to.unansweredBytes + text.length > MAX_UNANSWERED_BYTES) {
      lose(to.soundAt);
      return;
    }
    to.unansweredBytes += text.length;
    to.commands.publish(CHANNEL, text).then(
      () => {
        to.unansweredBytes -= text.length;
      },
      () => lose(to.soundAt),
    );
  }

  function lose(since: number): void {
    passed += 1;
    lostSince ??= since;
  }

  function miss(error?: unknown): void {
    if (isAnswering && !isClosed) log.warn({ err: error }, 'Redis does not answer, and is passed by');
    isAnswering = false;
    for (const pass of waiting) pass();
  }

  function giveUp(broken: Link): void {
    if (link !== broken) return;
    link = undefined;
    deafSince ??= broken.soundAt;
    if (broken.unansweredBytes > 0) lose(broken.soundAt);
    miss();
    hangUp(broken);
    if (!isClosed) retry = setTimeout(() => void tryToOpen(), RETRY_MS).unref();
  }

  function tellGap(since: number, isOurs: boolean): void {
    for (const listener of gapListeners) listener(new Date(since), isOurs);
  }

  /** Announces lost messages to all processes first, so that no later message is mistaken for the next one. */
  function answered(by: Link): void {
    if (!isAnswering) log.info('Redis answers');
    isAnswering = true;
    if (deafSince === undefined && lostSince === undefined) return;
    const since = Math.min(deafSince ?? now(), lostSince ?? now());
    const [isDeaf, isLost] = [deafSince !== undefined, lostSince !== undefined];
    deafSince = undefined;
    lostSince = undefined;
    publish(by, { payload: null, gap: { since, isLost } });
    tellGap(since, isDeaf);
  }

  function hear(by: Link, text: string): void {
    if (by !== link || text.startsWith(node)) return;
    const { name, payload, gap } = z.parse(told, JSON.parse(text.slice(node.length)));
    if (gap) tellGap(gap.since, gap.isLost);
    for (const listener of (name && listeners.get(name)) || []) listener(payload);
  }

  async function tryToOpen(): Promise<void> {
    try {
      const made = await connect(
        url,
        now(),
        (by, text) => {
          try {
            hear(by, text);
          } catch (error) {
            log.error({ err: error }, 'what another process said could not be heard');
          }
        },
        giveUp,
      );
      if (isClosed) return hangUp(made);
      link = made;
      answered(made);
    } catch (error) {
      if (isClosed) return;
      if (deafSince === undefined) log.warn({ err: error }, 'Redis cannot be reached, and is passed by');
      deafSince ??= now();
      retry = setTimeout(() => void tryToOpen(), RETRY_MS).unref();
    }
  }

  function beat(): void {
    const asked = link;
    if (!asked) return;
    const at = performance.now();
    if (asked.askedAt !== undefined) {
      if (at - asked.askedAt >= LOST_MS) giveUp(asked);
      else miss();
      return;
    }
    asked.askedAt = at;
    const sentAt = now();
    Promise.all([asked.commands.ping(), asked.hearing.ping()]).then(
      () => {
        asked.askedAt = undefined;
        asked.soundAt = sentAt;
        if (asked === link) answered(asked);
      },
      () => giveUp(asked),
    );
  }

  function open(): Promise<void> {
    // setImmediate lets a response be read first that waited because this process was busy.
    beating ??= setInterval(() => setImmediate(beat), BEAT_MS).unref();
    opening ??= tryToOpen();
    return opening;
  }

  return {
    ask: (script, key, values) => {
      void open();
      const asked = link;
      if (!asked || !isAnswering) {
        passed += 1;
        return Promise.resolve(undefined);
      }
      return new Promise((resolve) => {
        const settle = (answer?: unknown) => {
          clearTimeout(timer);
          waiting.delete(pass);
          resolve(answer);
        };
        const pass = () => {
          passed += 1;
          settle();
        };
        const late = () => setImmediate(() => waiting.has(pass) && miss());
        const timer = setTimeout(late, ASK_MS);
        waiting.add(pass);
        asked.commands.eval(script, { keys: [key], arguments: [...values] }).then(
          (answer) => waiting.has(pass) && settle(answer),
          (error: unknown) => waiting.has(pass) && miss(error),
        );
      });
    },
    publish: (name, payload) => {
      if (link) publish(link, { name, payload });
      else lose(now());
    },
    on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    isAnswering: () => isAnswering,
    passes: () => passed,
    open,
    close: async () => {
      isClosed = true;
      clearInterval(beating);
      clearTimeout(retry);
      const last = link;
      link = undefined;
      if (!last) return;
      await within(ASK_MS, last.commands.ping()).catch(() => undefined);
      hangUp(last);
    },
  };
}
