/** Stores what the user saw last for reading offline. Only the same account can read it, and logging out deletes it. */
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import type { QueryClient } from '@tanstack/react-query';
import {
  SEEN_ENTRY,
  SEEN_PREFIX,
  type SeenContent,
  type SeenConversation,
  SHARED_CACHE,
} from '../../workers/shared.ts';
import { onSignal } from '../signals.ts';

const WRITE_MS = 500;
const POSTS = 20;
const CONVERSATIONS = 20;
const MESSAGES = 40;

export type CurrentContent = { feed: SeenContent['feed']; conversations: SeenContent['conversations'] };

/** Merges the stored content with the current one. A thread that is not open keeps its stored messages. */
export function mergeSeenContent(
  before: SeenContent | undefined,
  current: CurrentContent,
  name: string,
  at: string,
): SeenContent {
  const threads = new Map(before?.conversations?.map(({ id, messages }) => [id, messages]));
  const getMessages = ({ id, messages }: SeenConversation) =>
    messages.length > 0 ? messages : (threads.get(id) ?? []);
  return {
    at,
    name,
    feed: current.feed?.slice(0, POSTS) ?? before?.feed ?? null,
    conversations:
      current.conversations
        ?.slice(0, CONVERSATIONS)
        .map((conversation) => ({ ...conversation, messages: getMessages(conversation).slice(-MESSAGES) })) ??
      before?.conversations ??
      null,
  };
}

function isSeenContent(value: unknown): value is SeenContent {
  return typeof value === 'object' && value !== null && 'feed' in value && 'conversations' in value;
}

/**
 * Deletes stored content and shared files of other accounts, and shared files that have expired. Without `id` it
 * deletes those of all accounts.
 */
export async function deleteSeenContent(id?: string): Promise<void> {
  const names = await caches.keys();
  const isObsolete = (name: string) =>
    (name.startsWith(SEEN_PREFIX) && name !== `${SEEN_PREFIX}${id}`) || (id === undefined && name === SHARED_CACHE);
  await Promise.all(names.filter(isObsolete).map((name) => caches.delete(name)));
  if (id === undefined || !names.includes(SHARED_CACHE)) return;
  const { findShareNote } = await import('../../workers/shared-store.ts');
  await findShareNote(caches, id, Date.now());
}

async function updateSeenContent(id: string, change: (before: SeenContent | undefined) => SeenContent): Promise<void> {
  const cache = await caches.open(SEEN_PREFIX + id);
  const stored: unknown = await (await cache.match(SEEN_ENTRY))?.json().catch(() => undefined);
  await cache.put(SEEN_ENTRY, new Response(JSON.stringify(change(isSeenContent(stored) ? stored : undefined))));
}

export function startContentSync(
  client: QueryClient,
  { id, name }: Pick<Viewer, 'id' | 'name'>,
  read: () => CurrentContent,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastWrite: Promise<unknown> = deleteSeenContent(id).catch(() => undefined);
  let isStopped = false;
  const write = () => {
    timer = undefined;
    const current = read();
    if (isStopped || (current.feed === null && current.conversations === null)) return;
    lastWrite = lastWrite
      .then(() =>
        isStopped
          ? undefined
          : updateSeenContent(id, (before) => mergeSeenContent(before, current, name, new Date().toISOString())),
      )
      // A full disk or missing storage only means that nothing can be read offline.
      .catch(() => undefined);
  };
  const scheduleWrite = () => {
    timer ??= setTimeout(write, WRITE_MS);
  };
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  const stopAndDelete = () => {
    stop();
    void lastWrite.then(() => deleteSeenContent()).catch(() => undefined);
  };
  scheduleWrite();
  const stops = [
    client.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') scheduleWrite();
    }),
    onSignal('leaving', stopAndDelete),
    onSignal('unauthorized', stopAndDelete),
  ];
  return () => {
    stop();
    for (const unsubscribe of stops) unsubscribe();
  };
}
