/** What happens after: who is online gets a broadcast at once, its recipients are counted, what is unsent is taken back. */
import { broadcastId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { findMessages, tellMessage, tellRemoved } from '../chat/index.ts';
import { localIds } from '../presence/index.ts';
import './events.ts';
import { tellProgress } from './service.ts';
import * as store from './store.ts';

const CHUNK = 200;
const TAKE_BACK_AT_ONCE = 1_000;
const PROGRESS_MS = 2_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const NODE_EVENT = 'broadcast';
const told = z.object({ id: broadcastId, creatorId: userId });

/** To the fans with a socket on this process whom it is for: their message is made and told now. */
async function deliverOnline(ctx: Context, creatorId: string): Promise<void> {
  const fans = localIds(ctx, 'customer').sort();
  for (let from = 0; from < fans.length; from += CHUNK) {
    const chunk = fans.slice(from, from + CHUNK);
    const ids = await store.deliver(ctx.db, creatorId, chunk, CHAT_LIMITS.broadcastsKept, ctx.clock.now());
    if (ids.length === 0) continue;
    for (const row of await findMessages(ctx.db, ids)) tellMessage(ctx, row, 'fan');
  }
}

async function takeBackAll(ctx: Context, id: string, creatorId: string): Promise<void> {
  let after: string | null = FIRST_ID;
  while (after !== null) {
    const from: string = after;
    const { last, gone } = await ctx.db.transaction((tx) =>
      store.takeBack(tx, id, from, ctx.clock.now(), TAKE_BACK_AT_ONCE),
    );
    for (const one of gone) tellRemoved(ctx, { ...one, creator_id: creatorId });
    after = last;
  }
}

/** At most one telling of each broadcast's numbers in two seconds. */
function progress(ctx: Context): (id: string) => void {
  const waiting = new Map<string, NodeJS.Timeout>();
  ctx.realtime.onClose(() => {
    for (const timer of waiting.values()) clearTimeout(timer);
  });
  return (id) => {
    if (waiting.has(id)) return;
    const timer = setTimeout(() => {
      waiting.delete(id);
      void tellProgress(ctx, id).catch((error: unknown) => ctx.log.error({ err: error }, 'broadcast numbers'));
    }, PROGRESS_MS);
    timer.unref();
    waiting.set(id, timer);
  };
}

export function registerReactions(ctx: Context): void {
  const tellSoon = progress(ctx);
  ctx.realtime.onNodes(NODE_EVENT, (payload) => {
    const parsed = z.safeParse(told, payload);
    if (parsed.success)
      void deliverOnline(ctx, parsed.data.creatorId).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'broadcast'),
      );
  });
  ctx.events.on('broadcast.sent', 'broadcasts.online', async ({ payload }) => {
    ctx.realtime.toNodes(NODE_EVENT, { id: payload.broadcastId, creatorId: payload.creatorId });
    await deliverOnline(ctx, payload.creatorId);
  });
  ctx.events.on('broadcast.sent', 'broadcasts.count', async ({ payload }) => {
    await store.countRecipients(ctx.db, payload.broadcastId);
    await tellProgress(ctx, payload.broadcastId);
  });
  ctx.events.on('broadcast.unsent', 'broadcasts.takeBack', async ({ payload }) => {
    await takeBackAll(ctx, payload.broadcastId, payload.creatorId);
    await tellProgress(ctx, payload.broadcastId);
  });
  ctx.events.on('chat.purchased', 'broadcasts.progress', ({ payload }) => {
    if (payload.broadcastId) tellSoon(payload.broadcastId);
  });
}
