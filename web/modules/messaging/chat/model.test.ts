import { describe, expect, test } from 'vitest';
import {
  applyState,
  applyUpdate,
  type ConversationUpdate,
  EMPTY_STATE,
  toConversation,
  toLastMessage,
} from './merge.ts';
import {
  applyKnownChanges,
  type ConversationListData,
  type MessageWindow,
  mergeFirstPage,
  mergePage,
  toMessagePage,
  toWindow,
  upsertConversation,
} from './model.ts';
import { createTestId, IDS, makeConversation, makeMessage } from './testing.ts';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => makeMessage({ seq: from + index }));
const createWindow = (from: number, to: number, change: Partial<MessageWindow> = {}): MessageWindow => ({
  messages: range(from, to),
  hasOlder: true,
  hasNewer: false,
  knownTo: to,
  epoch: 0,
  ...change,
});
const seqs = (window: MessageWindow) => window.messages.map(({ seq }) => seq);
const toUpdates = (...messages: Parameters<typeof makeMessage>[0][]): ConversationUpdate[] =>
  messages.map((change) => ({ kind: 'message', message: makeMessage(change) }));
const applyAll = (updates: readonly ConversationUpdate[]) => updates.reduce(applyUpdate, EMPTY_STATE);
const createNewestPage = (messages: ReturnType<typeof range>, hasMore = true, lastSeq = messages.at(-1)?.seq ?? 0) =>
  toMessagePage(messages.toReversed(), {}, hasMore, lastSeq);

