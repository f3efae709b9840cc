/**
 * Pure functions for the displayed windows of messages and lists of conversations. Merging a page gives the same result
 * as a fresh fetch. merge.ts applies single changes.
 */
import type { Conversation, Message, Side } from '@stagedoor/contract/messages.ts';

/** Consecutive messages, ascending by `seq`. */
export type Window = {
  messages: readonly Message[];
  hasOlder: boolean;
  /** Newer messages exist, because the window was opened around an older message. */
  hasNewer: boolean;
  /** Nothing is missing up to this `seq`. Later messages come from events and may follow a gap. */
  knownTo: number;
  /** Increases when the window is replaced instead of extended. */
  epoch: number;
};

export type Page = {
  messages: readonly Message[];
  from: number;
  knowsTo: number;
  /** The page reached the end of the thread. Messages after `knowsTo` may have arrived since. */
  isNewest: boolean;
};

export type Range = { before?: number; after?: number };

export function pageOf(answered: readonly Message[], range: Range, hasMore: boolean, lastSeq: number): Page {
  const { before = Number.POSITIVE_INFINITY, after } = range;
  const messages = answered.toSorted((one, other) => one.seq - other.seq);
  const [first, last] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
  const isNewest = after === undefined ? before === Number.POSITIVE_INFINITY : !hasMore;
  return {
    messages,
    from: after === undefined ? (hasMore ? first : 0) : after + 1,
    knowsTo: after !== undefined && hasMore ? last : Math.min(before - 1, Math.max(last, lastSeq)),
    isNewest,
  };
}

export function opened({ messages, from, knowsTo, isNewest }: Page, epoch = 0): Window {
  return { messages, hasOlder: from > 0, hasNewer: !isNewest, knownTo: knowsTo, epoch };
}

function fromOf({ hasOlder, messages }: Window): number {
  return hasOlder ? (messages[0]?.seq ?? 0) : 0;
}

/**
 * Merges a page into a window: new messages are added, changed ones replaced, missing ones removed. A newest page that
 * does not touch the window replaces it. Any other page that does not touch it is ignored.
 */
export function withPage(window: Window, page: Page): Window {
  const from = fromOf(window);
  const isBeyond = page.from > window.knownTo + 1;
  if (isBeyond && page.isNewest && !window.hasNewer) return opened(page, window.epoch + 1);
  if (isBeyond || page.knowsTo < from - 1) return window;
  const kept = new Map(window.messages.map((message) => [message.id, message]));
  const told = page.messages.map((message) => {
    const known = kept.get(message.id);
    return known && known.revision > message.revision ? known : message;
  });
  return {
    ...window,
    messages: [
      ...window.messages.filter(({ seq }) => seq < page.from),
      ...told,
      ...window.messages.filter(({ seq }) => seq > page.knowsTo),
    ],
    hasOlder: page.from <= from ? page.from > 0 : window.hasOlder,
    hasNewer: window.hasNewer && !(page.isNewest && page.knowsTo >= window.knownTo),
    knownTo: Math.max(window.knownTo, page.knowsTo),
  };
}

export function within(page: Page, window: Window): Page {
  const from = Math.max(page.from, fromOf(window));
  return { ...page, from, messages: page.messages.filter(({ seq }) => seq >= from) };
}

/** Whether the message is locked as far as is known here. It may have been bought on another device. */
export function isUnsold({ ownerType, price, isPurchased, isRemoved }: Message): boolean {
  return ownerType === 'creator' && price > 0 && !isPurchased && !isRemoved;
}

export type Tab = 'chat' | 'unread' | 'requests';
export type List = { items: readonly Conversation[]; nextOffset: string | undefined };

export function otherOf(conversation: Conversation, side: Side) {
  return side === 'creator' ? { ...conversation.customer, isVerified: false } : conversation.user;
}

export function isFrom({ ownerType }: Pick<Message, 'ownerType'>, side: Side): boolean {
  return (ownerType === 'creator') === (side === 'creator');
}

export function isMutedBy(conversation: Conversation, side: Side): boolean {
  return side === 'creator' ? conversation.isMutedCreator : conversation.isMutedCustomer;
}

/** Whether a conversation belongs to a tab. One that was just read stays in `unread` until the list is reloaded. */
export function belongs(conversation: Conversation, tab: Tab, side: Side): boolean {
  const isRequest = side === 'creator' && conversation.info.request === 'requested';
  if (tab === 'requests') return isRequest;
  if (isRequest) return false;
  return tab === 'chat' || conversation.unreadCount > 0;
}

const activityOf = (conversation: Conversation) => conversation.lastMessageCreatedAt ?? '';

export function withConversation(list: List, conversation: Conversation, tab: Tab, side: Side): List {
  const isShown = list.items.some(({ id }) => id === conversation.id);
  const others = list.items.filter(({ id }) => id !== conversation.id);
  const stays =
    belongs(conversation, tab, side) || (isShown && tab === 'unread' && belongs(conversation, 'chat', side));
  if (!stays) return { ...list, items: others };
  const at = others.findIndex((other) => activityOf(other) < activityOf(conversation));
  if (at === -1 && list.nextOffset !== undefined) return { ...list, items: others };
  const place = at === -1 ? others.length : at;
  return { ...list, items: [...others.slice(0, place), conversation, ...others.slice(place)] };
}

export function withoutConversation(list: List, id: string): List {
  return { ...list, items: list.items.filter((conversation) => conversation.id !== id) };
}

export function withMore(list: List, more: readonly Conversation[], nextOffset: string | undefined): List {
  const known = new Set(list.items.map(({ id }) => id));
  return { items: [...list.items, ...more.filter(({ id }) => !known.has(id))], nextOffset };
}

/** Merges a new first page into a list. A page that does not overlap the list replaces it. */
export function resyncedList(list: List, page: readonly Conversation[], nextOffset: string | undefined): List {
  const boundary = page.at(-1);
  if (!boundary || nextOffset === undefined) return { items: page, nextOffset };
  const kept = new Map(list.items.map((conversation) => [conversation.id, conversation]));
  const reaches = page.some((each) => {
    const known = kept.get(each.id);
    return known !== undefined && activityOf(known) === activityOf(each);
  });
  if (!reaches) return { items: page, nextOffset };
  const fresh = new Set(page.map(({ id }) => id));
  const tail = list.items.filter((each) => !fresh.has(each.id) && activityOf(each) < activityOf(boundary));
  return { items: [...page, ...tail], nextOffset: tail.length > 0 ? list.nextOffset : nextOffset };
}

/**
 * Applies known changes to a loaded list: `shownOf` gives the displayed version of each conversation, and conversations
 * that changed after the request are added.
 */
export function asKnown(
  list: List,
  shownOf: (conversation: Conversation) => Conversation | undefined,
  since: readonly Conversation[],
  tab: Tab,
  side: Side,
): List {
  const moved: Conversation[] = [];
  const items = list.items.flatMap((told) => {
    const shown = shownOf(told);
    if (!shown) return [];
    if (activityOf(shown) === activityOf(told) && belongs(shown, tab, side)) return [shown];
    moved.push(shown);
    return [];
  });
  return [...moved, ...since].reduce<List>((known, each) => withConversation(known, each, tab, side), {
    ...list,
    items,
  });
}
