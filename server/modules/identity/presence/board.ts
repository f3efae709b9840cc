/**
 * What this process sees of its own sockets, and what other processes report of theirs. It uses neither sockets nor a
 * clock, so that its rules can be tested.
 */
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { PRESENCES } from '@stagedoor/contract/identity/presence.ts';
import { PRESENCE_TIMING } from '@stagedoor/contract/shared/limits.ts';

export type Presence = (typeof PRESENCES)[number];

/** `visibleAt` is the last report of a visible page. A report of a hidden page resets it. */
type Device = { heartbeatAt: number; activeAt: number; visibleAt: number };
type LocalUser = {
  type: UserType;
  devices: Map<string, Device>;
  leftAt: number | undefined;
  status: Presence;
  isPageVisible: boolean;
};
export type PresenceEntry = { id: string; type: UserType; status: Presence; isPageVisible: boolean };
type ProcessState = { lastSeenAt: number; users: Map<string, Omit<PresenceEntry, 'id'>> };
/** `status` is what this process sees, `before` and `after` are the combined status of all processes. */
export type PresenceChange = PresenceEntry & { before: Presence; after: Presence };

const ORDER: readonly Presence[] = ['busy', 'online', 'away', 'offline'];
const getStronger = (one: Presence, other: Presence) => (ORDER.indexOf(one) <= ORDER.indexOf(other) ? one : other);

const PROCESS_TIMEOUT_MS = 30_000;

type HeartbeatInput = { isActive: boolean; isPageVisible?: boolean | undefined };

export class Board {
  readonly #local = new Map<string, LocalUser>();
  readonly #processes = new Map<string, ProcessState>();
  /** Users in a call on any process. A user who returns from a reload is still in it. */
  readonly #busy = new Set<string>();

  addDevice(id: string, type: UserType, device: string, now: number): void {
    const entry = this.#local.get(id) ?? {
      type,
      devices: new Map(),
      leftAt: undefined,
      status: 'offline',
      isPageVisible: false,
    };
    entry.devices.set(device, { heartbeatAt: now, activeAt: now, visibleAt: now });
    entry.leftAt = undefined;
    this.#local.set(id, entry);
  }

  recordHeartbeat(
    id: string,
    device: string,
    { isActive, isPageVisible = isActive }: HeartbeatInput,
    now: number,
  ): void {
    const entry = this.#local.get(id)?.devices.get(device);
    if (!entry) return;
    entry.heartbeatAt = now;
    if (isActive) entry.activeAt = now;
    entry.visibleAt = isPageVisible ? now : Number.NEGATIVE_INFINITY;
  }

  /** A device disconnected. After a page reload it is back before this is reported. */
  removeDevice(id: string, device: string, now: number): void {
    const entry = this.#local.get(id);
    entry?.devices.delete(device);
    if (entry && entry.devices.size === 0) entry.leftAt = now;
  }

  /** Returns whether this process knows the user. */
  setBusy(id: string, isBusy: boolean): boolean {
    if (isBusy) this.#busy.add(id);
    else this.#busy.delete(id);
    return this.#local.has(id);
  }

  listBusyIds(): string[] {
    return [...this.#busy];
  }

  #calculateStatus(id: string, user: LocalUser, now: number): Presence {
    const devices = [...user.devices.values()].filter(
      ({ heartbeatAt }) => now - heartbeatAt <= PRESENCE_TIMING.offlineMs,
    );
    const isLeaving = user.leftAt !== undefined && now - user.leftAt <= PRESENCE_TIMING.disconnectGraceMs;
    if (devices.length === 0) return isLeaving ? user.status : 'offline';
    if (this.#busy.has(id)) return 'busy';
    return devices.some(({ activeAt }) => now - activeAt <= PRESENCE_TIMING.awayMs) ? 'online' : 'away';
  }

  /** A page stays visible during a reload. After a long time without activity it no longer counts as visible. */
  #calculatePageVisible(user: LocalUser, now: number): boolean {
    if (user.devices.size === 0)
      return user.isPageVisible && user.leftAt !== undefined && now - user.leftAt <= PRESENCE_TIMING.disconnectGraceMs;
    return [...user.devices.values()].some(
      ({ visibleAt, activeAt }) =>
        now - visibleAt <= PRESENCE_TIMING.shownMs && now - activeAt <= PRESENCE_TIMING.awayMs,
    );
  }

  isPageVisible(id: string): boolean {
    if (this.#local.get(id)?.isPageVisible) return true;
    return [...this.#processes.values()].some(({ users }) => users.get(id)?.isPageVisible);
  }

  getStatus(id: string): Presence {
    let status = this.#local.get(id)?.status ?? 'offline';
    for (const { users } of this.#processes.values()) status = getStronger(status, users.get(id)?.status ?? 'offline');
    return status;
  }

  listPresentIds(): string[] {
    const ids = new Set<string>();
    for (const [id, { status }] of this.#local) if (status !== 'offline') ids.add(id);
    for (const { users } of this.#processes.values()) for (const id of users.keys()) ids.add(id);
    return [...ids];
  }

  listLocalIds(type: UserType): string[] {
    return [...this.#local].flatMap(([id, user]) => (user.type === type && user.devices.size > 0 ? [id] : []));
  }

  /** Recalculates what this process sees of one user or of all. Returns what changed on this process. */
  recalculate(now: number, onlyId?: string): PresenceChange[] {
    const changed: PresenceChange[] = [];
    const users: [string, LocalUser | undefined][] =
      onlyId === undefined ? [...this.#local] : [[onlyId, this.#local.get(onlyId)]];
    for (const [id, user] of users) {
      if (!user) continue;
      const status = this.#calculateStatus(id, user, now);
      const isPageVisible = this.#calculatePageVisible(user, now);
      if (status !== user.status || isPageVisible !== user.isPageVisible) {
        const before = this.getStatus(id);
        user.status = status;
        user.isPageVisible = isPageVisible;
        changed.push({ id, type: user.type, status, isPageVisible, before, after: this.getStatus(id) });
      }
      if (status === 'offline' && user.devices.size === 0) this.#local.delete(id);
    }
    return changed;
  }

  snapshot(): PresenceEntry[] {
    return [...this.#local].flatMap(([id, { type, status, isPageVisible }]) =>
      status === 'offline' ? [] : [{ id, type, status, isPageVisible }],
    );
  }

  receive(processId: string, entries: readonly PresenceEntry[], isComplete: boolean, now: number): void {
    const entry = this.#processes.get(processId) ?? { lastSeenAt: now, users: new Map() };
    entry.lastSeenAt = now;
    if (isComplete) entry.users.clear();
    for (const { id, ...user } of entries) {
      if (user.status === 'offline') entry.users.delete(id);
      else entry.users.set(id, user);
    }
    this.#processes.set(processId, entry);
  }

  /** Removes silent processes, or one that is leaving. Returns the users whose status changed. */
  removeSilentProcesses(now: number, leavingId?: string): Omit<PresenceEntry, 'isPageVisible'>[] {
    const changed: Omit<PresenceEntry, 'isPageVisible'>[] = [];
    for (const [name, { lastSeenAt, users }] of this.#processes) {
      if (name !== leavingId && now - lastSeenAt <= PROCESS_TIMEOUT_MS) continue;
      const before = [...users].map(([id, { type }]) => ({ id, type, status: this.getStatus(id) }));
      this.#processes.delete(name);
      for (const { id, type, status } of before) {
        const after = this.getStatus(id);
        if (after !== status) changed.push({ id, type, status: after });
      }
    }
    return changed;
  }
}
