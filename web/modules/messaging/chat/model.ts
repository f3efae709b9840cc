/**
 * Pure functions for the displayed windows of messages and lists of conversations. Merging a page gives the same result
 * as a fresh fetch. merge.ts applies single changes.
 */
import type { ChatSide, Conversation, Message } from '@stagedoor/contract/messaging/messages.ts';

/** Consecutive messages, ascending by `seq`. */
export type MessageWindow = {
  messages: readonly Message[];
  hasOlder: boolean;
  /** Newer messages exist, because the window was opened around an older message. */
  hasNewer: boolean;
  /** Nothing is missing up to this `seq`. Later messages come from events and may follow a gap. */
  knownTo: number;
  /** Increases when the window is replaced instead of extended. */
  epoch: number;
};

export type MessagePage = {
  messages: readonly Message[];
  from: number;
  knowsTo: number;
  /** The page reached the end of the thread. Messages after `knowsTo` may have arrived since. */
  isNewest: boolean;
};

export type MessageRange = { before?: number; after?: number };

export function toMessagePage(
  loaded: readonly Message[],
  range: MessageRange,
  hasMore: boolean,
  lastSeq: number,
): MessagePage {
  const { before = Number.POSITIVE_INFINITY, after } = range;
  const messages = loaded.toSorted((one, other) => one.seq - other.seq);
  const [first, last] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
  const isNewest = after === undefined ? before === Number.POSITIVE_INFINITY : !hasMore;
  return {
    messages,
    from: after === undefined ? (hasMore ? first : 0) : after + 1,
    knowsTo: after !== undefined && hasMore ? last : Math.min(before - 1, Math.max(last, lastSeq)),
    isNewest,
  };
}

export function toWindow({ messages, from, knowsTo, isNewest }: MessagePage, epoch = 0): MessageWindow {
  return { messages, hasOlder: from > 0, hasNewer: !isNewest, knownTo: knowsTo, epoch };
}

function getStart({ hasOlder, messages }: MessageWindow): number {
  return hasOlder ? (messages[0]?.seq ?? 0) : 0;
}

/**
 * Merges a page into a window: new messages are added, changed ones replaced, missing ones removed. A newest page that
 * does not touch the window replaces it. Any other page that does not touch it is ignored.
 */
export function mergePage(window: MessageWindow, page: MessagePage): MessageWindow {
  const from = getStart(window);
  const isBeyond = page.from > window.knownTo + 1;
  if (isBeyond && page.isNewest && !window.hasNewer) return toWindow(page, window.epoch + 1);
  if (isBeyond || page.knowsTo < from - 1) return window;
  const currentById = new Map(window.messages.map((message) => [message.id, message]));
  const merged = page.messages.map((message) => {
    const existing = currentById.get(message.id);
    return existing && existing.revision > message.revision ? existing : message;
  });
  return {
    ...window,
    messages: [
      ...window.messages.filter(({ seq }) => seq < page.from),
      ...merged,
      ...window.messages.filter(({ seq }) => seq > page.knowsTo),
    ],
    hasOlder: page.from <= from ? page.from > 0 : window.hasOlder,
    hasNewer: window.hasNewer && !(page.isNewest && page.knowsTo >= window.knownTo),
    knownTo: Math.max(window.knownTo, page.knowsTo),
  };
}

export function clipPage(page: MessagePage, window: MessageWindow): MessagePage {
  const from = Math.max(page.from, getStart(window));
  return { ...page, from, messages: page.messages.filter(({ seq }) => seq >= from) };
}

/** Whether the message is locked as far as is known here. It may have been bought on another device. */
export function isLockedForViewer({ ownerType, price, isPurchased, isRemoved }: Message): boolean {
  return ownerType === 'creator' && price > 0 && !isPurchased && !isRemoved;
}

export type ChatTab = 'chat' | 'unread' | 'requests';
export type ConversationListData = { items: readonly Conversation[]; nextOffset: string | undefined };

export function getOtherUser(conversation: Conversation, side: ChatSide) {
  return side === 'creator' ? { ...conversation.customer, isVerified: false } : conversation.user;
}

