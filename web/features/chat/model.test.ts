import { describe, expect, test } from 'vitest';
import { conversationOf, type Fact, lineFacts, NOTHING_KNOWN, tell, withKnown } from './merge.ts';
import { asKnown, type List, opened, pageOf, resyncedList, type Window, withConversation, withPage } from './model.ts';
import { IDS, idOf, makeConversation, makeMessage } from './testing.ts';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => makeMessage({ seq: from + index }));
const open = (from: number, to: number, change: Partial<Window> = {}): Window => ({
  messages: range(from, to),
  hasOlder: true,
  hasNewer: false,
  knownTo: to,
  epoch: 0,
  ...change,
});
const seqs = (window: Window) => window.messages.map(({ seq }) => seq);
const arrived = (...messages: Parameters<typeof makeMessage>[0][]): Fact[] =>
  messages.map((change) => ({ kind: 'message', message: makeMessage(change) }));
const told = (facts: readonly Fact[]) => facts.reduce(tell, NOTHING_KNOWN);
const newest = (messages: ReturnType<typeof range>, hasMore = true, lastSeq = messages.at(-1)?.seq ?? 0) =>
  pageOf(messages.toReversed(), {}, hasMore, lastSeq);

describe('a window on a thread', () => {
  test('adds arriving messages once and in order', () => {
    const window = withKnown(open(5, 6), told(arrived({ seq: 8 }, { seq: 7 }, { seq: 8 }, { seq: 2 })));
    expect(seqs(window)).toEqual([5, 6, 7, 8]);
    expect(window.knownTo).toBe(8);
    expect(withKnown(window, told(arrived({ seq: 7 })))).toEqual(window);
  });

  test('on older messages ignores new ones until they are loaded', () => {
    const window = open(5, 6, { hasNewer: true });
    expect(withKnown(window, told(arrived({ seq: 9 })))).toBe(window);
    const grown = withPage(window, pageOf(range(7, 9), { after: 6 }, false, 9));
    expect(seqs(grown)).toEqual([5, 6, 7, 8, 9]);
    expect(grown.hasNewer).toBe(false);
  });

  test('adds older messages without duplicates', () => {
    const window = withPage(open(5, 6), pageOf(range(3, 4).toReversed(), { before: 5 }, false, 6));
    expect(seqs(window)).toEqual([3, 4, 5, 6]);
    expect(window.hasOlder).toBe(false);
  });

  test('takes new, changed and removed messages from a refetch', () => {
    const page = newest([...range(6, 7), makeMessage({ seq: 9, text: 'changed' }), ...range(10, 12)]);
    const window = withPage(open(1, 9), page);
    expect(seqs(window)).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12]);
    expect(window.messages[7]?.text).toBe('changed');
    expect(window.epoch).toBe(0);
    // The page knows of a later message, so the missing last one was removed while the client was offline.
    expect(seqs(withPage(open(1, 9), newest(range(6, 8), true, 9)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(seqs(withPage(open(1, 9), newest([], false, 9)))).toEqual([]);
  });

  test('applies a mark that arrives before its message or before the response to sending it', () => {
    const mark = (seq: number, status: 'delivered' | 'read'): Fact => ({
      kind: 'mark',
      ownerId: IDS.other,
      seq,
      status,
    });
    const last = (facts: readonly Fact[]) => withKnown(open(5, 6), told(facts)).messages.at(-1);
    expect(last([...arrived({ seq: 7 }), mark(7, 'delivered'), ...arrived({ seq: 7 })])?.status).toBe('delivered');
    expect(last([mark(7, 'delivered'), ...arrived({ seq: 7 })])?.status).toBe('delivered');
    const changed = last([mark(7, 'delivered'), ...arrived({ seq: 7, status: 'read', text: 'changed' })]);
    expect(changed).toMatchObject({ status: 'read', text: 'changed' });
  });

  test('restarts after missing more than a page, even if one later message arrived', () => {
    const gap = withKnown(open(1, 9), told(arrived({ seq: 109 })));
    expect(seqs(gap)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 109]);
    for (const window of [open(1, 9), gap]) {
      const renewed = withPage(window, newest(range(60, 109)));
      expect(seqs(renewed)).toEqual(range(60, 109).map(({ seq }) => seq));
      expect(renewed).toMatchObject({ epoch: 1, hasOlder: true });
    }
  });

  test('keeps messages that arrived while the page was loading, and ignores a page that is too old', () => {
    expect(seqs(withPage(open(1, 5), newest(range(2, 4))))).toEqual([1, 2, 3, 4, 5]);
    const window = open(60, 109);
    expect(withPage(window, newest(range(2, 9)))).toBe(window);
  });

  test('applies marks to all earlier messages of the same owner and never lowers them', () => {
    const mine = [1, 2, 3].map((seq) => makeMessage({ seq, ownerId: IDS.me, ownerType: 'customer' }));
    const window = opened(newest([...mine, makeMessage({ seq: 4 })], false));
    const mark = (seq: number, status: 'delivered' | 'read'): Fact => ({ kind: 'mark', ownerId: IDS.me, seq, status });
    const known = told([mark(2, 'read'), mark(4, 'delivered'), mark(1, 'delivered')]);
    const marked = withKnown(window, known);
    expect(marked.messages.map(({ status }) => status)).toEqual(['read', 'read', 'delivered', 'sent']);
    expect(withKnown(marked, known)).toBe(marked);
  });

  test('uses the highest revision of each message and drops removed ones', () => {
    const bought = makeMessage({ seq: 1, revision: 2, isPurchased: true });
    const facts: Fact[] = [
      { kind: 'message', message: bought },
      { kind: 'removed', messageId: makeMessage({ seq: 2 }).id, revision: 1 },
      ...arrived({ seq: 1, revision: 1 }, { seq: 2 }),
    ];
    expect(withKnown(open(1, 2), told(facts)).messages).toEqual([bought]);
    const page = newest([makeMessage({ seq: 1, revision: 1 }), makeMessage({ seq: 2 })], false);
    expect(withPage({ ...open(1, 2), messages: [bought] }, page).messages[0]).toBe(bought);
    expect(withKnown(withPage(open(1, 2), page), told([...facts, { kind: 'page', page }])).messages).toEqual([bought]);
  });
});

