import type { EventSpec, PayloadOf, SignalInput, SignalSpec } from '@stagedoor/contract/shared/event.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

type Listener = (payload: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/** Subscribes to an event. Returns the function that unsubscribes. */
export function onEvent<E extends EventSpec>(event: E, handler: (payload: PayloadOf<E>) => void): () => void {
  // The server validates payloads with the event's schema, so the payload has this type.
  const listener: Listener = (payload) => handler(payload as PayloadOf<E>);
  const set = listeners.get(event.name) ?? new Set();
  set.add(listener);
  listeners.set(event.name, set);
  return () => void set.delete(listener);
}

export function dispatchEvent(name: string, payload: unknown): void {
  for (const listener of listeners.get(name) ?? []) listener(payload);
}

/**
 * Applies an event to the cache while the component is mounted. `reduce` is a pure function from the feature's socket-events.ts.
 */
export function useSocketEvent<E extends EventSpec>(
  event: E,
  reduce: (client: QueryClient, payload: PayloadOf<E>) => void,
): void {
  const client = useQueryClient();
  const apply = useEffectEvent((payload: PayloadOf<E>) => reduce(client, payload));
  useEffect(() => onEvent(event, apply), [event]);
}

export interface OpenConnection {
  isConnected(): boolean;
  renew(): void;
  send(name: string, payload: unknown): boolean;
}

let connection: OpenConnection | undefined;
const connectListeners = new Set<() => void>();

export function setConnection(openConnection: OpenConnection | undefined): void {
  connection = openConnection;
}

/** Reconnects a connected socket with the new session after a login (row A4). */
export function renewConnection(): void {
  connection?.renew();
}

/**
 * Sends an ephemeral signal, typed by the contract. Returns false without a connection. Important data goes by HTTP
 * instead.
 */
export function sendSignal<S extends SignalSpec>(signal: S, payload: SignalInput<S>): boolean {
  return connection?.send(signal.signal, payload) ?? false;
}

export function isConnected(): boolean {
  return connection?.isConnected() ?? false;
}

/** Calls the listener after each connect. Returns the function that unsubscribes. */
export function onConnected(listener: () => void): () => void {
  connectListeners.add(listener);
  return () => void connectListeners.delete(listener);
}

let isDisconnected = false;
const disconnectListeners = new Set<() => void>();

function setDisconnected(value: boolean): void {
  isDisconnected = value;
  for (const listener of disconnectListeners) listener();
}

export function handleConnected(): void {
  setDisconnected(false);
  for (const listener of connectListeners) listener();
}

/** Called by the socket when the connection is lost. False means that no connection is wanted. */
export function handleConnectionLost(isWanted = true): void {
  setDisconnected(isWanted);
}

function subscribeDisconnected(listener: () => void): () => void {
  disconnectListeners.add(listener);
  return () => void disconnectListeners.delete(listener);
}

export function useIsDisconnected(): boolean {
  return useSyncExternalStore(
    subscribeDisconnected,
    () => isDisconnected,
    () => false,
  );
}
