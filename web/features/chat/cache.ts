/**
 * Chat in the app's one cache: what is kept of threads and lists, how it is asked for, and how one changes it. Asking again, as
 * after a lost connection, asks for the newest page and for what may have been bought elsewhere, and joins it to what is there.
 */
import { conversationList, getConversation, messageList } from '@stagedoor/contract/chat.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import { BROADCAST_KEY, type Conversation, type Message } from '@stagedoor/contract/messages.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../kernel/api.ts';
import { apiQuery, transportOf } from '../../kernel/query.ts';
import {
  isTakenBack,
  isUnsold,
  type List,
  replacedMessage,
  resynced,
  resyncedList,
  type Tab,
  type Window,
  withConversation,
  withMore,
  withNewer,
  withOlder,
  withoutConversation,
  withTold,
} from './model.ts';

const THREAD_PAGE = 50;
/** Pages that are asked for again because something in them may have been bought. */
const UNSOLD_PAGES = 4;
const LIST_PAGE = 50;
const THREAD = 'chat-thread';
const LIST = 'chat-list';

const threadKey = (id: string) => [THREAD, id] as const;
const listKey = (tab: Tab, search: string) => [LIST, tab, search] as const;
const fetchOptions = (signal: AbortSignal) => (typeof window === 'undefined' ? {} : { signal });

/** Taken back while a page that still has them was on its way. */
const removed = new Set<string>();
/** Arrived lately: a page that was on its way then may not have them yet. */
const RECENT = 50;
const recent: Message[] = [];

export function noteArrived(message: Message): void {
  if (recent.some(({ id }) => id === message.id)) return;
  recent.push(message);
  if (recent.length > RECENT) recent.shift();
}

/** With a new connection: what was taken back over the lost one is not known, and pages are asked for again. */
export function forgetArrived(): void {
  recent.length = 0;
}

/** What arrived since a page's data was made, and before the page listened, into its thread and its conversation. */
export function takeRecent(take: (message: Message) => void, client: QueryClient): void {
  for (const message of recent) {
    const isKnown = threadOfCache(client, message.conversationId)?.messages.some(({ id }) => id === message.id);
    if (!isKnown && !removed.has(message.id)) take(message);
  }
}

/** A newest page, newest first, with what arrived while it was on its way. */
function withRecent(id: string, page: readonly Message[]): Message[] {
  const newest = page[0]?.seq ?? 0;
  const known = new Set(page.map((message) => message.id));
  const later = recent.filter(
    (message) =>
      message.conversationId === id && message.seq > newest && !known.has(message.id) && !removed.has(message.id),
  );
  return [...later.toSorted((one, other) => other.seq - one.seq), ...page];
}

type Range = { before?: number; after?: number };

async function askMessages(client: QueryClient, id: string, range: Range, limit: number, signal?: AbortSignal) {
  const answer = await callApi(
    transportOf(client),
    messageList,
    { params: { id }, query: { limit, ...range } },
    signal ? fetchOptions(signal) : {},
  );
  return {
    messages: answer.data.filter((message) => !removed.has(message.id)),
    hasMore: answer.nextOffset !== undefined,
  };
}

/** What is locked in a kept thread before a seq, as it is now, with what is around it. What cannot be asked stays as it is. */
async function askUnsold(client: QueryClient, id: string, before: number, signal: AbortSignal): Promise<Message[]> {
  if (id === BROADCAST_KEY) return [];
  const unsold = threadOfCache(client, id)?.messages.filter((message) => message.seq < before && isUnsold(message));
  const told: Message[] = [];
  let next = unsold?.at(-1);
  for (let asked = 0; next && asked < UNSOLD_PAGES; asked += 1) {
    const range = { before: next.seq + 1 };
    const page = await askMessages(client, id, range, THREAD_PAGE, signal).catch(() => undefined);
    if (!page) break;
    told.push(...page.messages);
    const oldest = page.messages.at(-1)?.seq ?? 0;
    next = unsold?.findLast(({ seq }) => seq < oldest);
  }
  return told;
}

