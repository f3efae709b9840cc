import { randomUUID } from 'node:crypto';
import { USER_TYPES, type UserType } from '@stagedoor/contract/identity/accounts.ts';
import {
  creatorUserStatus,
  customerUserStatus,
  initialUserStatus,
  presence,
  requestUserStatus,
  userStatusActivity,
} from '@stagedoor/contract/identity/presence.ts';
import type { EventInput, EventSpec } from '@stagedoor/contract/shared/event.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { PRESENCE_TIMING } from '@stagedoor/contract/shared/limits.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { isBlockedIn } from '../../../platform/geo.ts';
import { defineHook } from '../../../platform/hooks.ts';
import type { SignalSender } from '../../../platform/realtime/socket-limits.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { Board, type Presence, type PresenceEntry } from './board.ts';
import './events.ts';

export type { Presence } from './board.ts';

/** Who may see whose presence. */
export type PresenceVisibility = {
  listInitial(actor: Actor): Promise<{ id: string; type: UserType }[]>;
  filterVisible(actor: Actor, ids: readonly string[]): Promise<{ id: string; type: UserType }[]>;
};

const presenceVisibility = defineHook<PresenceVisibility>('presence.visibility');
export const registerVisibility = presenceVisibility.register;

const REVIEW_MS = 1_000;
const REPORT_MS = 10_000;
/** Maximum number of rooms of a socket. It does not watch users beyond that. */
const MAX_WATCHED = 1_000;
const PROCESS_EVENT = 'presence';
const REVIEW_EVENT = 'presence.review';
const reviewMessage = z.object({ viewerId: userId, id: userId });

const processMessage = z.object({
  processId: z.string(),
  kind: z.enum(['changes', 'all', 'hello', 'bye']),
  entries: z.array(
    z.object({ id: userId, type: z.enum(USER_TYPES), status: presence, isPageVisible: z._default(z.boolean(), false) }),
  ),
});

type PresenceState = {
  board: Board;
  watchers: Map<string, Set<SignalSender>>;
};
const states = new WeakMap<Context, PresenceState>();

function getState(ctx: Context): PresenceState {
  const existing = states.get(ctx) ?? { board: new Board(), watchers: new Map() };
  states.set(ctx, existing);
  return existing;
}

const toRoomName = (id: string) => `presence:${id}`;

export function getPresence(ctx: Context, id: string): Presence {
  return getState(ctx).board.getStatus(id);
}

export function hasVisiblePage(ctx: Context, id: string): boolean {
  return getState(ctx).board.isPageVisible(id);
}

/** Includes busy and away users. */
export function listOnlineIds(ctx: Context): string[] {
  return getState(ctx).board.listPresentIds();
}

/** Every process must call this for every user. The one with the user's sockets reports the change to the others. */
export function setBusy(ctx: Context, id: string, isBusy: boolean): void {
  if (getState(ctx).board.setBusy(id, isBusy)) reviewAndEmit(ctx, id);
}

export function setAllBusy(ctx: Context, ids: readonly string[]): void {
  const busy = new Set(ids);
  for (const id of getState(ctx).board.listBusyIds()) if (!busy.has(id)) setBusy(ctx, id, false);
  for (const id of busy) setBusy(ctx, id, true);
}

/**
 * Emits to the watchers of a user. Changes seen here go to the watchers on every process. A change that each process
 * detects itself is emitted with `isLocal`.
 */
function emitStatus(ctx: Context, { id, type, status }: Omit<PresenceEntry, 'isPageVisible'>, isLocal = false): void {
  const payload = { id: z.parse(userId, id), status };
  if (type === 'creator') ctx.realtime.emitToRoom(toRoomName(id), creatorUserStatus, payload, { isLocal });
  else ctx.realtime.emitToRoom(toRoomName(id), customerUserStatus, payload, { isLocal });
}

export function emitToWatchers<E extends EventSpec>(ctx: Context, id: string, event: E, payload: EventInput<E>): void {
  ctx.realtime.emitToRoom(toRoomName(id), event, payload);
}

