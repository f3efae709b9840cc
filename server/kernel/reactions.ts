import type { EventPayload, EventType, Told } from './events.ts';
import type { Lane } from './reaction-jobs.ts';

/**
 * State of work in steps. `from` is what the last step returned, null at first. `signal` is aborted when the process
 * drains.
 */
export type Step = { from: string | null; signal: AbortSignal | undefined };

// Methods, so that the handler of one event is assignable to the general type. A handler is only called with its own
// event.
export interface Tell<T extends EventType = EventType> {
  readonly name: string;
  subject(payload: EventPayload<T>): string;
  run(event: Told<T>): Promise<void> | void;
}
export interface Work<T extends EventType = EventType> {
  readonly name: string;
  readonly lane: Lane;
  readonly isTogether: boolean;
  subject(payload: EventPayload<T>): string;
  isWanted(payload: EventPayload<T>): boolean;
  run(events: readonly Told<T>[], step: Step): Promise<string | null>;
}
export interface Everywhere<T extends EventType = EventType> {
  readonly name: string;
  run(event: Told<T>): Promise<void> | void;
  missed(): Promise<void> | void;
}

type Kinds = { tells: Tell[]; works: Work[]; everywhere: Everywhere[] };
const NOBODY: Readonly<Kinds> = { tells: [], works: [], everywhere: [] };

export type Reactions = ReturnType<typeof createReactions>;

export const keyOf = (type: string, name: string) => `${type}/${name}`;

export function createReactions() {
  const byType = new Map<string, Kinds>();
  const works = new Map<string, { type: EventType; work: Work }>();

  /** Throws if the name is taken. */
  function kindsOf(type: string, name: string): Kinds {
    const kinds = byType.get(type) ?? { tells: [], works: [], everywhere: [] };
    if (Object.values(kinds).some((list) => list.some((other) => other.name === name)))
      throw new Error(`reaction ${name} to ${type} is registered twice`);
    byType.set(type, kinds);
    return kinds;
  }

  return {
    addTell: <T extends EventType>(type: T, tell: Tell<T>): void => void kindsOf(type, tell.name).tells.push(tell),
    addWork: <T extends EventType>(type: T, work: Work<T>): void => {
      kindsOf(type, work.name).works.push(work);
      works.set(keyOf(type, work.name), { type, work });
    },
    workOf: (key: string) => works.get(key),
    addEverywhere: <T extends EventType>(type: T, one: Everywhere<T>): void =>
      void kindsOf(type, one.name).everywhere.push(one),
    to: (type: string): Readonly<Kinds> => byType.get(type) ?? NOBODY,
    everywhere: (): readonly Everywhere[] => [...byType.values()].flatMap(({ everywhere }) => everywhere),
  };
}