/** A thread's window, opened at its newest messages. Live events keep it true; leaving chat makes it stale. */
export function threadQuery(id: string) {
  return queryOptions({
    queryKey: threadKey(id),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ client, signal }): Promise<Window> => {
      const page = await askMessages(client, id, {}, THREAD_PAGE, signal);
      const told = await askUnsold(client, id, page.messages.at(-1)?.seq ?? 0, signal);
      const messages = withRecent(id, page.messages);
      const held = client.getQueryData<Window>(threadKey(id));
      return held
        ? withTold(resynced(held, messages, page.hasMore), told)
        : { messages: messages.toReversed(), hasOlder: page.hasMore, hasNewer: false, epoch: 0 };
    },
  });
}

export function changeThread(client: QueryClient, id: string, change: (window: Window) => Window): void {
  client.setQueryData<Window>(threadKey(id), (window) => window && change(window));
}

export function threadOfCache(client: QueryClient, id: string): Window | undefined {
  return client.getQueryData<Window>(threadKey(id));
}

/**
 * A message as it was told, into its thread. An answer and an event about it may cross: where what was told takes back what is
 * known, the message is asked for once more.
 */
export function takeTold(client: QueryClient, message: Message, take = replacedMessage): void {
  const { conversationId, id, seq } = message;
  const known = threadOfCache(client, conversationId)?.messages.find((each) => each.id === id);
  changeThread(client, conversationId, (window) => take(window, message));
  if (!known || !isTakenBack(known, message)) return;
  askMessages(client, conversationId, { before: seq + 1 }, 1).then(
    ({ messages: [now] }) => {
      if (now?.id === id) changeThread(client, conversationId, (window) => replacedMessage(window, now));
    },
    () => undefined,
  );
}

/** One page of older messages. Rejects with the ApiError. */
export async function loadOlder(client: QueryClient, id: string): Promise<void> {
  const window = threadOfCache(client, id);
  const first = window?.messages[0];
  if (!window?.hasOlder || !first) return;
  const page = await askMessages(client, id, { before: first.seq }, THREAD_PAGE);
  changeThread(client, id, (now) => withOlder(now, page.messages, page.hasMore));
}

/** One page of newer messages, for a window on the past. */
export async function loadNewer(client: QueryClient, id: string): Promise<void> {
  const window = threadOfCache(client, id);
  const last = window?.messages.at(-1);
  if (!window?.hasNewer || !last) return;
  const page = await askMessages(client, id, { after: last.seq }, THREAD_PAGE);
  changeThread(client, id, (now) => withNewer(now, page.messages, page.hasMore));
}

/** Opens the window around one message, unless it is inside already. */
export async function openAround(client: QueryClient, id: string, seq: number): Promise<void> {
  const window = threadOfCache(client, id);
  if (window?.messages.some((message) => message.seq === seq)) return;
  const [older, newer] = await Promise.all([
    askMessages(client, id, { before: seq + 1 }, THREAD_PAGE),
    askMessages(client, id, { after: seq }, THREAD_PAGE),
  ]);
  changeThread(client, id, (now) => ({
    messages: [...older.messages.toReversed(), ...newer.messages],
    hasOlder: older.hasMore,
    hasNewer: newer.hasMore,
    epoch: now.epoch + 1,
  }));
}

/** Back to the newest messages. */
export async function openNewest(client: QueryClient, id: string): Promise<void> {
  const page = await askMessages(client, id, {}, THREAD_PAGE);
  changeThread(client, id, (now) => ({
    messages: page.messages.toReversed(),
    hasOlder: page.hasMore,
    hasNewer: false,
    epoch: now.epoch + 1,
  }));
}