export function isFromSide({ ownerType }: Pick<Message, 'ownerType'>, side: ChatSide): boolean {
  return (ownerType === 'creator') === (side === 'creator');
}

export function isMutedBy(conversation: Conversation, side: ChatSide): boolean {
  return side === 'creator' ? conversation.isMutedCreator : conversation.isMutedCustomer;
}

/** Whether a conversation belongs to a tab. One that was just read stays in `unread` until the list is reloaded. */
export function isInTab(conversation: Conversation, tab: ChatTab, side: ChatSide): boolean {
  const isRequest = side === 'creator' && conversation.info.request === 'requested';
  if (tab === 'requests') return isRequest;
  if (isRequest) return false;
  return tab === 'chat' || conversation.unreadCount > 0;
}

const getLastActivity = (conversation: Conversation) => conversation.lastMessageCreatedAt ?? '';

export function upsertConversation(
  list: ConversationListData,
  conversation: Conversation,
  tab: ChatTab,
  side: ChatSide,
): ConversationListData {
  const isShown = list.items.some(({ id }) => id === conversation.id);
  const others = list.items.filter(({ id }) => id !== conversation.id);
  const isListed =
    isInTab(conversation, tab, side) || (isShown && tab === 'unread' && isInTab(conversation, 'chat', side));
  if (!isListed) return { ...list, items: others };
  const index = others.findIndex((other) => getLastActivity(other) < getLastActivity(conversation));
  if (index === -1 && list.nextOffset !== undefined) return { ...list, items: others };
  const insertAt = index === -1 ? others.length : index;
  return { ...list, items: [...others.slice(0, insertAt), conversation, ...others.slice(insertAt)] };
}

export function removeConversation(list: ConversationListData, id: string): ConversationListData {
  return { ...list, items: list.items.filter((conversation) => conversation.id !== id) };
}

export function appendConversations(
  list: ConversationListData,
  more: readonly Conversation[],
  nextOffset: string | undefined,
): ConversationListData {
  const knownIds = new Set(list.items.map(({ id }) => id));
  return { items: [...list.items, ...more.filter(({ id }) => !knownIds.has(id))], nextOffset };
}

/** Merges a new first page into a list. A page that does not overlap the list replaces it. */
export function mergeFirstPage(
  list: ConversationListData,
  page: readonly Conversation[],
  nextOffset: string | undefined,
): ConversationListData {
  const boundary = page.at(-1);
  if (!boundary || nextOffset === undefined) return { items: page, nextOffset };
  const currentById = new Map(list.items.map((conversation) => [conversation.id, conversation]));
  const isOverlapping = page.some((each) => {
    const existing = currentById.get(each.id);
    return existing !== undefined && getLastActivity(existing) === getLastActivity(each);
  });
  if (!isOverlapping) return { items: page, nextOffset };
  const pageIds = new Set(page.map(({ id }) => id));
  const tail = list.items.filter((each) => !pageIds.has(each.id) && getLastActivity(each) < getLastActivity(boundary));
  return { items: [...page, ...tail], nextOffset: tail.length > 0 ? list.nextOffset : nextOffset };
}

/**
 * Applies known changes to a loaded list: `findCurrent` gives the displayed version of each conversation, and conversations
 * that changed after the request are added.
 */
export function applyKnownChanges(
  list: ConversationListData,
  findCurrent: (conversation: Conversation) => Conversation | undefined,
  changedSince: readonly Conversation[],
  tab: ChatTab,
  side: ChatSide,
): ConversationListData {
  const moved: Conversation[] = [];
  const items = list.items.flatMap((listed) => {
    const current = findCurrent(listed);
    if (!current) return [];
    if (getLastActivity(current) === getLastActivity(listed) && isInTab(current, tab, side)) return [current];
    moved.push(current);
    return [];
  });
  return [...moved, ...changedSince].reduce<ConversationListData>(
    (result, each) => upsertConversation(result, each, tab, side),
    {
      ...list,
      items,
    },
  );
}
