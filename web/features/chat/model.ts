/**
 * The rules of what is kept of a conversation: a window on its messages, and lists of conversations. Pure: what is kept plus an
 * event equals what a fresh fetch would give.
 */
import type { Conversation, Message, Side } from '@stagedoor/contract/messages.ts';

/** A run of messages without a gap, ascending by `seq`. */
export type Window = {
  messages: readonly Message[];
  hasOlder: boolean;
  /** There are newer ones than the last: the window was opened around an older message. */
  hasNewer: boolean;
  /** Rises when the window is another one, not a grown one. */
  epoch: number;
};

function ascending(messages: readonly Message[]): Message[] {
  return messages.toSorted((one, other) => one.seq - other.seq);
}

/** Both together, each message once; what is in `newer` replaces. */
export function merged(kept: readonly Message[], newer: readonly Message[]): Message[] {
  const ids = new Set(newer.map(({ id }) => id));
  return ascending([...kept.filter(({ id }) => !ids.has(id)), ...newer]);
}

/** A message that arrived, or is known better now. What is newer than a window on the past waits until one scrolls there. */
export function withMessage(window: Window, message: Message): Window {
  const last = window.messages.at(-1);
  const isKnown = window.messages.some(({ id }) => id === message.id);
  if (isKnown) return replacedMessage(window, message);
  if (window.hasNewer && (!last || message.seq > last.seq)) return window;
  const first = window.messages[0];
  if (window.hasOlder && first && message.seq < first.seq) return window;
  if (!last || message.seq > last.seq) return { ...window, messages: [...window.messages, message] };
  return { ...window, messages: merged(window.messages, [message]) };
}

export function withoutMessage(window: Window, messageId: string): Window {
  return { ...window, messages: window.messages.filter(({ id }) => id !== messageId) };
}

/** A message as it was just told, but no less delivered or read than known: a slow answer may be older than a live mark. */
function risen(known: Message | undefined, told: Message): Message {
  return known && RANK[known.status] > RANK[told.status] ? { ...told, status: known.status } : told;
}

/** Whether what was told takes back what is known: files that were prepared, a purchase. Then the two have crossed, or it was given back. */
export function isTakenBack(known: Message, told: Message): boolean {
  return told.pendingMedia > known.pendingMedia || (known.isPurchased && !told.isPurchased);
}

/** A message that is there already, as it is now. */
export function replacedMessage(window: Window, message: Message): Window {
  return changedMessage(window, message.id, (known) => risen(known, message));
}

export function changedMessage(window: Window, messageId: string, change: (message: Message) => Message): Window {
  return {
    ...window,
    messages: window.messages.map((message) => (message.id === messageId ? change(message) : message)),
  };
}

/** A page of older ones before the window. */
export function withOlder(window: Window, older: readonly Message[], hasOlder: boolean): Window {
  return { ...window, messages: merged(older, window.messages), hasOlder };
}

/** A page of newer ones after the window. */
export function withNewer(window: Window, newer: readonly Message[], hasNewer: boolean): Window {
  return { ...window, messages: merged(window.messages, newer), hasNewer };
}

/**
 * The window after its newest page was asked for again: what came since is there, what changed is changed, what was taken back
 * is gone. A page that does not reach the window begins a new one.
 */
export function resynced(window: Window, page: readonly Message[], hasOlder: boolean): Window {
  const held = new Map(window.messages.map((message) => [message.id, message]));
  const newest = ascending(page).map((message) => risen(held.get(message.id), message));
  const first = newest[0];
  if (!first) return { messages: [], hasOlder: false, hasNewer: false, epoch: window.epoch };
  if (window.hasNewer) {
    const known = new Map(newest.map((message) => [message.id, message]));
    return { ...window, messages: window.messages.map((message) => known.get(message.id) ?? message) };
  }
  const last = window.messages.at(-1);
  const reaches = last === undefined || !hasOlder || first.seq <= last.seq;
  if (!reaches) return { messages: newest, hasOlder, hasNewer: false, epoch: window.epoch + 1 };
  const before = window.messages.filter(({ seq }) => seq < first.seq);
  // What came by the socket while the page was on its way is newer than it.
  const after = window.messages.filter(({ seq }) => seq > (newest.at(-1)?.seq ?? 0));
  return {
    ...window,
    messages: [...before, ...newest, ...after],
    hasOlder: before.length > 0 ? window.hasOlder : hasOlder,
  };
}

/** Locked to its receiver as far as is known here; it may have been bought on another device. */
export function isUnsold({ ownerType, price, isPurchased, isRemoved }: Message): boolean {
  return ownerType === 'creator' && price > 0 && !isPurchased && !isRemoved;
}

/** The window with what was told anew of messages in it. */
export function withTold(window: Window, told: readonly Message[]): Window {
  return told.reduce(replacedMessage, window);
}

const RANK = { failed: 0, sent: 1, delivered: 2, read: 3 } as const;

