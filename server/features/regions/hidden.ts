/**
 * Who is hidden where, held in memory by every process: a request asks one map, and nothing of the database. Refusals are counted here
 * and written together; of who was refused nothing is kept.
 */
import type { Context } from '../../kernel/context.ts';
import type { HiddenIn, Place } from '../../kernel/places.ts';
import { readAll } from './store.ts';

export type Hidden = {
  readonly hidden: HiddenIn;
  isIdle(): boolean;
  /** Reads it anew. What is asked meanwhile is answered by what was known. */
  reload(): Promise<void>;
};

/** So often is read what was told while nobody heard it, and so soon again what could not be read. */
const AGAIN_MS = 30_000;
const RETRY_MS = 1_000;

/** Reads again and again until it is stopped; `failed` hears of what went wrong. */
export function keepReading(read: () => Promise<void>, failed: (error: unknown) => void) {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const after = (ms: number) => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => void now(), ms);
    timer.unref();
  };
  async function now(): Promise<void> {
    try {
      await read();
      after(AGAIN_MS);
    } catch (error) {
      failed(error);
      after(RETRY_MS);
    }
  }
  after(AGAIN_MS);
  return {
    now,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** By the codes of a place, the narrower first. */
const codesOf = ({ country, state }: Place) => (state === undefined ? [country] : [state, country]);

export function createHidden({ db }: Pick<Context, 'db'>): Hidden {
  let byCode = new Map<string, Set<string>>();
  let readings = 0;
  let latest = 0;
  /** Another when somebody else is hidden somewhere than before. */
  let version = 0;
  let known = '';
  /** Of places that were asked for: who is hidden in the state, or in all of the country. */
  const asked = new Map<string, ReturnType<HiddenIn>>();

  function find(place: Place): ReturnType<HiddenIn> {
    const sets = codesOf(place).flatMap((code) => byCode.get(code) ?? []);
    const [first, second] = sets;
    if (!first) return undefined;
    return { key: `${codesOf(place)[0]}.${version}`, ids: second ? new Set([...first, ...second]) : first };
  }
  return {
    isIdle: () => byCode.size === 0,
    hidden: (place) => {
      const key = place.state ?? place.country;
      if (!asked.has(key)) asked.set(key, find(place));
      return asked.get(key);
    },
    reload: async () => {
      readings += 1;
      const reading = readings;
      const read = new Map<string, Set<string>>();
      const rows = await readAll(db);
      for (const { creatorId, code } of rows) {
        const ids = read.get(code) ?? new Set();
        read.set(code, ids.add(creatorId));
      }
      // One that began later has read more.
      if (reading < latest) return;
      latest = reading;
      const said = rows.map(({ creatorId, code }) => `${creatorId} ${code}`).sort();
      if (said.join() === known) return;
      known = said.join();
      version += 1;
      byCode = read;
      asked.clear();
    },
  };
}

/** What was counted and not yet written, by creator and place. */
export class Counted {
  #counts = new Map<string, { creatorId: string; code: string; count: number }>();

  /** By the code that was chosen: the state's, else the country's. */
  add(creatorId: string, code: string): void {
    const key = `${creatorId} ${code}`;
    const one = this.#counts.get(key) ?? { creatorId, code, count: 0 };
    this.#counts.set(key, { ...one, count: one.count + 1 });
  }

  /** Hands over what there is, and begins anew. */
  take(): { creatorId: string; code: string; count: number }[] {
    const all = [...this.#counts.values()];
    this.#counts = new Map();
    return all;
  }
}
