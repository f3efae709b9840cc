import type { DomainEvent, EventPayload, EventType } from './event-types.ts';

/**
 * Concurrency of the queues per process. `money` and `rings` (of calls) wait for nothing else, `quick` is for what a
 * user may wait for, `bulk` for many users at once, `followers` for notifying followers. One runner serves all with a
 * single listening connection.
 */
export const EVENT_QUEUES = { money: 4, rings: 3, quick: 4, bulk: 3, followers: 3 } as const;
export type EventQueue = keyof typeof EVENT_QUEUES;

/**
 * State of work in steps. `previous` is what the last step returned, null at first. `signal` is aborted when the process
 * drains.
 */
export type StepState = { previous: string | null; signal: AbortSignal | undefined };

// Methods, so that the handler of one event is assignable to the general type. A handler is only called with its own
// event.
export interface BroadcastHandler<T extends EventType = EventType> {
  readonly name: string;
  subject(payload: EventPayload<T>): string;
  run(event: DomainEvent<T>): Promise<void> | void;
}
export interface JobHandler<T extends EventType = EventType> {
  readonly name: string;
  readonly queue: EventQueue;
  readonly isBatched: boolean;
  subject(payload: EventPayload<T>): string;
  shouldHandle(payload: EventPayload<T>): boolean;
  run(events: readonly DomainEvent<T>[], step: StepState): Promise<string | null>;
}
export interface LocalHandler<T extends EventType = EventType> {
  readonly name: string;
  run(event: DomainEvent<T>): Promise<void> | void;
  onMissed(): Promise<void> | void;
}

type HandlersByKind = {
  broadcastHandlers: BroadcastHandler[];
  jobHandlers: JobHandler[];
  localHandlers: LocalHandler[];
};
const NO_HANDLERS: Readonly<HandlersByKind> = { broadcastHandlers: [], jobHandlers: [], localHandlers: [] };

export type EventHandlers = ReturnType<typeof createEventHandlers>;

export const toHandlerKey = (type: string, name: string) => `${type}/${name}`;

export function createEventHandlers() {
  const byType = new Map<string, HandlersByKind>();
  const jobHandlersByKey = new Map<string, { type: EventType; handler: JobHandler }>();

  /** Throws if the name is taken. */
  function getHandlers(type: string, name: string): HandlersByKind {
    const handlers = byType.get(type) ?? { broadcastHandlers: [], jobHandlers: [], localHandlers: [] };
    if (Object.values(handlers).some((list) => list.some((other) => other.name === name)))
      throw new Error(`handler ${name} of ${type} is registered twice`);
    byType.set(type, handlers);
    return handlers;
  }

  return {
    addBroadcastHandler: <T extends EventType>(type: T, handler: BroadcastHandler<T>): void =>
      void getHandlers(type, handler.name).broadcastHandlers.push(handler),
    addJobHandler: <T extends EventType>(type: T, handler: JobHandler<T>): void => {
      getHandlers(type, handler.name).jobHandlers.push(handler);
      jobHandlersByKey.set(toHandlerKey(type, handler.name), { type, handler });
    },
    findJobHandler: (key: string) => jobHandlersByKey.get(key),
    addLocalHandler: <T extends EventType>(type: T, handler: LocalHandler<T>): void =>
      void getHandlers(type, handler.name).localHandlers.push(handler),
    getHandlersFor: (type: string): Readonly<HandlersByKind> => byType.get(type) ?? NO_HANDLERS,
    listLocalHandlers: (): readonly LocalHandler[] =>
      [...byType.values()].flatMap(({ localHandlers }) => localHandlers),
  };
}