function reviewAndEmit(ctx: Context, onlyId?: string): void {
  const changed = getState(ctx).board.recalculate(ctx.clock.now().getTime(), onlyId);
  if (changed.length === 0) return;
  const entries = changed.map(({ id, type, status, isPageVisible }) => ({ id, type, status, isPageVisible }));
  ctx.realtime.emitToProcesses(PROCESS_EVENT, { processId: getProcessId(ctx), kind: 'changes', entries });
  for (const { id, type, before, after } of changed) {
    if (before === after) continue;
    emitStatus(ctx, { id, type, status: after });
    if (type === 'creator' && before === 'offline') {
      void ctx.db
        .transaction((tx) => tx.emit('creator.online', { creatorId: id }))
        .catch((error: unknown) => ctx.log.error({ err: error }, 'presence'));
    }
  }
}

const processIds = new WeakMap<Context, string>();
function getProcessId(ctx: Context): string {
  const existing = processIds.get(ctx) ?? randomUUID();
  processIds.set(ctx, existing);
  return existing;
}

export function reviewPresence(ctx: Context): void {
  reviewAndEmit(ctx);
  for (const entry of getState(ctx).board.removeSilentProcesses(ctx.clock.now().getTime()))
    emitStatus(ctx, entry, true);
}

async function emitInitialStatuses(
  ctx: Context,
  { actor, socket }: SignalSender,
  candidates: readonly { id: string; type: UserType }[],
): Promise<void> {
  const geoContext = ctx.geo.findSocketContext(socket.request, actor);
  const users = geoContext ? candidates.filter(({ id }) => !isBlockedIn(geoContext, id)) : candidates;
  const capacity = Math.max(0, MAX_WATCHED - socket.rooms.size);
  const watched = users.slice(0, capacity);
  const rooms = watched.map(({ id }) => toRoomName(id));
  await socket.join(rooms);
  const batch = users.map(({ id, type }) => ({
    id: z.parse(userId, id),
    userType: type,
    status: getPresence(ctx, id),
  }));
  socket.emit(initialUserStatus.name, batch);
  ctx.realtime.emitIfMissed(socket, rooms);
}

async function leaveGeoBlocked(ctx: Context, { actor, socket }: SignalSender): Promise<void> {
  const geoContext = ctx.geo.findSocketContext(socket.request, actor);
  for (const id of geoContext?.blockedIds ?? []) {
    if (!geoContext || !isBlockedIn(geoContext, id) || !socket.rooms.has(toRoomName(id))) continue;
    await socket.leave(toRoomName(id));
    socket.emit(creatorUserStatus.name, { id, status: 'offline' });
  }
}

async function recheckLocally(ctx: Context, viewerId: string, id: string): Promise<void> {
  const visibility = presenceVisibility.find(ctx);
  for (const { actor, socket } of getState(ctx).watchers.get(viewerId) ?? []) {
    const isWatching = socket.rooms.has(toRoomName(id));
    await socket.leave(toRoomName(id));
    const users = (await visibility?.filterVisible(actor, [id])) ?? [];
    const offlineEvent = actor.type === 'creator' ? customerUserStatus : creatorUserStatus;
    if (users.length > 0) await emitInitialStatuses(ctx, { actor, socket }, users);
    else if (isWatching) socket.emit(offlineEvent.name, { id, status: 'offline' });
  }
}

/** Checks again whether the viewer may see the user's presence. If not any more, the user is emitted as offline. */
export function recheckWatching(ctx: Context, viewerId: string, id: string): void {
  ctx.realtime.emitToProcesses(REVIEW_EVENT, { viewerId, id });
  void recheckLocally(ctx, viewerId, id).catch((error: unknown) => ctx.log.error({ err: error }, 'presence'));
}

