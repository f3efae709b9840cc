/**
 * The board of who is there: what this process sees of its own sockets, and what the others say of theirs. Knows no socket and
 * no time of its own, so that every rule of it can be tested.
 */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import { PRESENCE } from '@stagedoor/contract/atoms/limits.ts';
import type { PRESENCES } from '@stagedoor/contract/presence.ts';

export type Presence = (typeof PRESENCES)[number];

/** `shownAt`: when it last said that its page is in front of somebody; never, when it says that it is not. */
type Device = { beatAt: number; activeAt: number; shownAt: number };
type Local = {
  type: UserType;
  devices: Map<string, Device>;
  leftAt: number | undefined;
  status: Presence;
  isShown: boolean;
};
/** `isShown`: a page of theirs is in front of them. */
export type Entry = { id: string; type: UserType; status: Presence; isShown: boolean };
type Node = { heardAt: number; people: Map<string, Omit<Entry, 'id'>> };
/** `status` is what this process sees; `before` and `after` what all of them together say. */
export type Change = Entry & { before: Presence; after: Presence };

/** The strongest of what several devices and processes say. */
const ORDER: readonly Presence[] = ['busy', 'online', 'away', 'offline'];
const stronger = (one: Presence, other: Presence) => (ORDER.indexOf(one) <= ORDER.indexOf(other) ? one : other);

/** A process that said nothing for so long is gone, and with it everybody on it. */
const NODE_SILENT_MS = 30_000;

/** Whether somebody did something there, and whether its page is in front of them. */
type Beat = { isActive: boolean; isShown?: boolean | undefined };

export class Board {
  readonly #local = new Map<string, Local>();
  readonly #nodes = new Map<string, Node>();
  /** Who is in a call, here or not: whoever comes back from a reload is in it still. */
  readonly #busy = new Set<string>();

  /** A device connected. */
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

  /** A heartbeat of a device. */
  beat(id: string, device: string, { isActive, isShown = isActive }: Beat, now: number): void {
    const known = this.#local.get(id)?.devices.get(device);
    if (!known) return;
    known.beatAt = now;
    if (isActive) known.activeAt = now;
    known.shownAt = isShown ? now : Number.NEGATIVE_INFINITY;
  }

  /** A device is gone; who reloads a page is back before anybody is told. */
  leave(id: string, device: string, now: number): void {
    const known = this.#local.get(id);
    known?.devices.delete(device);
    if (known && known.devices.size === 0) known.leftAt = now;
  }

  /** In a call or not. Answers whether this process knows the person. */
  setBusy(id: string, isBusy: boolean): boolean {
    if (isBusy) this.#busy.add(id);
    else this.#busy.delete(id);
    return this.#local.has(id);
  }

  /** Everybody who is in a call, as far as this process was told. */
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

  /** Who reloads a page has it in front of them; of a page that nobody touched for long nobody knows. */
  #isShownOf(person: Local, now: number): boolean {
    if (person.devices.size === 0)
      return person.isShown && person.leftAt !== undefined && now - person.leftAt <= PRESENCE.goneMs;
    return [...person.devices.values()].some(
      ({ shownAt, activeAt }) => now - shownAt <= PRESENCE.shownMs && now - activeAt <= PRESENCE.awayMs,
    );
  }

  /** Whether a page is in front of somebody, over all processes. */
  isShown(id: string): boolean {
    if (this.#local.get(id)?.isShown) return true;
    return [...this.#nodes.values()].some(({ people }) => people.get(id)?.isShown);
  }

  /** The presence of somebody, over all processes. */
  statusOf(id: string): Presence {
    let status = this.#local.get(id)?.status ?? 'offline';
    for (const { people } of this.#nodes.values()) status = stronger(status, people.get(id)?.status ?? 'offline');
    return status;
  }

  /** Everybody who is there. */
  present(): string[] {
    const ids = new Set<string>();
    for (const [id, { status }] of this.#local) if (status !== 'offline') ids.add(id);
    for (const { people } of this.#nodes.values()) for (const id of people.keys()) ids.add(id);
    return [...ids];
  }

  /** Everybody of one type with a device here. */
  localIds(type: UserType): string[] {
    return [...this.#local].flatMap(([id, person]) => (person.type === type && person.devices.size > 0 ? [id] : []));
  }

  /** Works out anew what this process sees (of one person, or of all). Answers of whom something changed here. */
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

  /** What this process tells another that asks. */
  snapshot(): Entry[] {
    return [...this.#local].flatMap(([id, { type, status, isShown }]) =>
      status === 'offline' ? [] : [{ id, type, status, isShown }],
    );
  }

  /** Another process told of changes, or of all it has. Answers who may look different now. */
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

  /** Forgets processes that fell silent, or one that said good-bye. Answers whose presence changed by it. */
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