/** Marks reach back and only rise: everything of that owner up to `seq`. */
export function withStatus(window: Window, ownerId: string, seq: number, status: Message['status']): Window {
  const isLower = (message: Message) =>
    message.ownerId === ownerId && message.seq <= seq && RANK[message.status] < RANK[status];
  if (!window.messages.some(isLower)) return window;
  return {
    ...window,
    messages: window.messages.map((message) => (isLower(message) ? { ...message, status } : message)),
  };
}

// Conversations.

export type Tab = 'chat' | 'unread' | 'requests';
export type List = { items: readonly Conversation[]; nextOffset: string | undefined };

export function otherOf(conversation: Conversation, side: Side) {
  return side === 'creator' ? { ...conversation.customer, isVerified: false } : conversation.user;
}

/** Whether that side wrote it. */
export function isFrom({ ownerType }: Pick<Message, 'ownerType'>, side: Side): boolean {
  return (ownerType === 'creator') === (side === 'creator');
}

export function isMutedBy(conversation: Conversation, side: Side): boolean {
  return side === 'creator' ? conversation.isMutedCreator : conversation.isMutedCustomer;
}

/** Whether a conversation is in the list of that tab. What one has just read stays in `unread` until one looks again. */
export function belongs(conversation: Conversation, tab: Tab, side: Side): boolean {
  const isRequest = side === 'creator' && conversation.info.request === 'requested';
  if (tab === 'requests') return isRequest;
  if (isRequest) return false;
  return tab === 'chat' || conversation.unreadCount > 0;
}

const activityOf = (conversation: Conversation) => conversation.lastMessageCreatedAt ?? '';

/** A conversation in its place by activity, once; taken out when it does not belong there any more. */
export function withConversation(list: List, conversation: Conversation, tab: Tab, side: Side): List {
  const isShown = list.items.some(({ id }) => id === conversation.id);
  const others = list.items.filter(({ id }) => id !== conversation.id);
  const stays =
    belongs(conversation, tab, side) || (isShown && tab === 'unread' && belongs(conversation, 'chat', side));
  if (!stays) return { ...list, items: others };
  const at = others.findIndex((other) => activityOf(other) < activityOf(conversation));
  // Older than everything kept, and there is more: it comes with its own page.
  if (at === -1 && list.nextOffset !== undefined) return { ...list, items: others };
  const place = at === -1 ? others.length : at;
  return { ...list, items: [...others.slice(0, place), conversation, ...others.slice(place)] };
}

export function withoutConversation(list: List, id: string): List {
  return { ...list, items: list.items.filter((conversation) => conversation.id !== id) };
}

/** More conversations at the end of the list. */
export function withMore(list: List, more: readonly Conversation[], nextOffset: string | undefined): List {
  const known = new Set(list.items.map(({ id }) => id));
  return { items: [...list.items, ...more.filter(({ id }) => !known.has(id))], nextOffset };
}

/** The list after its first page was asked for again. A page that does not reach what is kept begins a new list. */
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

/** A conversation after a message in it. */
export function afterMessage(conversation: Conversation, message: Message, viewerId: string): Conversation {
  const { lastMessage } = conversation;
  if (lastMessage && lastMessage.seq >= message.seq) return conversation;
  const isNew = message.ownerId !== viewerId && message.seq > conversation.ownReadSeq;
  return {
    ...conversation,
    lastMessageCreatedAt: message.createdAt,
    lastMessage: {
      id: message.id,
      revision: message.revision,
      seq: message.seq,
      type: message.type,
      text: message.text.slice(0, 200),
      ownerType: message.ownerType,
      status: message.status,
      createdAt: message.createdAt,
      price: message.price,
      isPurchased: message.isPurchased,
      fileCount: message.media.length + message.documents.length + message.pendingMedia + (message.voice ? 1 : 0),
    },
    unreadCount: conversation.unreadCount + (isNew ? 1 : 0),
  };
}

/** A conversation after a mark: the other side's cursors on what is the viewer's, the viewer's own on what is not. */
export function afterMark(
  conversation: Conversation,
  mark: { isOwn: boolean; seq: number; status: Message['status'] },
  side: Side,
): Conversation {
  const { lastMessage } = conversation;
  const { isOwn, seq, status } = mark;
  if (!isOwn) {
    if (status !== 'read' || seq <= conversation.ownReadSeq) return conversation;
    const isAll = !lastMessage || lastMessage.seq <= seq;
    return { ...conversation, ownReadSeq: seq, unreadCount: isAll ? 0 : conversation.unreadCount };
  }
  const isLast =
    lastMessage !== null &&
    isFrom(lastMessage, side) &&
    lastMessage.seq <= seq &&
    RANK[lastMessage.status] < RANK[status];
  return {
    ...conversation,
    deliveredSeq: Math.max(conversation.deliveredSeq, seq),
    readSeq: status === 'read' ? Math.max(conversation.readSeq, seq) : conversation.readSeq,
    lastMessage: isLast ? { ...lastMessage, status } : lastMessage,
  };
}