describe('a window on a thread', () => {
  test('adds arriving messages once and in order', () => {
    const window = applyState(createWindow(5, 6), applyAll(toUpdates({ seq: 8 }, { seq: 7 }, { seq: 8 }, { seq: 2 })));
    expect(seqs(window)).toEqual([5, 6, 7, 8]);
    expect(window.knownTo).toBe(8);
    expect(applyState(window, applyAll(toUpdates({ seq: 7 })))).toEqual(window);
  });

  test('on older messages ignores new ones until they are loaded', () => {
    const window = createWindow(5, 6, { hasNewer: true });
    expect(applyState(window, applyAll(toUpdates({ seq: 9 })))).toBe(window);
    const grown = mergePage(window, toMessagePage(range(7, 9), { after: 6 }, false, 9));
    expect(seqs(grown)).toEqual([5, 6, 7, 8, 9]);
    expect(grown.hasNewer).toBe(false);
  });

  test('adds older messages without duplicates', () => {
    const window = mergePage(createWindow(5, 6), toMessagePage(range(3, 4).toReversed(), { before: 5 }, false, 6));
    expect(seqs(window)).toEqual([3, 4, 5, 6]);
    expect(window.hasOlder).toBe(false);
  });

  test('takes new, changed and removed messages from a refetch', () => {
    const page = createNewestPage([...range(6, 7), makeMessage({ seq: 9, text: 'changed' }), ...range(10, 12)]);
    const window = mergePage(createWindow(1, 9), page);
    expect(seqs(window)).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12]);
    expect(window.messages[7]?.text).toBe('changed');
    expect(window.epoch).toBe(0);
    // The page knows of a later message, so the missing last one was removed while the client was offline.
    expect(seqs(mergePage(createWindow(1, 9), createNewestPage(range(6, 8), true, 9)))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(seqs(mergePage(createWindow(1, 9), createNewestPage([], false, 9)))).toEqual([]);
  });

  test('applies a mark that arrives before its message or before the response to sending it', () => {
    const mark = (seq: number, status: 'delivered' | 'read'): ConversationUpdate => ({
      kind: 'mark',
      ownerId: IDS.other,
      seq,
      status,
    });
    const last = (updates: readonly ConversationUpdate[]) =>
      applyState(createWindow(5, 6), applyAll(updates)).messages.at(-1);
    expect(last([...toUpdates({ seq: 7 }), mark(7, 'delivered'), ...toUpdates({ seq: 7 })])?.status).toBe('delivered');
    expect(last([mark(7, 'delivered'), ...toUpdates({ seq: 7 })])?.status).toBe('delivered');
    const changed = last([mark(7, 'delivered'), ...toUpdates({ seq: 7, status: 'read', text: 'changed' })]);
    expect(changed).toMatchObject({ status: 'read', text: 'changed' });
  });

  test('restarts after missing more than a page, even if one later message arrived', () => {
    const gap = applyState(createWindow(1, 9), applyAll(toUpdates({ seq: 109 })));
    expect(seqs(gap)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 109]);
    for (const window of [createWindow(1, 9), gap]) {
      const renewed = mergePage(window, createNewestPage(range(60, 109)));
      expect(seqs(renewed)).toEqual(range(60, 109).map(({ seq }) => seq));
      expect(renewed).toMatchObject({ epoch: 1, hasOlder: true });
    }
  });

  test('keeps messages that arrived while the page was loading, and ignores a page that is too old', () => {
    expect(seqs(mergePage(createWindow(1, 5), createNewestPage(range(2, 4))))).toEqual([1, 2, 3, 4, 5]);
    const window = createWindow(60, 109);
    expect(mergePage(window, createNewestPage(range(2, 9)))).toBe(window);
  });

  test('applies marks to all earlier messages of the same owner and never lowers them', () => {
    const mine = [1, 2, 3].map((seq) => makeMessage({ seq, ownerId: IDS.me, ownerType: 'customer' }));
    const window = toWindow(createNewestPage([...mine, makeMessage({ seq: 4 })], false));
    const mark = (seq: number, status: 'delivered' | 'read'): ConversationUpdate => ({
      kind: 'mark',
      ownerId: IDS.me,
      seq,
      status,
    });
    const state = applyAll([mark(2, 'read'), mark(4, 'delivered'), mark(1, 'delivered')]);
    const markedWindow = applyState(window, state);
    expect(markedWindow.messages.map(({ status }) => status)).toEqual(['read', 'read', 'delivered', 'sent']);
    expect(applyState(markedWindow, state)).toBe(markedWindow);
  });

  test('uses the highest revision of each message and drops removed ones', () => {
    const bought = makeMessage({ seq: 1, revision: 2, isPurchased: true });
    const updates: ConversationUpdate[] = [
      { kind: 'message', message: bought },
      { kind: 'removed', messageId: makeMessage({ seq: 2 }).id, revision: 1 },
      ...toUpdates({ seq: 1, revision: 1 }, { seq: 2 }),
    ];
    expect(applyState(createWindow(1, 2), applyAll(updates)).messages).toEqual([bought]);
    const page = createNewestPage([makeMessage({ seq: 1, revision: 1 }), makeMessage({ seq: 2 })], false);
    expect(mergePage({ ...createWindow(1, 2), messages: [bought] }, page).messages[0]).toBe(bought);
    expect(
      applyState(mergePage(createWindow(1, 2), page), applyAll([...updates, { kind: 'page', page }])).messages,
    ).toEqual([bought]);
  });
});

