/** All events with their payloads, which are plain JSON. Modules add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: an interface, so that modules can merge into it
export interface EventMap {}
export type EventType = keyof EventMap & string;
export type EventPayload<T extends EventType> = EventMap[T];

export type DomainEvent<T extends EventType> = { eventId: string; type: T; payload: EventPayload<T>; createdAt: Date };
