/**
 * Property test of the reducer: events and responses in any order, and with repetitions, lead to the same state as a
 * fresh fetch.
 */
import type { Conversation, Message } from '@stagedoor/contract/messages.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversationOf, type Fact, isBehind, type Known, lineFacts, NOTHING_KNOWN, tell, withKnown } from './merge.ts';
import { opened, type Page, pageOf, type Range, type Window, withPage } from './model.ts';
import { IDS, makeConversation, makeMessage } from './testing.ts';

const PAGE = 3;

type Server = {
  messages: readonly (Message & { isGone?: boolean })[];
  revision: number;
  isMuted: boolean;
  marks: Record<string, { delivered: number; read: number }>;
  clearedSeq: number;
  isListed: boolean;
};
type Step =
  | { kind: 'send'; isMine: boolean }
  | { kind: 'change' | 'remove'; which: number }
  | { kind: 'mark'; isMine: boolean; which: number; status: 'delivered' | 'read' }
  | { kind: 'mute' }
  | { kind: 'delete' };
type Told = { at: number; facts: Fact[]; isArrival?: boolean };

const EMPTY: Server = {
  messages: [],
  revision: 0,
  isMuted: false,
  marks: { [IDS.me]: { delivered: 0, read: 0 }, [IDS.other]: { delivered: 0, read: 0 } },
  clearedSeq: 0,
  isListed: true,
};

const seen = ({ messages, marks, clearedSeq }: Server): Message[] =>
  messages
    .filter(({ isGone, seq }) => !isGone && seq > clearedSeq)
    .map(({ isGone: _, ...message }) => {
      const { delivered, read } = marks[message.ownerId] ?? { delivered: 0, read: 0 };
      return { ...message, status: message.seq <= read ? 'read' : message.seq <= delivered ? 'delivered' : 'sent' };
    });
const ownReadOf = ({ marks }: Server) => marks[IDS.other]?.read ?? 0;

function viewOf(server: Server): Conversation {
  const last = seen(server).at(-1);
  const mine = server.marks[IDS.me];
  return makeConversation({
    revision: server.revision,
    lastSeq: server.messages.length,
    isMutedCustomer: server.isMuted,
    lastMessageCreatedAt: last?.createdAt ?? null,
    lastMessage: last ? lineFacts(last) : null,
    unreadCount: seen(server).filter(({ ownerId, seq }) => ownerId === IDS.other && seq > ownReadOf(server)).length,
    deliveredSeq: mine?.delivered ?? 0,
    readSeq: mine?.read ?? 0,
    ownReadSeq: ownReadOf(server),
  });
}

function answerOf(server: Server, range: Range): Page {
  const { before = Number.POSITIVE_INFINITY } = range;
  const all = seen(server).filter(({ seq }) => seq < before);
  return pageOf(all.slice(-PAGE).toReversed(), range, all.length > PAGE, server.messages.length);
}

function changed(server: Server, which: number, change: (message: Message) => Partial<Server['messages'][number]>) {
  const target = seen(server)[which % Math.max(1, seen(server).length)];
  if (!target) return undefined;
  const message = { ...target, revision: target.revision + 1, ...change(target) };
  return { message, messages: server.messages.map((one) => (one.id === message.id ? message : one)) };
}

function step(server: Server, taken: Step, at: number): { server: Server; told: Told[] } {
  const revision = server.revision + 1;
  switch (taken.kind) {
    case 'send': {
      const owner = taken.isMine ? ({ ownerId: IDS.me, ownerType: 'customer' } as const) : {};
      const message = makeMessage({ seq: server.messages.length + 1, ...owner });
      const after = { ...server, revision, isListed: true, messages: [...server.messages, message] };
      return { server: after, told: [{ at, facts: [{ kind: 'message', message }], isArrival: true }] };
    }
    case 'change': {
      const made = changed(server, taken.which, ({ revision: before }) => ({ text: `changed ${before + 1}` }));
      if (!made) return { server, told: [] };
      const after = { ...server, messages: made.messages };
      const message = seen(after).find(({ id }) => id === made.message.id) ?? made.message;
      return { server: after, told: [{ at, facts: [{ kind: 'message', message }] }] };
    }
    case 'remove': {
      const made = changed(server, taken.which, () => ({ isGone: true }));
      if (!made) return { server, told: [] };
      const fact: Fact = { kind: 'removed', messageId: made.message.id, revision: made.message.revision };
      return {
        server: { ...server, revision, messages: made.messages },
        told: [{ at, facts: [fact, { kind: 'revised', revision }] }],
      };
    }
    case 'mark': {
      const ownerId = taken.isMine ? IDS.me : IDS.other;
      const theirs = server.messages.filter((message) => message.ownerId === ownerId);
      const seq = theirs[taken.which % Math.max(1, theirs.length)]?.seq ?? 0;
      const { delivered, read } = server.marks[ownerId] ?? { delivered: 0, read: 0 };
      if (seq <= (taken.status === 'read' ? read : delivered)) return { server, told: [] };
      const mark = { delivered: Math.max(delivered, seq), read: taken.status === 'read' ? seq : read };
      const fact: Fact = { kind: 'mark', ownerId, seq, status: taken.status };
      return {
        server: { ...server, revision, marks: { ...server.marks, [ownerId]: mark } },
        told: [{ at, facts: [fact] }],
      };
    }
    case 'mute':
      return {
        server: { ...server, revision, isMuted: !server.isMuted },
        told: [{ at, facts: [{ kind: 'revised', revision }] }],
      };
    case 'delete': {
      const upTo = server.messages.length;
      const fact: Fact = { kind: 'deleted', upTo };
      return { server: { ...server, revision, clearedSeq: upTo, isListed: false }, told: [{ at, facts: [fact] }] };
    }
  }
}

