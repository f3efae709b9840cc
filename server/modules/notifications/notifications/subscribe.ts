import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { EventPayload, EventType } from '../../../platform/events/event-types.ts';
import { runThrottledStep } from '../../../platform/jobs/batch-throttle.ts';
import { getNotificationChannel } from './channel.ts';
import * as store from './store.ts';

export type EventSubscription = (ctx: Context, kind: string) => void;

const BATCH_SIZE = 1_000;
const ONLINE_PAUSE_MS = 6 * 60 * 60_000;
/** An event emitted later than this after it happened is history, for example imported data. */
const RECENT_MS = 24 * 60 * 60_000;

type PayloadMapper<T extends EventType, R> = (payload: EventPayload<T>) => R;

/** Whether an event was emitted soon after it happened. The time of emission is in its id. */
export function isRecent(eventId: string, at: string): boolean {
  return Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16) - Date.parse(at) < RECENT_MS;
}

type PayloadCheck<T extends EventType> = (
  ctx: Context,
  payload: EventPayload<T>,
  eventId: string,
) => Promise<boolean> | boolean;

async function emitCreated(tx: DbTransaction, userIds: string[]): Promise<void> {
  if (userIds.length > 0) await tx.emit('notification.created', { userIds });
}

/** Inserts notifications and sends them by the channel in one transaction. */
export async function notifyUsers(
  ctx: Context,
  kind: string,
  notifications: readonly store.NewNotification[],
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await emitCreated(tx, await store.insertNotifications(tx, { kind, notifications, now }));
    await getNotificationChannel(ctx).send(tx, kind, notifications);
  });
}

export function onDomainEvent<T extends EventType>(
  type: T,
  toNotifications: PayloadMapper<T, readonly store.NotificationInput[]>,
  shouldNotify: PayloadCheck<T> = () => true,
): EventSubscription {
  const hasNotifications = (payload: EventPayload<T>) => toNotifications(payload).length > 0;
  return (ctx, kind) =>
    ctx.events.addBatchJobHandler(
      type,
      `notifications.${kind}`,
      { queue: 'quick', filter: hasNotifications },
      async (events) => {
        const newNotifications: store.NewNotification[] = [];
        for (const { eventId, payload } of events)
          if (await shouldNotify(ctx, payload, eventId))
            newNotifications.push(...toNotifications(payload).map((input) => ({ ...input, id: eventId })));
        if (newNotifications.length === 0) return;
        await notifyUsers(ctx, kind, newNotifications);
      },
    );
}

export async function notifyNextFollowers(
  ctx: Context,
  notification: store.FollowersNotification,
  after: string | null,
  size = BATCH_SIZE,
): Promise<string | null> {
  return ctx.db.transaction(async (tx) => {
    const { fanIds, notifiedUserIds, next } = await store.insertForFollowers(tx, notification, { after, size });
    await emitCreated(tx, notifiedUserIds);
    await getNotificationChannel(ctx).sendToFollowers(tx, notification, fanIds);
    return next;
  });
}

/** Works in batches on a queue of its own and stops once `isStillValid` returns false. */
export function onDomainEventForFollowers<T extends EventType>(
  type: T,
  toTarget: PayloadMapper<T, { creatorId: string; subjectId: string | null }>,
  isDue: PayloadCheck<T>,
  isStillValid: PayloadCheck<T> = () => true,
): EventSubscription {
  return (ctx, kind) =>
    ctx.events.addJobHandler(
      type,
      `notifications.${kind}`,
      { queue: 'followers', subject: (payload) => `notifications:${toTarget(payload).creatorId}` },
      async ({ eventId, payload }, { previous, signal }) => {
        const { creatorId, subjectId } = toTarget(payload);
        if (previous === null && !(await isDue(ctx, payload, eventId))) return null;
        if (!(await isStillValid(ctx, payload, eventId))) return null;
        return runThrottledStep(signal, () =>
          notifyNextFollowers(ctx, { id: eventId, kind, creatorId, subjectId }, previous),
        );
      },
    );
}

/** At most once in six hours per creator. */
export function isOnlineDue(ctx: Context, { creatorId }: { creatorId: string }, eventId: string): Promise<boolean> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - ONLINE_PAUSE_MS);
  return store.claimOnline(ctx.db, { creatorId, eventId, now, since });
}
