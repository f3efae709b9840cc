/** Who is there: online while a socket of theirs is open on this process. Busy and away come with calls and chat. */
import type { PRESENCES } from '@stagedoor/contract/profiles.ts';
import type { Context } from '../../kernel/context.ts';

export type Presence = (typeof PRESENCES)[number];

const openOf = new WeakMap<Context, Map<string, number>>();

/** Begins to watch connections. */
export function watchPresence(ctx: Context): void {
  const open = new Map<string, number>();
  openOf.set(ctx, open);
  ctx.realtime.onConnect(({ actor, socket }) => {
    if (!actor || actor.isBlocked) return;
    const { userId } = actor;
    open.set(userId, (open.get(userId) ?? 0) + 1);
    socket.once('disconnect', () => {
      const left = (open.get(userId) ?? 1) - 1;
      if (left > 0) open.set(userId, left);
      else open.delete(userId);
    });
  });
}

/** Whether somebody is there. */
export function presenceOf(ctx: Context, userId: string): Presence {
  return openOf.get(ctx)?.has(userId) ? 'online' : 'offline';
}

/** Everybody who is there. */
export function onlineIds(ctx: Context): string[] {
  return [...(openOf.get(ctx)?.keys() ?? [])];
}