describe('a list of conversations', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
  const createConversation = (number: number, change: Parameters<typeof makeConversation>[0] = {}) =>
    makeConversation({ id: createTestId(number), lastMessageCreatedAt: at(number), ...change });
  const listNumbers = (list: ConversationListData) => list.items.map(({ id }) => Number.parseInt(id.slice(-4), 16));

  test('moves an active conversation to the top once', () => {
    const list: ConversationListData = {
      items: [createConversation(3), createConversation(2), createConversation(1)],
      nextOffset: undefined,
    };
    expect(
      listNumbers(upsertConversation(list, createConversation(1, { lastMessageCreatedAt: at(9) }), 'chat', 'fan')),
    ).toEqual([1, 3, 2]);
  });

  test('contains only the conversations of its tab', () => {
    const request = createConversation(5, { info: { ...makeConversation().info, request: 'requested' } });
    const empty: ConversationListData = { items: [], nextOffset: undefined };
    expect(listNumbers(upsertConversation(empty, request, 'chat', 'creator'))).toEqual([]);
    expect(listNumbers(upsertConversation(empty, request, 'requests', 'creator'))).toEqual([5]);
    expect(listNumbers(upsertConversation(empty, request, 'chat', 'fan'))).toEqual([5]);
    expect(listNumbers(upsertConversation(empty, createConversation(4), 'unread', 'fan'))).toEqual([]);
    const shown: ConversationListData = { items: [createConversation(4, { unreadCount: 2 })], nextOffset: undefined };
    expect(listNumbers(upsertConversation(shown, createConversation(4), 'unread', 'fan'))).toEqual([4]);
  });

  test('keeps its tail after a refetch that overlaps it, otherwise restarts', () => {
    const list: ConversationListData = {
      items: [createConversation(5), createConversation(4), createConversation(3), createConversation(2)],
      nextOffset: 'c2',
    };
    const page = [createConversation(3, { lastMessageCreatedAt: at(9) }), createConversation(5)];
    const merged = mergeFirstPage(list, page, 'c5');
    expect(listNumbers(merged)).toEqual([3, 5, 4, 2]);
    expect(merged.nextOffset).toBe('c2');
    expect(listNumbers(mergeFirstPage(list, [createConversation(20), createConversation(19)], 'c19'))).toEqual([
      20, 19,
    ]);
    expect(mergeFirstPage(list, [createConversation(5)], undefined)).toEqual({
      items: [createConversation(5)],
      nextOffset: undefined,
    });
  });

  test('applies moved, new and deleted conversations that arrived while its page was loading', () => {
    const page: ConversationListData = {
      items: [createConversation(5), createConversation(4), createConversation(3)],
      nextOffset: undefined,
    };
    const active = createConversation(3, { lastMessageCreatedAt: at(9) });
    const newConversation = createConversation(8);
    const findCurrent = ({ id }: { id: string }) =>
      id === active.id ? active : id === createTestId(4) ? undefined : createConversation(5);
    expect(listNumbers(applyKnownChanges(page, findCurrent, [newConversation], 'chat', 'fan'))).toEqual([3, 8, 5]);
  });

  test('uses the later revision of the last message when two views are otherwise equal', () => {
    const view = (revision: number): ConversationUpdate => {
      const lastMessage = toLastMessage(makeMessage({ seq: 3, price: 5, revision, isPurchased: revision > 0 }));
      return { kind: 'conversation', conversation: makeConversation({ lastSeq: 3, lastMessage }), side: 'fan' };
    };
    for (const updates of [
      [view(1), view(0)],
      [view(0), view(1)],
    ])
      expect(toConversation(applyAll(updates), 'fan')?.lastMessage).toMatchObject({ revision: 1, isPurchased: true });
  });

  test('counts unread messages and applies the marks of both sides', () => {
    const view: ConversationUpdate = {
      kind: 'conversation',
      conversation: makeConversation({ ownReadSeq: 3, lastSeq: 3 }),
      side: 'fan',
    };
    const mine = { seq: 5, ownerId: IDS.me, ownerType: 'customer' } as const;
    const updates = [view, ...toUpdates({ seq: 4 }, { seq: 4 }, mine)];
    const getConversation = (...more: ConversationUpdate[]) => toConversation(applyAll([...updates, ...more]), 'fan');
    expect(getConversation()).toMatchObject({ unreadCount: 1, lastMessage: { seq: 5, status: 'sent' } });
    const delivered: ConversationUpdate = { kind: 'mark', ownerId: IDS.me, seq: 5, status: 'delivered' };
    expect(getConversation(delivered)).toMatchObject({
      deliveredSeq: 5,
      readSeq: 0,
      lastMessage: { status: 'delivered' },
    });
    const read: ConversationUpdate = { kind: 'mark', ownerId: IDS.other, seq: 4, status: 'read' };
    expect(getConversation(delivered, read)).toMatchObject({ ownReadSeq: 4, unreadCount: 0 });
  });
});