describe('a list of conversations', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
  const talk = (number: number, change: Parameters<typeof makeConversation>[0] = {}) =>
    makeConversation({ id: idOf(number), lastMessageCreatedAt: at(number), ...change });
  const names = (list: List) => list.items.map(({ id }) => Number.parseInt(id.slice(-4), 16));

  test('moves an active conversation to the top once', () => {
    const list: List = { items: [talk(3), talk(2), talk(1)], nextOffset: undefined };
    expect(names(withConversation(list, talk(1, { lastMessageCreatedAt: at(9) }), 'chat', 'fan'))).toEqual([1, 3, 2]);
  });

  test('contains only the conversations of its tab', () => {
    const request = talk(5, { info: { ...makeConversation().info, request: 'requested' } });
    const empty: List = { items: [], nextOffset: undefined };
    expect(names(withConversation(empty, request, 'chat', 'creator'))).toEqual([]);
    expect(names(withConversation(empty, request, 'requests', 'creator'))).toEqual([5]);
    expect(names(withConversation(empty, request, 'chat', 'fan'))).toEqual([5]);
    expect(names(withConversation(empty, talk(4), 'unread', 'fan'))).toEqual([]);
    const shown: List = { items: [talk(4, { unreadCount: 2 })], nextOffset: undefined };
    expect(names(withConversation(shown, talk(4), 'unread', 'fan'))).toEqual([4]);
  });

  test('keeps its tail after a refetch that overlaps it, otherwise restarts', () => {
    const list: List = { items: [talk(5), talk(4), talk(3), talk(2)], nextOffset: 'c2' };
    const page = [talk(3, { lastMessageCreatedAt: at(9) }), talk(5)];
    const merged = resyncedList(list, page, 'c5');
    expect(names(merged)).toEqual([3, 5, 4, 2]);
    expect(merged.nextOffset).toBe('c2');
    expect(names(resyncedList(list, [talk(20), talk(19)], 'c19'))).toEqual([20, 19]);
    expect(resyncedList(list, [talk(5)], undefined)).toEqual({ items: [talk(5)], nextOffset: undefined });
  });

  test('applies moved, new and deleted conversations that arrived while its page was loading', () => {
    const page: List = { items: [talk(5), talk(4), talk(3)], nextOffset: undefined };
    const active = talk(3, { lastMessageCreatedAt: at(9) });
    const begun = talk(8);
    const shownOf = ({ id }: { id: string }) => (id === active.id ? active : id === idOf(4) ? undefined : talk(5));
    expect(names(asKnown(page, shownOf, [begun], 'chat', 'fan'))).toEqual([3, 8, 5]);
  });

  test('uses the later revision of the last message when two views are otherwise equal', () => {
    const view = (revision: number): Fact => {
      const lastMessage = lineFacts(makeMessage({ seq: 3, price: 5, revision, isPurchased: revision > 0 }));
      return { kind: 'conversation', conversation: makeConversation({ lastSeq: 3, lastMessage }), side: 'fan' };
    };
    for (const facts of [
      [view(1), view(0)],
      [view(0), view(1)],
    ])
      expect(conversationOf(told(facts), 'fan')?.lastMessage).toMatchObject({ revision: 1, isPurchased: true });
  });

  test('counts unread messages and applies the marks of both sides', () => {
    const view: Fact = {
      kind: 'conversation',
      conversation: makeConversation({ ownReadSeq: 3, lastSeq: 3 }),
      side: 'fan',
    };
    const mine = { seq: 5, ownerId: IDS.me, ownerType: 'customer' } as const;
    const facts = [view, ...arrived({ seq: 4 }, { seq: 4 }, mine)];
    const shown = (...more: Fact[]) => conversationOf(told([...facts, ...more]), 'fan');
    expect(shown()).toMatchObject({ unreadCount: 1, lastMessage: { seq: 5, status: 'sent' } });
    const delivered: Fact = { kind: 'mark', ownerId: IDS.me, seq: 5, status: 'delivered' };
    expect(shown(delivered)).toMatchObject({ deliveredSeq: 5, readSeq: 0, lastMessage: { status: 'delivered' } });
    const read: Fact = { kind: 'mark', ownerId: IDS.other, seq: 4, status: 'read' };
    expect(shown(delivered, read)).toMatchObject({ ownReadSeq: 4, unreadCount: 0 });
  });
});
