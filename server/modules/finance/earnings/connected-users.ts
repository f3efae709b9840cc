/** Nothing is loaded for users who cannot have a socket open. */
import type { Context } from '../../../platform/context.ts';

/** A user who disconnected within this time may reconnect. */
const RECONNECT_MS = 5 * 60_000;

/** With several processes it always returns true, because their sockets are unknown. */
export function createConnectionCheck(ctx: Context): (userId: string) => boolean {
  const sockets = new Map<string, number>();
  const disconnectedAt = new Map<string, number>();
  ctx.realtime.onConnect(({ actor, onBehalfOfId, socket }) => {
    const userId = onBehalfOfId ?? actor?.userId;
    if (userId === undefined) return;
    sockets.set(userId, (sockets.get(userId) ?? 0) + 1);
    socket.on('disconnect', () => {
      const open = (sockets.get(userId) ?? 1) - 1;
      if (open > 0) sockets.set(userId, open);
      else sockets.delete(userId);
      if (disconnectedAt.size > 10_000)
        for (const [id, at] of disconnectedAt)
          if (at + RECONNECT_MS < ctx.clock.now().getTime()) disconnectedAt.delete(id);
      disconnectedAt.set(userId, ctx.clock.now().getTime());
    });
  });
  return (userId) => {
    if (ctx.config.redisUrl || ctx.config.role !== 'both') return true;
    return (
      sockets.has(userId) ||
      (disconnectedAt.get(userId) ?? Number.NEGATIVE_INFINITY) + RECONNECT_MS > ctx.clock.now().getTime()
    );
  };
}
