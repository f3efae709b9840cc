/**
 * The data is held in memory by every process, so that a request needs no database query. No data about refused
 * visitors is stored.
 */
import type { Context } from '../../kernel/context.ts';
import type { HiddenIn, Place } from '../../kernel/places.ts';
import { readAll } from './store.ts';

export type Hidden = {
  readonly hidden: HiddenIn;
  isIdle(): boolean;
  /** Until it is finished, requests use the previous data. */
  reload(): Promise<void>;
};

/** Data is reloaded at this interval, in case an event was missed, and errors are retried after this delay. */
const AGAIN_MS = 30_000;
const RETRY_MS = 1_000;

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

/** Returns the narrower code first. */
const codesOf = ({ country, state }: Place) => (state === undefined ? [country] : [state, country]);

export function createHidden({ db }: Pick<Context, 'db'>): Hidden {
  let byCode = new Map<string, Set<string>>();
  let readings = 0;
  let latest = 0;
  let version = 0;
  let known = '';
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
      // A reload that began later has newer data.
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

export class Counted {
  #counts = new Map<string, { creatorId: string; code: string; count: number }>();

  /** `code` is the country if all of it is hidden, otherwise the state. */
  add(creatorId: string, code: string): void {
    const key = `${creatorId} ${code}`;
    const one = this.#counts.get(key) ?? { creatorId, code, count: 0 };
    this.#counts.set(key, { ...one, count: one.count + 1 });
  }

  take(): { creatorId: string; code: string; count: number }[] {
    const all = [...this.#counts.values()];
    this.#counts = new Map();
    return all;
  }
}