export function listQuery(tab: Tab, search = '') {
  return queryOptions({
    queryKey: listKey(tab, search),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ client, signal }): Promise<List> => {
      const query = { limit: LIST_PAGE, tab, ...(search && { search }) };
      const page = await callApi(transportOf(client), conversationList, { query }, fetchOptions(signal));
      const held = client.getQueryData<List>(listKey(tab, search));
      const arrived = new Set(recent.map(({ conversationId }) => conversationId));
      return held
        ? resyncedList(held, page.data, page.nextOffset, arrived)
        : { items: page.data, nextOffset: page.nextOffset };
    },
  });
}

export async function loadMore(client: QueryClient, tab: Tab, search: string): Promise<void> {
  const list = client.getQueryData<List>(listKey(tab, search));
  if (list?.nextOffset === undefined) return;
  const query = { limit: LIST_PAGE, tab, offset: list.nextOffset, ...(search && { search }) };
  const page = await callApi(transportOf(client), conversationList, { query });
  client.setQueryData<List>(listKey(tab, search), (now) => now && withMore(now, page.data, page.nextOffset));
}

/** Every list that is kept, with its tab and search. */
function eachList(client: QueryClient, change: (list: List, tab: Tab, search: string) => List): void {
  for (const [key, list] of client.getQueriesData<List>({ queryKey: [LIST] })) {
    const [, tab, search] = key;
    if (!list || (tab !== 'chat' && tab !== 'unread' && tab !== 'requests') || typeof search !== 'string') continue;
    const changed = change(list, tab, search);
    if (changed !== list) client.setQueryData<List>(key, changed);
  }
}

export const conversationQuery = (id: string) => ({
  ...apiQuery(getConversation, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What is kept of a conversation, from wherever it is. */
export function knownConversation(client: QueryClient, id: string): Conversation | undefined {
  const detail = client.getQueryData(conversationQuery(id).queryKey);
  if (detail) return detail.data;
  for (const [, list] of client.getQueriesData<List>({ queryKey: [LIST] })) {
    const found = list?.items.find((conversation) => conversation.id === id);
    if (found) return found;
  }
  return undefined;
}

/** Puts a conversation wherever it belongs. A search result only changes in place. */
export function putConversation(client: QueryClient, conversation: Conversation, side: Side): void {
  client.setQueryData(
    conversationQuery(conversation.id).queryKey,
    (detail) => detail && { ...detail, data: conversation },
  );
  eachList(client, (list, tab, search) =>
    search === '' || list.items.some(({ id }) => id === conversation.id)
      ? withConversation(list, conversation, tab, side)
      : list,
  );
}

/** Changes a conversation if it is known; answers whether it was. */
export function changeConversation(
  client: QueryClient,
  id: string,
  side: Side,
  change: (conversation: Conversation) => Conversation,
): boolean {
  const known = knownConversation(client, id);
  if (!known) return false;
  const changed = change(known);
  if (changed !== known) putConversation(client, changed, side);
  return true;
}

/** A conversation as the server has it now. */
export async function refreshConversation(client: QueryClient, id: string, side: Side): Promise<void> {
  const detail = await client.fetchQuery({ ...conversationQuery(id), staleTime: 0 });
  putConversation(client, detail.data, side);
}

export function dropConversation(client: QueryClient, id: string): void {
  eachList(client, (list) => withoutConversation(list, id));
  client.removeQueries({ queryKey: threadKey(id) });
  client.removeQueries({ queryKey: conversationQuery(id).queryKey });
}

/** Forgets a thread's messages; they are asked for when it is opened again. */
export function dropThread(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: threadKey(id) });
}

export function noteRemoved(messageId: string): void {
  removed.add(messageId);
}

/** Asks again for what is shown: it was made before the live events began. */
export function catchUp(client: QueryClient): void {
  for (const queryKey of [[THREAD], [LIST]]) void client.refetchQueries({ queryKey, type: 'active' });
}

/** Nobody listens any more: what is kept may be out of date when one comes back. */
export function forgetFreshness(client: QueryClient): void {
  for (const queryKey of [[THREAD], [LIST], apiQuery(getConversation, { params: { id: '' } }).queryKey.slice(0, 1)])
    void client.invalidateQueries({ queryKey, refetchType: 'none' });
}
