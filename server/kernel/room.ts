/**
 * What a room of the house says of itself, once, in its `manifest.ts`. The order in which rooms are opened, who may import
 * whom, the API's document and what tests must cover are derived from it; checks hold code and SQL to it.
 */
import type { EventSpec } from '@stagedoor/contract/atoms/event.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import type { Server } from './bind.ts';
import type { EventType } from './events.ts';
import type { PersonalData } from './personal-data.ts';

/** Somebody who may do what the walls forbid, and why; it ends with its reason. */
export type Exception = { readonly room: string; readonly may: 'read' | 'write' | 'call'; readonly why: string };

/** Who else may touch a table (or function) by SQL. Its own room may everything. */
export type Shared = {
  /** Those who read it by their own statements. A room among them stands on this one. */
  readonly readers?: readonly string[];
  readonly exceptions?: readonly Exception[];
};

/** The words for what the running product may do with a table's rows. It owns no table, and may do nothing else with one. */
export const ROWS = {
  none: [],
  read: ['select'],
  append: ['select', 'insert'],
  replace: ['select', 'insert', 'delete'],
  edit: ['select', 'insert', 'update'],
  all: ['select', 'insert', 'update', 'delete'],
} as const;

export type Rights = {
  readonly rows: keyof typeof ROWS;
  /** Beyond that it updates these columns alone: of what is money, those that change. */
  readonly updates?: readonly string[];
};

/** A table of ours, as its module declares it. */
export type Table = Shared & Rights & { readonly personalData: PersonalData };

/** What lies in the database under somebody's name. */
export type Holdings<T extends Shared & Rights = Table> = {
  readonly tables: Readonly<Record<string, T>>;
  /** SQL functions, those of triggers too. Rooms above may call them. */
  readonly functions: Readonly<Record<string, Shared>>;
};

export type Manifest = Holdings & {
  /** As its folder. */
  readonly name: string;
  /** The rooms it stands on: those it calls, and whose tables it reads. No other is open to it. */
  readonly above: readonly string[];
  /** The contract's files whose routes and socket events are its own. */
  readonly contract: readonly object[];
  readonly emits: readonly string[];
  readonly hears: readonly string[];
  /** Jobs by name, those by the clock too. */
  readonly jobs: readonly string[];
};

/** A room as the house opens it. */
export type Room = Manifest & { readonly register?: (server: Server) => Promise<void> | void };

/** Types a manifest. What a room does not have is left out. */
export function defineRoom(
  room: Pick<Manifest, 'name'> & Partial<Manifest> & { emits?: readonly EventType[]; hears?: readonly EventType[] },
): Manifest {
  return { above: [], contract: [], emits: [], hears: [], jobs: [], tables: {}, functions: {}, ...room };
}

/** Rooms so that each comes after those it stands on, the lowest first. Throws when two have one name, one stands on none that is there, or they stand on each other. */
export function inOrder<R extends Pick<Manifest, 'name' | 'above'>>(rooms: readonly R[]): R[] {
  const byName = new Map(rooms.map((room) => [room.name, room]));
  if (byName.size < rooms.length) throw new Error('Two rooms have one name.');
  const heights = new Map<string, number>();
  const heightOf = (room: R, way: readonly string[]): number => {
    const known = heights.get(room.name);
    if (known !== undefined) return known;
    if (way.includes(room.name)) throw new Error(`Rooms stand on each other: ${[...way, room.name].join(' on ')}.`);
    const below = room.above.map((name) => {
      const found = byName.get(name);
      if (!found) throw new Error(`The room ${room.name} stands on ${name}, which is no room.`);
      return heightOf(found, [...way, room.name]);
    });
    const height = Math.max(0, ...below.map((other) => other + 1));
    heights.set(room.name, height);
    return height;
  };
  return rooms
    .map((room) => ({ room, height: heightOf(room, []) }))
    .sort((a, b) => a.height - b.height || (a.room.name < b.room.name ? -1 : 1))
    .map(({ room }) => room);
}

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value;
}

function isEvent(value: unknown): value is EventSpec {
  return typeof value === 'object' && value !== null && 'audience' in value && 'payload' in value;
}

export type NamedRoute = { readonly name: string; readonly room: string; readonly route: RouteSpec };

const exportsOf = (rooms: readonly Manifest[]) =>
  rooms.flatMap(({ name: room, contract }) =>
    contract.flatMap((file) => Object.entries(file).map(([name, value]: [string, unknown]) => ({ name, room, value }))),
  );

/** Every route, with its exported name and its room. */
export function routesOf(rooms: readonly Manifest[]): NamedRoute[] {
  return exportsOf(rooms).flatMap(({ name, room, value }) => (isRoute(value) ? [{ name, room, route: value }] : []));
}

/** Every server-to-client event, with its exported name and its room. */
export function eventsOf(rooms: readonly Manifest[]): { name: string; room: string; event: EventSpec }[] {
  return exportsOf(rooms).flatMap(({ name, room, value }) => (isEvent(value) ? [{ name, room, event: value }] : []));
}
