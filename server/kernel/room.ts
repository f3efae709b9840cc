/** The manifest of a module. Start order, permitted imports, API document and required tests derive from it. */
import type { EventSpec } from '@stagedoor/contract/atoms/event.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import type { Server } from './bind.ts';
import type { EventType } from './events.ts';
import type { PersonalData } from './personal-data.ts';

/** A permitted boundary violation. It is removed when its reason ends. */
export type Exception = { readonly room: string; readonly may: 'read' | 'write' | 'call'; readonly why: string };

export type Shared = {
  /** Modules that read the table in their own statements. They must depend on this one. */
  readonly readers?: readonly string[];
  readonly exceptions?: readonly Exception[];
};

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
  /** Columns that may be updated in addition. In financial tables only those that change. */
  readonly updates?: readonly string[];
};

export type Table = Shared & Rights & { readonly personalData: PersonalData };

export type Holdings<T extends Shared & Rights = Table> = {
  readonly tables: Readonly<Record<string, T>>;
  readonly functions: Readonly<Record<string, Shared>>;
};

export type Manifest = Holdings & {
  readonly name: string;
  readonly above: readonly string[];
  readonly contract: readonly object[];
  readonly emits: readonly string[];
  readonly hears: readonly string[];
  readonly jobs: readonly string[];
};

export type Room = Manifest & { readonly register?: (server: Server) => Promise<void> | void };

export function defineRoom(
  room: Pick<Manifest, 'name'> & Partial<Manifest> & { emits?: readonly EventType[]; hears?: readonly EventType[] },
): Manifest {
  return { above: [], contract: [], emits: [], hears: [], jobs: [], tables: {}, functions: {}, ...room };
}

/** Sorts modules after their dependencies. Throws for duplicate names, unknown dependencies and cycles. */
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

export function routesOf(rooms: readonly Manifest[]): NamedRoute[] {
  return exportsOf(rooms).flatMap(({ name, room, value }) => (isRoute(value) ? [{ name, room, route: value }] : []));
}

export function eventsOf(rooms: readonly Manifest[]): { name: string; room: string; event: EventSpec }[] {
  return exportsOf(rooms).flatMap(({ name, room, value }) => (isEvent(value) ? [{ name, room, event: value }] : []));
}
