/**
 * The data is held in memory by every process, so that a request needs no database query. No data about refused
 * visitors is stored.
 */
import type { Context } from '../../../platform/context.ts';
import type { FindGeoBlocks, GeoLocation } from '../../../platform/geo.ts';
import { listAllBlocks } from './store.ts';

export type GeoBlockIndex = {
  readonly findBlocks: FindGeoBlocks;
  isIdle(): boolean;
  /** Until it is finished, requests use the previous data. */
  reload(): Promise<void>;
};

/** Data is reloaded at this interval, in case an event was missed, and errors are retried after this delay. */
const RELOAD_MS = 30_000;
const RETRY_MS = 1_000;

export function createReloader(read: () => Promise<void>, onError: (error: unknown) => void) {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const schedule = (ms: number) => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => void run(), ms);
    timer.unref();
  };
  async function run(): Promise<void> {
    try {
      await read();
      schedule(RELOAD_MS);
    } catch (error) {
      onError(error);
      schedule(RETRY_MS);
    }
  }
  schedule(RELOAD_MS);
  return {
    run,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the narrower code first. */
const listCodes = ({ country, state }: GeoLocation) => (state === undefined ? [country] : [state, country]);

export function createGeoBlockIndex({ db }: Pick<Context, 'db'>): GeoBlockIndex {
  let byCode = new Map<string, Set<string>>();
  let startedReloads = 0;
  let latestReload = 0;
  let version = 0;
  let loadedKey = '';
  const cache = new Map<string, ReturnType<FindGeoBlocks>>();

  function findBlocksIn(location: GeoLocation): ReturnType<FindGeoBlocks> {
    const sets = listCodes(location).flatMap((code) => byCode.get(code) ?? []);
    const [first, second] = sets;
    if (!first) return undefined;
    return { key: `${listCodes(location)[0]}.${version}`, ids: second ? new Set([...first, ...second]) : first };
  }
  return {
    isIdle: () => byCode.size === 0,
    findBlocks: (location) => {
      const key = location.state ?? location.country;
      if (!cache.has(key)) cache.set(key, findBlocksIn(location));
      return cache.get(key);
    },
    reload: async () => {
      startedReloads += 1;
      const reloadNumber = startedReloads;
      const nextByCode = new Map<string, Set<string>>();
      const rows = await listAllBlocks(db);
      for (const { creatorId, code } of rows) {
        const ids = nextByCode.get(code) ?? new Set();
        nextByCode.set(code, ids.add(creatorId));
      }
      // A reload that began later has newer data.
      if (reloadNumber < latestReload) return;
      latestReload = reloadNumber;
      const entries = rows.map(({ creatorId, code }) => `${creatorId} ${code}`).sort();
      if (entries.join() === loadedKey) return;
      loadedKey = entries.join();
      version += 1;
      byCode = nextByCode;
      cache.clear();
    },
  };
}

export class GeoBlockHitCounter {
  #counts = new Map<string, { creatorId: string; code: string; count: number }>();

  /** `code` is the country if all of it is hidden, otherwise the state. */
  add(creatorId: string, code: string): void {
    const key = `${creatorId} ${code}`;
    const entry = this.#counts.get(key) ?? { creatorId, code, count: 0 };
    this.#counts.set(key, { ...entry, count: entry.count + 1 });
  }

  takeAll(): { creatorId: string; code: string; count: number }[] {
    const all = [...this.#counts.values()];
    this.#counts = new Map();
    return all;
  }
}
