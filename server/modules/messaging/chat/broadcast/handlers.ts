import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import { runThrottledStep } from '../../../../platform/jobs/batch-throttle.ts';
import { listLocalUserIds } from '../../../identity/presence/index.ts';
import { emitMessage, emitRemoved } from '../live/emit.ts';
import { findMessages } from '../rows.ts';
import './events.ts';
import { emitProgress } from './service.ts';
import * as store from './store.ts';
import { registerTakedownHandler } from './takedown.ts';

const BATCH_SIZE = 200;
const REMOVAL_BATCH_SIZE = 1_000;
const PROGRESS_MS = 2_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const CATCH_UP_MS = 10 * 60_000;

async function deliverOnline(ctx: Context, creatorId: string): Promise<number> {
  let count = 0;
  const fans = listLocalUserIds(ctx, 'customer').sort();
  for (let from = 0; from < fans.length; from += BATCH_SIZE) {
    const chunk = fans.slice(from, from + BATCH_SIZE);
    const ids = await store.deliverToFans(
      ctx.db,
      creatorId,
      chunk,
      CHAT_LIMITS.broadcastsForReturningFan,
      ctx.clock.now(),
    );
    if (ids.length === 0) continue;
    for (const row of await findMessages(ctx.db, ids)) emitMessage(ctx, row, 'fan');
    count += ids.length;
  }
  return count;
}

async function removeMessages(
  ctx: Context,
  id: string,
  creatorId: string,
  previous: string | null,
): Promise<string | null> {
  return ctx.db.transaction(async (tx) => {
    const { last, removed } = await store.removeMessages(
      tx,
      id,
      previous ?? FIRST_ID,
      ctx.clock.now(),
      REMOVAL_BATCH_SIZE,
    );
    for (let start = 0; start < removed.length; start += BATCH_SIZE)
      await tx.emit('broadcast.messagesRemoved', {
        broadcastId: id,
        creatorId,
        removed: removed.slice(start, start + BATCH_SIZE),
      });
    return last;
  });
}

function createProgressEmitter(ctx: Context): (id: string) => void {
  const timers = new Map<string, NodeJS.Timeout>();
  ctx.realtime.onClose(() => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
  return (id) => {
    if (timers.has(id)) return;
    const timer = setTimeout(() => {
      timers.delete(id);
      void emitProgress(ctx, id).catch((error: unknown) => ctx.log.error({ err: error }, 'broadcast numbers'));
    }, PROGRESS_MS);
    timer.unref();
    timers.set(id, timer);
  };
}

const toSubject = ({ broadcastId }: { broadcastId: string }) => `broadcast:${broadcastId}`;
const bulkOptions = { queue: 'bulk', subject: toSubject } as const;

export function registerBroadcastEventHandlers(ctx: Context): void {
  const emitProgressSoon = createProgressEmitter(ctx);
  ctx.events.addLocalHandler(
    'broadcast.sent',
    'broadcasts.deliverOnline',
    async ({ payload }) => {
      if ((await deliverOnline(ctx, payload.creatorId)) > 0) emitProgressSoon(payload.broadcastId);
    },
    async () => {
      for (const creatorId of await store.listCreatorIdsSince(
        ctx.db,
        new Date(ctx.clock.now().getTime() - CATCH_UP_MS),
      ))
        await deliverOnline(ctx, creatorId);
    },
  );
  ctx.events.addJobHandler('broadcast.sent', 'broadcasts.countRecipients', bulkOptions, async ({ payload }) => {
    await store.countRecipients(ctx.db, payload.broadcastId);
    await emitProgress(ctx, payload.broadcastId);
  });
  ctx.events.addJobHandler(
    'broadcast.unsent',
    'broadcasts.removeMessages',
    bulkOptions,
    async ({ payload }, { previous, signal }) => {
      const { broadcastId, creatorId } = payload;
      const next = await runThrottledStep(signal, () => removeMessages(ctx, broadcastId, creatorId, previous));
      if (next === null) await emitProgress(ctx, broadcastId);
      return next;
    },
  );
  registerTakedownHandler(ctx);
  ctx.events.addBroadcastHandler('broadcast.messagesRemoved', 'broadcasts.emitRemovals', toSubject, ({ payload }) => {
    for (const message of payload.removed) emitRemoved(ctx, { ...message, creator_id: payload.creatorId });
  });
  ctx.events.addBroadcastHandler(
    'chat.purchased',
    'broadcasts.emitProgress',
    ({ messageId }) => `purchase:${messageId}`,
    ({ payload }) => {
      if (payload.broadcastId) emitProgressSoon(payload.broadcastId);
    },
  );
}
