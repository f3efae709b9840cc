/** Live events by contract: who listens, whatever connection carries them. The socket itself is loaded later (socket.ts). */
import type { EventSpec, PayloadOf, SignalInput, SignalSpec } from '@stagedoor/contract/atoms/event.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

type Listener = (payload: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/** Listens for one event, typed by the contract. Answers the function that stops it. */
export function onEvent<E extends EventSpec>(event: E, handler: (payload: PayloadOf<E>) => void): () => void {
  // The server sends nothing under this name but what the event's schema lets through, so it is this event's payload.
  const listener: Listener = (payload) => handler(payload as PayloadOf<E>);
  const set = listeners.get(event.name) ?? new Set();
  set.add(listener);
  listeners.set(event.name, set);
  return () => void set.delete(listener);
}

/** Hands a received event to its listeners. */
export function dispatchEvent(name: string, payload: unknown): void {
  for (const listener of listeners.get(name) ?? []) listener(payload);
}

/** While the component is shown, brings every such event into the cache. `reduce` is a pure function of the feature's live.ts. */
export function useLive<E extends EventSpec>(
  event: E,
  reduce: (client: QueryClient, payload: PayloadOf<E>) => void,
): void {
  const client = useQueryClient();
  const apply = useEffectEvent((payload: PayloadOf<E>) => reduce(client, payload));
  useEffect(() => onEvent(event, apply), [event]);
}

/** What the open socket can do for the app. */
export interface OpenConnection {
  isConnected(): boolean;
  renew(): void;
  /** Sends a signal if the socket is connected. Answers whether it was. */
  send(name: string, payload: unknown): boolean;
}

let connection: OpenConnection | undefined;
const connectListeners = new Set<() => void>();

/** Told by whoever opened the socket; nothing when it is closed. */
export function setConnection(opened: OpenConnection | undefined): void {
  connection = opened;
}

/** After a log-in: a connected socket comes back with the new session (row A4). */
export function renewConnection(): void {
  connection?.renew();
}

/** Sends a fleeting fact up, typed by the contract. False when there is no connection: what matters then goes by HTTP. */
export function sendSignal<S extends SignalSpec>(signal: S, payload: SignalInput<S>): boolean {
  return connection?.send(signal.signal, payload) ?? false;
}

/** Whether live events come in at this moment. */
export function isConnected(): boolean {
  return connection?.isConnected() ?? false;
}

/** Told each time the socket has connected. Answers the function that stops it. */
export function onConnected(listener: () => void): () => void {
  connectListeners.add(listener);
  return () => void connectListeners.delete(listener);
}

let isCut = false;
const cutListeners = new Set<() => void>();

function setCut(cut: boolean): void {
  isCut = cut;
  for (const listener of cutListeners) listener();
}

/** Told by the socket's rules. */
export function connected(): void {
  setCut(false);
  for (const listener of connectListeners) listener();
}

/** Told by the socket's rules: there is to be a connection, and there is none; or, with false, there is to be none. */
export function connectionLost(isWanted = true): void {
  setCut(isWanted);
}

function listenCut(listener: () => void): () => void {
  cutListeners.add(listener);
  return () => void cutListeners.delete(listener);
}

/** Whether the connection is cut, and live events are missing. */
export function useIsCut(): boolean {
  return useSyncExternalStore(
    listenCut,
    () => isCut,
    () => false,
  );
}
