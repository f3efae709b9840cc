/** The Redis that processes share (REDIS_URL), for what must hold over all of them. Sockets have a connection of their own (realtime.ts). */
import type { Context } from './context.ts';

/** The part of a client that is used. */
interface Client {
  eval(script: string, given: { keys: string[]; arguments: string[] }): Promise<unknown>;
}
/** Longer than any answer on a healthy network: whoever asks goes on without. */
const PATIENCE_MS = 1_000;

const clients = new WeakMap<Context, Promise<Client>>();

async function open({ log, realtime }: Context, url: string): Promise<Client> {
  const redis = await import('@redis/client');
  // While it is away commands fail at once; it goes on trying to come back.
  const client = redis.createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: PATIENCE_MS },
    socket: { connectTimeout: PATIENCE_MS },
  });
  client.on('error', (error: Error) => log.error({ err: error }, 'redis'));
  let isClosing = false;
  realtime.onClose(() => {
    isClosing = true;
    if (client.isOpen) client.destroy();
  });
  client.connect().catch((error: unknown) => {
    if (!isClosing) log.error({ err: error }, 'redis');
  });
  return client;
}

/**
 * Runs a Lua script over one key. Answers nothing when there is no Redis, or it does not answer in time: what is counted in the
 * process holds then.
 */
export async function askRedis(ctx: Context, script: string, key: string, values: readonly string[]): Promise<unknown> {
  const { redisUrl } = ctx.config;
  if (!redisUrl) return undefined;
  const opening = clients.get(ctx) ?? open(ctx, redisUrl);
  clients.set(ctx, opening);
  try {
    return await (await opening).eval(script, { keys: [key], arguments: [...values] });
  } catch {
    // The client says once what is wrong; every command that fails for it would say it again.
    return undefined;
  }
}
