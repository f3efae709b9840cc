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

/** By the codes of a place, the narrower first. */
const codesOf = ({ country, state }: Place) => (state === undefined ? [country] : [state, country]);

export function createHidden({ db }: Pick<Context, 'db'>): Hidden {
  let byCode = new Map<string, Set<string>>();
  let readings = 0;
  let version = 0;
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
      for (const { creatorId, code } of await readAll(db)) {
        const ids = read.get(code) ?? new Set();
        read.set(code, ids.add(creatorId));
      }
      // One that began later has read more.
      if (reading < version) return;
      version = reading;
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