type Item =
  | { kind: 'told'; told: Told }
  | { kind: 'ask'; what: 'newest' | 'older' | 'conversation'; since: number }
  | { kind: 'fact'; fact: Fact; joins?: 'newest' | 'older' };

function device(states: readonly Server[], pick: (most: number) => number) {
  let known: Known = NOTHING_KNOWN;
  let window: Window | undefined;
  const onTheWay: Item[] = [];
  const ask = (what: (Item & { kind: 'ask' })['what'], since: number) => onTheWay.push({ kind: 'ask', what, since });
  const shown = () => conversationOf(known, 'fan');

  let heard = 0;
  const take = (fact: Fact, joins?: 'newest' | 'older') => {
    known = tell(known, fact);
    if (fact.kind === 'page' && window) window = withPage(window, fact.page);
    else if (fact.kind === 'page' && joins === 'newest') window = opened(fact.page);
    window = window && withKnown(window, known);
    if (isBehind(known, 'fan')) ask('conversation', heard);
  };
  const hear = ({ at, facts, isArrival }: Told) => {
    heard = Math.max(heard, at);
    for (const fact of facts) take(fact);
    if (facts.some(({ kind }) => kind === 'deleted') && !shown()) {
      window = undefined;
      ask('newest', heard);
    }
    if (isArrival && !shown()) ask('conversation', heard);
  };
  const answer = ({ what, since }: Item & { kind: 'ask' }) => {
    // The server may read its state at any time after the request.
    const server = states[since + pick(states.length - since)] ?? EMPTY;
    if (what === 'conversation') {
      onTheWay.push({ kind: 'fact', fact: { kind: 'conversation', conversation: viewOf(server), side: 'fan' } });
      return;
    }
    const first = window?.messages[0];
    if (what === 'older' && !(window?.hasOlder && first)) return;
    const page = answerOf(server, what === 'older' && first ? { before: first.seq } : {});
    onTheWay.push({ kind: 'fact', fact: { kind: 'page', page }, joins: what });
  };

  return {
    add: (...items: Item[]) => onTheWay.push(...items),
    ask,
    settle: () => {
      while (onTheWay.length > 0) {
        const [item] = onTheWay.splice(pick(onTheWay.length), 1);
        if (item?.kind === 'told') hear(item.told);
        else if (item?.kind === 'ask') answer(item);
        else if (item) take(item.fact, item.joins);
      }
      return { window, conversation: shown() };
    },
  };
}

const which = fc.nat({ max: 20 });
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), isMine: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('change' as const, 'remove' as const), which }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('mark' as const),
        isMine: fc.boolean(),
        which,
        status: fc.constantFrom('delivered' as const, 'read' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'mute' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'delete' } as const) },
  ),
  { minLength: 1, maxLength: 25 },
);
const asks = fc.array(fc.constantFrom('newest' as const, 'older' as const, 'conversation' as const), { maxLength: 8 });

test('events and responses in any order and with repetitions lead to the state of a fresh fetch', () => {
  fc.assert(
    fc.property(steps, asks, fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (taken, asked, picks) => {
      let turn = 0;
      const pick = (most: number) => (picks[turn++ % picks.length] ?? 0) % Math.max(1, most);
      const states = [EMPTY];
      const told: Told[] = [];
      for (const one of taken) {
        const after = step(states.at(-1) ?? EMPTY, one, states.length);
        states.push(after.server);
        told.push(...after.told);
      }
      const client = device(states, pick);
      for (const what of ['newest', 'conversation', ...asked] as const) client.ask(what, 0);
      for (const one of told)
        client.add(...Array.from({ length: 1 + pick(2) }, () => ({ kind: 'told', told: one }) as const));
      const { window, conversation } = client.settle();

      const end = states.at(-1) ?? EMPTY;
      const from = window?.hasOlder ? (window.messages[0]?.seq ?? 0) : 0;
      expect(window?.messages).toEqual(seen(end).filter(({ seq }) => seq >= from));
      expect(window?.hasNewer).toBe(false);
      const { revision: _, lastSeq: __, ...fresh } = viewOf(end);
      if (end.isListed) expect(conversation).toMatchObject(fresh);
      else expect(conversation).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});