export function startPresence(ctx: Context): void {
  const { board, watchers } = getState(ctx);
  const processId = getProcessId(ctx);
  const logError = (error: unknown) => ctx.log.error({ err: error }, 'presence');
  const getNow = () => ctx.clock.now().getTime();

  ctx.realtime.onConnect(({ actor, socket }) => {
    if (!actor || actor.isBlocked) return;
    addOnlineDevice(ctx, actor.userId, actor.type, socket.id);
    const watcher = { actor, socket };
    const ownWatchers = watchers.get(actor.userId) ?? new Set();
    watchers.set(actor.userId, ownWatchers.add(watcher));
    socket.once('disconnect', () => {
      board.removeDevice(actor.userId, socket.id, getNow());
      ownWatchers.delete(watcher);
      if (ownWatchers.size === 0 && watchers.get(actor.userId) === ownWatchers) watchers.delete(actor.userId);
    });
    const visibility = presenceVisibility.find(ctx);
    if (visibility)
      void ctx.realtime
        .runInOrder(actor.userId, () => visibility.listInitial(actor))
        .then((users) => (users.length > 0 ? emitInitialStatuses(ctx, watcher, users) : undefined))
        .catch(logError);
  });
  ctx.geo.onChange(() => {
    for (const watcher of [...watchers.values()].flatMap((ownWatchers) => [...ownWatchers]))
      void leaveGeoBlocked(ctx, watcher).catch(logError);
  });
  ctx.realtime.onSignal(userStatusActivity, ({ actor, socket }, payload) => {
    const { isActive = true, isVisible } = payload ?? {};
    board.recordHeartbeat(actor.userId, socket.id, { isActive, isPageVisible: isVisible }, getNow());
    reviewAndEmit(ctx, actor.userId);
  });
  ctx.realtime.onSignal(requestUserStatus, async ({ actor, socket }, { ids }) => {
    const users = await presenceVisibility.find(ctx)?.filterVisible(actor, ids.slice(0, PRESENCE_TIMING.ids));
    if (users) await emitInitialStatuses(ctx, { actor, socket }, users);
  });

  ctx.realtime.onProcessMessage(REVIEW_EVENT, (payload) => {
    const parsed = z.safeParse(reviewMessage, payload);
    if (parsed.success) void recheckLocally(ctx, parsed.data.viewerId, parsed.data.id).catch(logError);
  });
  ctx.realtime.onProcessMessage(PROCESS_EVENT, (payload) => {
    const parsed = z.safeParse(processMessage, payload);
    if (!parsed.success || parsed.data.processId === processId) return;
    const { kind, entries } = parsed.data;
    if (kind === 'bye') {
      for (const entry of board.removeSilentProcesses(getNow(), parsed.data.processId)) emitStatus(ctx, entry, true);
      return;
    }
    board.receive(parsed.data.processId, entries, kind === 'all', getNow());
    if (kind === 'hello')
      ctx.realtime.emitToProcesses(PROCESS_EVENT, { processId, kind: 'all', entries: board.snapshot() });
  });
  const reviewTimer = setInterval(() => reviewPresence(ctx), REVIEW_MS);
  let hasGreeted = false;
  const reportTimer = setInterval(() => {
    const kind = hasGreeted ? 'all' : 'hello';
    hasGreeted = true;
    ctx.realtime.emitToProcesses(PROCESS_EVENT, { processId, kind, entries: kind === 'all' ? board.snapshot() : [] });
  }, REPORT_MS);
  reviewTimer.unref();
  reportTimer.unref();
  // After a connection gap each process reports its whole state, before disconnected clients are back.
  ctx.realtime.onGap(() =>
    ctx.realtime.emitToProcesses(PROCESS_EVENT, { processId, kind: 'all', entries: board.snapshot() }),
  );
  ctx.realtime.onClose(() => {
    clearInterval(reviewTimer);
    clearInterval(reportTimer);
    ctx.realtime.emitToProcesses(PROCESS_EVENT, { processId, kind: 'bye', entries: [] });
  });
}

export function addOnlineDevice(ctx: Context, id: string, type: UserType, device: string): void {
  getState(ctx).board.addDevice(id, type, device, ctx.clock.now().getTime());
  reviewAndEmit(ctx, id);
}

export function listLocalUserIds(ctx: Context, type: UserType): string[] {
  return getState(ctx).board.listLocalIds(type);
}
