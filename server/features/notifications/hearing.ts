import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { EventPayload, EventType } from '../../kernel/events.ts';
import { restingStep } from '../../kernel/rest.ts';
import { sendKind } from './push/jobs.ts';
import { rankOf } from './push/ways.ts';
import * as store from './store.ts';

export type Hearing = (ctx: Context, kind: string) => void;

const CHUNK = 1_000;
const ONLINE_PAUSE_MS = 6 * 60 * 60_000;
/** An event emitted later than this after it happened is history, for example imported data. */
const NEWS_MS = 24 * 60 * 60_000;

type Of<T extends EventType, R> = (payload: EventPayload<T>) => R;

/** Whether an event was emitted soon after it happened. The time of emission is in its id. */
export function isNews(eventId: string, at: string): boolean {
  return Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16) - Date.parse(at) < NEWS_MS;
}

type Look<T extends EventType> = (
  ctx: Context,
  payload: EventPayload<T>,
  eventId: string,
) => Promise<boolean> | boolean;

async function passOn(ctx: Context, tx: Transaction, kind: string, { told, isPushed }: store.NewTo): Promise<void> {
  if (told.length > 0) await tx.emit('notification.told', { userIds: told });
  if (isPushed) await sendKind(ctx, tx, kind);
}

export function on<T extends EventType>(
  type: T,
  notices: Of<T, readonly store.Notice[]>,
  isMeant: Look<T> = () => true,
): Hearing {
  const isWanted = (payload: EventPayload<T>) => notices(payload).length > 0;
  return (ctx, kind) =>
    ctx.events.doTogether(type, `notifications.${kind}`, { lane: 'quick', when: isWanted }, async (events) => {
      const told: store.Told[] = [];
      for (const { eventId, payload } of events)
        if (await isMeant(ctx, payload, eventId))
          told.push(...notices(payload).map((notice) => ({ ...notice, id: eventId })));
      if (told.length === 0) return;
      await ctx.db.transaction(async (tx) => {
        const newTo = await store.tell(tx, { kind, rank: rankOf(kind), told, now: ctx.clock.now() });
        await passOn(ctx, tx, kind, newTo);
      });
    });
}

export async function tellNextFollowers(
  ctx: Context,
  told: store.ToFollowers,
  after: string | null,
  size = CHUNK,
): Promise<string | null> {
  return ctx.db.transaction(async (tx) => {
    const how = { after, size, rank: rankOf(told.kind), now: ctx.clock.now() };
    const { next, ...newTo } = await store.tellFollowers(tx, told, how);
    await passOn(ctx, tx, told.kind, newTo);
    return next;
  });
}

/** Works in batches on a queue of its own and stops once `isStill` returns false. */
export function toFollowers<T extends EventType>(
  type: T,
  of: Of<T, { creatorId: string; subjectId: string | null }>,
  isDue: Look<T>,
  isStill: Look<T> = () => true,
): Hearing {
  return (ctx, kind) =>
    ctx.events.do(
      type,
      `notifications.${kind}`,
      { lane: 'followers', subject: (payload) => `notifications:${of(payload).creatorId}` },
      async ({ eventId, payload }, { from, signal }) => {
        const { creatorId, subjectId } = of(payload);
        if (from === null && !(await isDue(ctx, payload, eventId))) return null;
        if (!(await isStill(ctx, payload, eventId))) return null;
        return restingStep(signal, () => tellNextFollowers(ctx, { id: eventId, kind, creatorId, subjectId }, from));
      },
    );
}

/** At most once in six hours per creator. */
export function isOnlineDue(ctx: Context, { creatorId }: { creatorId: string }, eventId: string): Promise<boolean> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - ONLINE_PAUSE_MS);
  return store.beginOnline(ctx.db, { creatorId, eventId, now, since });
}
