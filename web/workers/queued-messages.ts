/** The queued chat messages of the outbox, for the offline page, which does not load the chat. */
import type { SeenConversation, SeenMessage } from './shared.ts';

export type QueuedMessage = { thread: string; at: string; order: number; text: string; isFailed: boolean };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns the text of an entry of the outbox, with the names of its files. Undefined if the value is none. */
export function parseQueuedMessage(value: unknown): QueuedMessage | undefined {
  if (!isObject(value)) return undefined;
  const { thread, createdAt, order, text, files, voice, state } = value;
  if (typeof thread !== 'string' || typeof createdAt !== 'string' || typeof text !== 'string') return undefined;
  const names = Array.isArray(files) ? files.flatMap((file) => (isObject(file) ? [String(file.name)] : [])) : [];
  const fileText = voice ? 'Voice message' : names.join(', ');
  return {
    thread,
    at: createdAt,
    order: typeof order === 'number' ? order : 0,
    text: [fileText, text].filter(Boolean).join(': '),
    isFailed: state === 'failed',
  };
}

/** Appends the queued messages to the stored ones of their conversations. */
export function addQueuedMessages(
  conversations: readonly SeenConversation[],
  queued: readonly QueuedMessage[],
): SeenConversation[] {
  return conversations.map((conversation) => {
    const own = queued
      .filter(({ thread }) => thread === conversation.id)
      .toSorted((one, other) => one.order - other.order)
      .map(
        ({ at, text, isFailed }): SeenMessage => ({ isMine: true, at, text, pending: isFailed ? 'failed' : 'waiting' }),
      );
    return { ...conversation, messages: [...conversation.messages, ...own] };
  });
}

/** Reads the entries of an account. The database is not created if it does not exist. */
export function listQueuedMessages(database: string, userId: string): Promise<QueuedMessage[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('outbox').objectStore('outbox').index('userId').getAll(userId);
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result.flatMap((entry: unknown) => parseQueuedMessage(entry) ?? []));
      };
      reading.onerror = () => reject(reading.error);
    };
  });
}
