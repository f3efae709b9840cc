/** Nothing is loaded for users who cannot have a socket open. */
import type { Context } from '../../kernel/context.ts';

/** A user who disconnected within this time may reconnect. */
const RETURN_MS = 5 * 60_000;

/** With several processes it always returns true, because their sockets are unknown. */
export function createWatching(ctx: Context): (userId: string) => boolean {
  const sockets = new Map<string, number>();
  const left = new Map<string, number>();
  ctx.realtime.onConnect(({ actor, actsFor, socket }) => {
    const userId = actsFor ?? actor?.userId;
    if (userId === undefined) return;
    sockets.set(userId, (sockets.get(userId) ?? 0) + 1);
    socket.on('disconnect', () => {
      const open = (sockets.get(userId) ?? 1) - 1;
      if (open > 0) sockets.set(userId, open);
      else sockets.delete(userId);
      if (left.size > 10_000)
        for (const [id, at] of left) if (at + RETURN_MS < ctx.clock.now().getTime()) left.delete(id);
      left.set(userId, ctx.clock.now().getTime());
    });
  });
  return (userId) => {
    if (ctx.config.redisUrl || ctx.config.role !== 'both') return true;
    return (
      sockets.has(userId) || (left.get(userId) ?? Number.NEGATIVE_INFINITY) + RETURN_MS > ctx.clock.now().getTime()
    );
  };
}
