import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../../kernel/context.ts';
import { restingStep } from '../../../kernel/rest.ts';
import { localIds } from '../../presence/index.ts';
import { tellMessage, tellRemoved } from '../live/tell.ts';
import { findMessages } from '../rows.ts';
import './events.ts';
import { tellProgress } from './service.ts';
import * as store from './store.ts';
import { registerWithholding } from './withhold.ts';

const CHUNK = 200;
const TAKE_BACK_AT_ONCE = 1_000;
const PROGRESS_MS = 2_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const MISSED_MS = 10 * 60_000;

async function deliverOnline(ctx: Context, creatorId: string): Promise<number> {
  let count = 0;
  const fans = localIds(ctx, 'customer').sort();
  for (let from = 0; from < fans.length; from += CHUNK) {
    const chunk = fans.slice(from, from + CHUNK);
    const ids = await store.deliver(ctx.db, creatorId, chunk, CHAT_LIMITS.broadcastsKept, ctx.clock.now());
    if (ids.length === 0) continue;
    for (const row of await findMessages(ctx.db, ids)) tellMessage(ctx, row, 'fan');
    count += ids.length;
  }
  return count;
}

async function takeBack(ctx: Context, id: string, creatorId: string, from: string | null): Promise<string | null> {
  return ctx.db.transaction(async (tx) => {
    const { last, gone } = await store.takeBack(tx, id, from ?? FIRST_ID, ctx.clock.now(), TAKE_BACK_AT_ONCE);
    for (let start = 0; start < gone.length; start += CHUNK)
      await tx.emit('broadcast.takenBack', { broadcastId: id, creatorId, gone: gone.slice(start, start + CHUNK) });
    return last;
  });
}

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

const subjectOf = ({ broadcastId }: { broadcastId: string }) => `broadcast:${broadcastId}`;
const toMany = { lane: 'bulk', subject: subjectOf } as const;

export function registerReactions(ctx: Context): void {
  const tellSoon = progress(ctx);
  ctx.events.everywhere(
    'broadcast.sent',
    'broadcasts.online',
    async ({ payload }) => {
      if ((await deliverOnline(ctx, payload.creatorId)) > 0) tellSoon(payload.broadcastId);
    },
    async () => {
      for (const creatorId of await store.broadcastSince(ctx.db, new Date(ctx.clock.now().getTime() - MISSED_MS)))
        await deliverOnline(ctx, creatorId);
    },
  );
  ctx.events.do('broadcast.sent', 'broadcasts.count', toMany, async ({ payload }) => {
    await store.countRecipients(ctx.db, payload.broadcastId);
    await tellProgress(ctx, payload.broadcastId);
  });
  ctx.events.do('broadcast.unsent', 'broadcasts.takeBack', toMany, async ({ payload }, { from, signal }) => {
    const { broadcastId, creatorId } = payload;
    const next = await restingStep(signal, () => takeBack(ctx, broadcastId, creatorId, from));
    if (next === null) await tellProgress(ctx, broadcastId);
    return next;
  });
  registerWithholding(ctx);
  ctx.events.tell('broadcast.takenBack', 'broadcasts.live', subjectOf, ({ payload }) => {
    for (const one of payload.gone) tellRemoved(ctx, { ...one, creator_id: payload.creatorId });
  });
  ctx.events.tell(
    'chat.purchased',
    'broadcasts.progress',
    ({ messageId }) => `purchase:${messageId}`,
    ({ payload }) => {
      if (payload.broadcastId) tellSoon(payload.broadcastId);
    },
  );
}
