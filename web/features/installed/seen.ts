/** Stores what the user saw last for reading offline. Only the same account can read it, and logging out deletes it. */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { onSignal } from '../../kernel/signals.ts';
import { SEEN_ENTRY, SEEN_PREFIX, type Seen, type SeenConversation, SHARED_CACHE } from '../../workers/shared.ts';

const WRITE_MS = 500;
const POSTS = 20;
const CONVERSATIONS = 20;
const MESSAGES = 40;

export type SeenNow = { feed: Seen['feed']; conversations: Seen['conversations'] };

/** Merges the stored content with the current one. A thread that is not open keeps its stored messages. */
export function withSeen(before: Seen | undefined, now: SeenNow, name: string, at: string): Seen {
  const threads = new Map(before?.conversations?.map(({ id, messages }) => [id, messages]));
  const messagesOf = ({ id, messages }: SeenConversation) => (messages.length > 0 ? messages : (threads.get(id) ?? []));
  return {
    at,
    name,
    feed: now.feed?.slice(0, POSTS) ?? before?.feed ?? null,
    conversations:
      now.conversations
        ?.slice(0, CONVERSATIONS)
        .map((each) => ({ ...each, messages: messagesOf(each).slice(-MESSAGES) })) ??
      before?.conversations ??
      null,
  };
}

function isSeen(value: unknown): value is Seen {
  return typeof value === 'object' && value !== null && 'feed' in value && 'conversations' in value;
}

/**
 * Deletes stored content and shared files of other accounts, and shared files that have expired. Without `id` it
 * deletes those of all accounts.
 */
export async function forgetSeen(id?: string): Promise<void> {
  const names = await caches.keys();
  const isGone = (name: string) =>
    (name.startsWith(SEEN_PREFIX) && name !== `${SEEN_PREFIX}${id}`) || (id === undefined && name === SHARED_CACHE);
  await Promise.all(names.filter(isGone).map((name) => caches.delete(name)));
  if (id === undefined || !names.includes(SHARED_CACHE)) return;
  const { sharedFor } = await import('../../workers/shared-store.ts');
  await sharedFor(caches, id, Date.now());
}

async function keep(id: string, change: (before: Seen | undefined) => Seen): Promise<void> {
  const cache = await caches.open(SEEN_PREFIX + id);
  const kept: unknown = await (await cache.match(SEEN_ENTRY))?.json().catch(() => undefined);
  await cache.put(SEEN_ENTRY, new Response(JSON.stringify(change(isSeen(kept) ? kept : undefined))));
}

export function keepSeen(
  client: QueryClient,
  { id, name }: Pick<Viewer, 'id' | 'name'>,
  read: () => SeenNow,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = forgetSeen(id).catch(() => undefined);
  let isOver = false;
  const write = () => {
    timer = undefined;
    const now = read();
    if (isOver || (now.feed === null && now.conversations === null)) return;
    last = last
      .then(() => (isOver ? undefined : keep(id, (before) => withSeen(before, now, name, new Date().toISOString()))))
      // A full disk or missing storage only means that nothing can be read offline.
      .catch(() => undefined);
  };
  const soon = () => {
    timer ??= setTimeout(write, WRITE_MS);
  };
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const leave = () => {
    stop();
    void last.then(() => forgetSeen()).catch(() => undefined);
  };
  soon();
  const stops = [
    client.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') soon();
    }),
    onSignal('leaving', leave),
    onSignal('unauthorized', leave),
  ];
  return () => {
    stop();
    for (const one of stops) one();
  };
}
