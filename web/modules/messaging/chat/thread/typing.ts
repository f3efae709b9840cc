/**
 * Typing indicators: shown for five seconds after each typing event or until a message arrives, and sent for the user's
 * own typing.
 */

import { sendTyping } from '@stagedoor/contract/messaging/chat-events.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useCallback, useSyncExternalStore } from 'react';
import { sendSignal } from '../../../../platform/socket-events.ts';

const typingTimers = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
const SEND_INTERVAL_MS = 3_000;

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

export function setTyping(conversationId: string, isTyping: boolean): void {
  clearTimeout(typingTimers.get(conversationId));
  if (isTyping)
    typingTimers.set(
      conversationId,
      setTimeout(() => setTyping(conversationId, false), CHAT_LIMITS.typingMs),
    );
  else if (!typingTimers.delete(conversationId)) return;
  notifyListeners();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useTyping(conversationId: string): boolean {
  const read = useCallback(() => typingTimers.has(conversationId), [conversationId]);
  return useSyncExternalStore(subscribe, read, () => false);
}

const lastSentAt = new Map<string, number>();

/** Sends a typing event at most every three seconds. `isTyping` false reports that the user stopped. */
export function reportTyping(conversationId: string, isTyping: boolean, now: number = Date.now()): void {
  const last = lastSentAt.get(conversationId);
  if (isTyping && last !== undefined && now - last < SEND_INTERVAL_MS) return;
  if (!isTyping && last === undefined) return;
  if (isTyping) lastSentAt.set(conversationId, now);
  else lastSentAt.delete(conversationId);
  sendSignal(sendTyping, { conversationId, isTyping });
}
