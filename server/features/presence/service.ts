/** Presence at work: sockets and heartbeats go onto the board, changes go to those who watch, processes tell each other. */
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

/** Who may see whom; the room that knows (chat) registers it. Both answer people with their type. */
export type Visibility = {
  /** Whom somebody watches from the moment they connect. */
  initial(actor: Actor): Promise<{ id: string; type: UserType }[]>;
  /** Those of `ids` whom they may see. */
  visible(actor: Actor, ids: readonly string[]): Promise<{ id: string; type: UserType }[]>;
};

const REVIEW_MS = 1_000;
const TELL_MS = 10_000;
/** Rooms of one socket: who watches more sees the newest. */
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

/** `watchers`: the sockets of this process, by their person. */
type State = { board: Board; visibility: Visibility | undefined; watchers: Map<string, Set<SignedIn>> };
const states = new WeakMap<Context, State>();

function stateOf(ctx: Context): State {
  const known = states.get(ctx) ?? { board: new Board(), visibility: undefined, watchers: new Map() };
  states.set(ctx, known);
  return known;
}

const roomOf = (id: string) => `presence:${id}`;

/** The presence of somebody. */
export function presenceOf(ctx: Context, id: string): Presence {
  return stateOf(ctx).board.statusOf(id);
}

/** Whether somebody has a page in front of them, or had a moment ago. */
export function hasPageInFront(ctx: Context, id: string): boolean {
  return stateOf(ctx).board.isShown(id);
}

/** Everybody who is there, busy and away ones included. */
export function onlineIds(ctx: Context): string[] {
  return stateOf(ctx).board.present();
}

/** Says who may see whom; once. */
export function registerVisibility(ctx: Context, visibility: Visibility): void {
  stateOf(ctx).visibility = visibility;
}

/** In a call or not. Each process is told, and keeps it of everybody: whose sockets are there tells the others. */
export function setBusy(ctx: Context, id: string, isBusy: boolean): void {
  if (stateOf(ctx).board.setBusy(id, isBusy)) review(ctx, id);
}

/** Everybody who is in a call; nobody else is. */
export function setAllBusy(ctx: Context, ids: readonly string[]): void {
  const now = new Set(ids);
  for (const id of stateOf(ctx).board.busyIds()) if (!now.has(id)) setBusy(ctx, id, false);
  for (const id of now) setBusy(ctx, id, true);
}

/** To those who watch somebody. Changes seen here go to every process; what each process works out by itself stays in it. */
function tell(ctx: Context, { id, type, status }: Omit<Entry, 'isShown'>, isLocal = false): void {
  const payload = { id: z.parse(userId, id), status };
  if (type === 'creator') ctx.realtime.toRoom(roomOf(id), creatorUserStatus, payload, { isLocal });
  else ctx.realtime.toRoom(roomOf(id), customerUserStatus, payload, { isLocal });
}

/** To those whom the server lets watch somebody's presence, an event of a room above that is about that person. */
export function toWatchers<E extends EventSpec>(ctx: Context, id: string, event: E, payload: EventInput<E>): void {
  ctx.realtime.toRoom(roomOf(id), event, payload);
}

/** Works out what changed and tells it: other processes what is seen here, people what all processes together say. */
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

/** Works out everybody anew, as a timer does every second; for tests with a clock of their own. */
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

/** Takes those who are hidden from where a socket is out of its sight: to it they went away. */
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

/** Looks again at whether of a creator and a fan one may see the other, as that may have changed: to whom they are hidden, they went away. */
export function reviewWatching(ctx: Context, viewerId: string, id: string): void {
  ctx.realtime.toNodes(REVIEW_EVENT, { viewerId, id });
  void reviewHere(ctx, viewerId, id).catch((error: unknown) => ctx.log.error({ err: error }, 'presence'));
}

/** Watches connections and heartbeats. */
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
  // Before those who were cut are back, everybody knows again who is where.
  ctx.realtime.onGap(() => ctx.realtime.toNodes(NODE_EVENT, { node, kind: 'all', entries: board.snapshot() }));
  ctx.realtime.onClose(() => {
    clearInterval(reviewing);
    clearInterval(telling);
    ctx.realtime.toNodes(NODE_EVENT, { node, kind: 'bye', entries: [] });
  });
}

/** Somebody has a device here from now on, until two heartbeats are missed. */
export function comeOnline(ctx: Context, id: string, type: UserType, device: string): void {
  stateOf(ctx).board.arrive(id, type, device, ctx.clock.now().getTime());
  review(ctx, id);
}

/** Everybody of one type with a socket on this process. */
export function localIds(ctx: Context, type: UserType): string[] {
  return stateOf(ctx).board.localIds(type);
}
