import { randomUUID } from 'node:crypto';
import { USER_TYPES, type UserType } from '@stagedoor/contract/accounts.ts';
import type { EventInput, EventSpec } from '@stagedoor/contract/atoms/event.ts';
import { userId } from '@stagedoor/contract/atoms/ids.ts';
import { PRESENCE } from '@stagedoor/contract/atoms/limits.ts';
import {
  askUserStatus,
  creatorUserStatus,
  customerUserStatus,
  initialUserStatus,
  presence,
  userStatusActivity,
} from '@stagedoor/contract/presence.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { hides } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import type { SignedIn } from '../../kernel/signals.ts';
import { Board, type Entry, type Presence } from './board.ts';
import './events.ts';

export type { Presence } from './board.ts';

/** Who may see whose presence. The chat module registers it. */
export type Visibility = {
  initial(actor: Actor): Promise<{ id: string; type: UserType }[]>;
  visible(actor: Actor, ids: readonly string[]): Promise<{ id: string; type: UserType }[]>;
};

const REVIEW_MS = 1_000;
const TELL_MS = 10_000;
/** Maximum number of rooms of a socket. It does not watch users beyond that. */
const MAX_WATCHED = 1_000;
const NODE_EVENT = 'presence';
const REVIEW_EVENT = 'presence.review';
const pair = z.object({ viewerId: userId, id: userId });

const told = z.object({
  node: z.string(),
  kind: z.enum(['changes', 'all', 'hello', 'bye']),
  entries: z.array(
    z.object({ id: userId, type: z.enum(USER_TYPES), status: presence, isShown: z._default(z.boolean(), false) }),
  ),
});

type State = { board: Board; visibility: Visibility | undefined; watchers: Map<string, Set<SignedIn>> };
const states = new WeakMap<Context, State>();

function stateOf(ctx: Context): State {
  const known = states.get(ctx) ?? { board: new Board(), visibility: undefined, watchers: new Map() };
  states.set(ctx, known);
  return known;
}

const roomOf = (id: string) => `presence:${id}`;

export function presenceOf(ctx: Context, id: string): Presence {
  return stateOf(ctx).board.statusOf(id);
}

export function hasPageInFront(ctx: Context, id: string): boolean {
  return stateOf(ctx).board.isShown(id);
}

/** Includes busy and away users. */
export function onlineIds(ctx: Context): string[] {
  return stateOf(ctx).board.present();
}

export function registerVisibility(ctx: Context, visibility: Visibility): void {
  stateOf(ctx).visibility = visibility;
}

/** Every process must call this for every user. The one with the user's sockets reports the change to the others. */
export function setBusy(ctx: Context, id: string, isBusy: boolean): void {
  if (stateOf(ctx).board.setBusy(id, isBusy)) review(ctx, id);
}

export function setAllBusy(ctx: Context, ids: readonly string[]): void {
  const now = new Set(ids);
  for (const id of stateOf(ctx).board.busyIds()) if (!now.has(id)) setBusy(ctx, id, false);
  for (const id of now) setBusy(ctx, id, true);
}

/**
 * Emits to the watchers of a user. Changes seen here go to the watchers on every process. A change that each process
 * detects itself is emitted with `isLocal`.
 */
function tell(ctx: Context, { id, type, status }: Omit<Entry, 'isShown'>, isLocal = false): void {
  const payload = { id: z.parse(userId, id), status };
  if (type === 'creator') ctx.realtime.toRoom(roomOf(id), creatorUserStatus, payload, { isLocal });
  else ctx.realtime.toRoom(roomOf(id), customerUserStatus, payload, { isLocal });
}

export function toWatchers<E extends EventSpec>(ctx: Context, id: string, event: E, payload: EventInput<E>): void {
  ctx.realtime.toRoom(roomOf(id), event, payload);
}

function review(ctx: Context, only?: string): void {
  const changed = stateOf(ctx).board.review(ctx.clock.now().getTime(), only);
  if (changed.length === 0) return;
  const entries = changed.map(({ id, type, status, isShown }) => ({ id, type, status, isShown }));
  ctx.realtime.toNodes(NODE_EVENT, { node: nodeOf(ctx), kind: 'changes', entries });
  for (const { id, type, before, after } of changed) {
    if (before === after) continue;
    tell(ctx, { id, type, status: after });
    if (type === 'creator' && before === 'offline') {
      void ctx.db
        .transaction((tx) => tx.emit('creator.online', { creatorId: id }))
        .catch((error: unknown) => ctx.log.error({ err: error }, 'presence'));
    }
  }
}

const nodes = new WeakMap<Context, string>();
function nodeOf(ctx: Context): string {
  const known = nodes.get(ctx) ?? randomUUID();
  nodes.set(ctx, known);
  return known;
}

export function reviewPresence(ctx: Context): void {
  review(ctx);
  for (const entry of stateOf(ctx).board.dropSilent(ctx.clock.now().getTime())) tell(ctx, entry, true);
}

async function show(
  ctx: Context,
  { actor, socket }: SignedIn,
  seen: readonly { id: string; type: UserType }[],
): Promise<void> {
  const here = ctx.places.hereOfSocket(socket.request, actor);
  const people = here ? seen.filter(({ id }) => !hides(here, id)) : seen;
  const room = Math.max(0, MAX_WATCHED - socket.rooms.size);
  const watched = people.slice(0, room);
  await socket.join(watched.map(({ id }) => roomOf(id)));
  const batch = people.map(({ id, type }) => ({
    id: z.parse(userId, id),
    userType: type,
    status: presenceOf(ctx, id),
  }));
  socket.emit(initialUserStatus.name, batch);
}

