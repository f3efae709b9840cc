/**
 * Typing indicators: shown for five seconds after each typing event or until a message arrives, and sent for the user's
 * own typing.
 */
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { typing } from '@stagedoor/contract/chat-live.ts';
import { useCallback, useSyncExternalStore } from 'react';
import { sendSignal } from '../../../kernel/live.ts';

const writers = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
const SAY_MS = 3_000;

function changed(): void {
  for (const listener of listeners) listener();
}

export function noteTyping(conversationId: string, isTyping: boolean): void {
  clearTimeout(writers.get(conversationId));
  if (isTyping)
    writers.set(
      conversationId,
      setTimeout(() => noteTyping(conversationId, false), CHAT_LIMITS.typingMs),
    );
  else if (!writers.delete(conversationId)) return;
  changed();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useTyping(conversationId: string): boolean {
  const read = useCallback(() => writers.has(conversationId), [conversationId]);
  return useSyncExternalStore(subscribe, read, () => false);
}

const said = new Map<string, number>();

/** Sends a typing event at most every three seconds. `isTyping` false reports that the user stopped. */
export function sayTyping(conversationId: string, isTyping: boolean, now: number = Date.now()): void {
  const last = said.get(conversationId);
  if (isTyping && last !== undefined && now - last < SAY_MS) return;
  if (!isTyping && last === undefined) return;
  if (isTyping) said.set(conversationId, now);
  else said.delete(conversationId);
  sendSignal(typing, { conversationId, isTyping });
}
