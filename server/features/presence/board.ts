/**
 * What this process sees of its own sockets, and what other processes report of theirs. It uses neither sockets nor a
 * clock, so that its rules can be tested.
 */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import { PRESENCE } from '@stagedoor/contract/atoms/limits.ts';
import type { PRESENCES } from '@stagedoor/contract/presence.ts';

export type Presence = (typeof PRESENCES)[number];

/** `shownAt` is the last report of a visible page. A report of a hidden page resets it. */
type Device = { beatAt: number; activeAt: number; shownAt: number };
type Local = {
  type: UserType;
  devices: Map<string, Device>;
  leftAt: number | undefined;
  status: Presence;
  isShown: boolean;
};
export type Entry = { id: string; type: UserType; status: Presence; isShown: boolean };
type Node = { heardAt: number; people: Map<string, Omit<Entry, 'id'>> };
/** `status` is what this process sees, `before` and `after` are the combined status of all processes. */
export type Change = Entry & { before: Presence; after: Presence };

const ORDER: readonly Presence[] = ['busy', 'online', 'away', 'offline'];
const stronger = (one: Presence, other: Presence) => (ORDER.indexOf(one) <= ORDER.indexOf(other) ? one : other);

const NODE_SILENT_MS = 30_000;

type Beat = { isActive: boolean; isShown?: boolean | undefined };

export class Board {
  readonly #local = new Map<string, Local>();
  readonly #nodes = new Map<string, Node>();
  /** Users in a call on any process. A user who returns from a reload is still in it. */
  readonly #busy = new Set<string>();

  arrive(id: string, type: UserType, device: string, now: number): void {
    const known = this.#local.get(id) ?? {
      type,
      devices: new Map(),
      leftAt: undefined,
      status: 'offline',
      isShown: false,
    };
    known.devices.set(device, { beatAt: now, activeAt: now, shownAt: now });
    known.leftAt = undefined;
    this.#local.set(id, known);
  }

  beat(id: string, device: string, { isActive, isShown = isActive }: Beat, now: number): void {
    const known = this.#local.get(id)?.devices.get(device);
    if (!known) return;
    known.beatAt = now;
    if (isActive) known.activeAt = now;
    known.shownAt = isShown ? now : Number.NEGATIVE_INFINITY;
  }

  /** A device disconnected. After a page reload it is back before this is reported. */
  leave(id: string, device: string, now: number): void {
    const known = this.#local.get(id);
    known?.devices.delete(device);
    if (known && known.devices.size === 0) known.leftAt = now;
  }

  /** Returns whether this process knows the user. */
  setBusy(id: string, isBusy: boolean): boolean {
    if (isBusy) this.#busy.add(id);
    else this.#busy.delete(id);
    return this.#local.has(id);
  }

  busyIds(): string[] {
    return [...this.#busy];
  }

  #statusOf(id: string, person: Local, now: number): Presence {
    const devices = [...person.devices.values()].filter(({ beatAt }) => now - beatAt <= PRESENCE.offlineMs);
    const isLeaving = person.leftAt !== undefined && now - person.leftAt <= PRESENCE.goneMs;
    if (devices.length === 0) return isLeaving ? person.status : 'offline';
    if (this.#busy.has(id)) return 'busy';
    return devices.some(({ activeAt }) => now - activeAt <= PRESENCE.awayMs) ? 'online' : 'away';
  }

  /** A page stays visible during a reload. After a long time without activity it no longer counts as visible. */
  #isShownOf(person: Local, now: number): boolean {
    if (person.devices.size === 0)
      return person.isShown && person.leftAt !== undefined && now - person.leftAt <= PRESENCE.goneMs;
    return [...person.devices.values()].some(
      ({ shownAt, activeAt }) => now - shownAt <= PRESENCE.shownMs && now - activeAt <= PRESENCE.awayMs,
    );
  }

  isShown(id: string): boolean {
    if (this.#local.get(id)?.isShown) return true;
    return [...this.#nodes.values()].some(({ people }) => people.get(id)?.isShown);
  }

  statusOf(id: string): Presence {
    let status = this.#local.get(id)?.status ?? 'offline';
    for (const { people } of this.#nodes.values()) status = stronger(status, people.get(id)?.status ?? 'offline');
    return status;
  }

  present(): string[] {
    const ids = new Set<string>();
    for (const [id, { status }] of this.#local) if (status !== 'offline') ids.add(id);
    for (const { people } of this.#nodes.values()) for (const id of people.keys()) ids.add(id);
    return [...ids];
  }

  localIds(type: UserType): string[] {
    return [...this.#local].flatMap(([id, person]) => (person.type === type && person.devices.size > 0 ? [id] : []));
  }

  /** Recalculates what this process sees of one user or of all. Returns what changed on this process. */
  review(now: number, only?: string): Change[] {
    const changed: Change[] = [];
    const people: [string, Local | undefined][] =
      only === undefined ? [...this.#local] : [[only, this.#local.get(only)]];
    for (const [id, person] of people) {
      if (!person) continue;
      const status = this.#statusOf(id, person, now);
      const isShown = this.#isShownOf(person, now);
      if (status !== person.status || isShown !== person.isShown) {
        const before = this.statusOf(id);
        person.status = status;
        person.isShown = isShown;
        changed.push({ id, type: person.type, status, isShown, before, after: this.statusOf(id) });
      }
      if (status === 'offline' && person.devices.size === 0) this.#local.delete(id);
    }
    return changed;
  }

  snapshot(): Entry[] {
    return [...this.#local].flatMap(([id, { type, status, isShown }]) =>
      status === 'offline' ? [] : [{ id, type, status, isShown }],
    );
  }

  hear(node: string, entries: readonly Entry[], isWhole: boolean, now: number): void {
    const known = this.#nodes.get(node) ?? { heardAt: now, people: new Map() };
    known.heardAt = now;
    if (isWhole) known.people.clear();
    for (const { id, ...person } of entries) {
      if (person.status === 'offline') known.people.delete(id);
      else known.people.set(id, person);
    }
    this.#nodes.set(node, known);
  }

  /** Removes silent processes, or one that said goodbye. Returns the users whose status changed. */
  dropSilent(now: number, leaving?: string): Omit<Entry, 'isShown'>[] {
    const changed: Omit<Entry, 'isShown'>[] = [];
    for (const [name, { heardAt, people }] of this.#nodes) {
      if (name !== leaving && now - heardAt <= NODE_SILENT_MS) continue;
      const before = [...people].map(([id, { type }]) => ({ id, type, status: this.statusOf(id) }));
      this.#nodes.delete(name);
      for (const { id, type, status } of before) {
        const after = this.statusOf(id);
        if (after !== status) changed.push({ id, type, status: after });
      }
    }
    return changed;
  }
}