async function leaveHidden(ctx: Context, { actor, socket }: SignedIn): Promise<void> {
  const here = ctx.places.hereOfSocket(socket.request, actor);
  for (const id of here?.hidden ?? []) {
    if (!here || !hides(here, id) || !socket.rooms.has(roomOf(id))) continue;
    await socket.leave(roomOf(id));
    socket.emit(creatorUserStatus.name, { id, status: 'offline' });
  }
}

async function reviewHere(ctx: Context, viewerId: string, id: string): Promise<void> {
  const { visibility, watchers } = stateOf(ctx);
  for (const { actor, socket } of watchers.get(viewerId) ?? []) {
    const isWatching = socket.rooms.has(roomOf(id));
    await socket.leave(roomOf(id));
    const people = (await visibility?.visible(actor, [id])) ?? [];
    const farewell = actor.type === 'creator' ? customerUserStatus : creatorUserStatus;
    if (people.length > 0) await show(ctx, { actor, socket }, people);
    else if (isWatching) socket.emit(farewell.name, { id, status: 'offline' });
  }
}

/** Checks again whether the viewer may see the user's presence. If not any more, the user is emitted as offline. */
export function reviewWatching(ctx: Context, viewerId: string, id: string): void {
  ctx.realtime.toNodes(REVIEW_EVENT, { viewerId, id });
  void reviewHere(ctx, viewerId, id).catch((error: unknown) => ctx.log.error({ err: error }, 'presence'));
}

export function watchPresence(ctx: Context): void {
  const { board, watchers } = stateOf(ctx);
  const node = nodeOf(ctx);
  const report = (error: unknown) => ctx.log.error({ err: error }, 'presence');
  const now = () => ctx.clock.now().getTime();

  ctx.realtime.onConnect(({ actor, socket }) => {
    if (!actor || actor.isBlocked) return;
    comeOnline(ctx, actor.userId, actor.type, socket.id);
    const watcher = { actor, socket };
    const own = watchers.get(actor.userId) ?? new Set();
    watchers.set(actor.userId, own.add(watcher));
    socket.once('disconnect', () => {
      board.leave(actor.userId, socket.id, now());
      own.delete(watcher);
      if (own.size === 0 && watchers.get(actor.userId) === own) watchers.delete(actor.userId);
    });
    const { visibility } = stateOf(ctx);
    if (visibility)
      void ctx.realtime
        .inTurn(actor.userId, () => visibility.initial(actor))
        .then((people) => (people.length > 0 ? show(ctx, watcher, people) : undefined))
        .catch(report);
  });
  ctx.places.onChange(() => {
    for (const watcher of [...watchers.values()].flatMap((own) => [...own]))
      void leaveHidden(ctx, watcher).catch(report);
  });
  ctx.realtime.onSignal(userStatusActivity, ({ actor, socket }, payload) => {
    const { isActive = true, isVisible } = payload ?? {};
    board.beat(actor.userId, socket.id, { isActive, isShown: isVisible }, now());
    review(ctx, actor.userId);
  });
  ctx.realtime.onSignal(askUserStatus, async ({ actor, socket }, { ids }) => {
    const people = await stateOf(ctx).visibility?.visible(actor, ids.slice(0, PRESENCE.ids));
    if (people) await show(ctx, { actor, socket }, people);
  });

  ctx.realtime.onNodes(REVIEW_EVENT, (payload) => {
    const parsed = z.safeParse(pair, payload);
    if (parsed.success) void reviewHere(ctx, parsed.data.viewerId, parsed.data.id).catch(report);
  });
  ctx.realtime.onNodes(NODE_EVENT, (payload) => {
    const parsed = z.safeParse(told, payload);
    if (!parsed.success || parsed.data.node === node) return;
    const { kind, entries } = parsed.data;
    if (kind === 'bye') {
      for (const entry of board.dropSilent(now(), parsed.data.node)) tell(ctx, entry, true);
      return;
    }
    board.hear(parsed.data.node, entries, kind === 'all', now());
    if (kind === 'hello') ctx.realtime.toNodes(NODE_EVENT, { node, kind: 'all', entries: board.snapshot() });
  });
  const reviewing = setInterval(() => reviewPresence(ctx), REVIEW_MS);
  let greeted = false;
  const telling = setInterval(() => {
    const kind = greeted ? 'all' : 'hello';
    greeted = true;
    ctx.realtime.toNodes(NODE_EVENT, { node, kind, entries: kind === 'all' ? board.snapshot() : [] });
  }, TELL_MS);
  reviewing.unref();
  telling.unref();
  // After a connection gap each process reports its whole state, before disconnected clients are back.
  ctx.realtime.onGap(() => ctx.realtime.toNodes(NODE_EVENT, { node, kind: 'all', entries: board.snapshot() }));
  ctx.realtime.onClose(() => {
    clearInterval(reviewing);
    clearInterval(telling);
    ctx.realtime.toNodes(NODE_EVENT, { node, kind: 'bye', entries: [] });
  });
}

export function comeOnline(ctx: Context, id: string, type: UserType, device: string): void {
  stateOf(ctx).board.arrive(id, type, device, ctx.clock.now().getTime());
  review(ctx, id);
}

export function localIds(ctx: Context, type: UserType): string[] {
  return stateOf(ctx).board.localIds(type);
}
