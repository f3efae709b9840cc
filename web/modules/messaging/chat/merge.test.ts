/**
 * Property test of the reducer: events and responses in any order, and with repetitions, lead to the same state as a
 * fresh fetch.
 */
import type { Conversation, Message } from '@stagedoor/contract/messaging/messages.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyState,
  applyUpdate,
  type ConversationState,
  type ConversationUpdate,
  EMPTY_STATE,
  isOutdated,
  toConversation,
  toLastMessage,
} from './merge.ts';
import {
  type MessagePage,
  type MessageRange,
  type MessageWindow,
  mergePage,
  toMessagePage,
  toWindow,
} from './model.ts';
import { IDS, makeConversation, makeMessage } from './testing.ts';

const PAGE = 3;

type ServerState = {
  messages: readonly (Message & { isDeletedOnServer?: boolean })[];
  revision: number;
  isMuted: boolean;
  marks: Record<string, { delivered: number; read: number }>;
  clearedSeq: number;
  isListed: boolean;
};
type ServerStep =
  | { kind: 'send'; isMine: boolean }
  | { kind: 'change' | 'remove'; index: number }
  | { kind: 'mark'; isMine: boolean; index: number; status: 'delivered' | 'read' }
  | { kind: 'mute' }
  | { kind: 'delete' };
type ServerEvent = { at: number; updates: ConversationUpdate[]; isArrival?: boolean };

const EMPTY_SERVER: ServerState = {
  messages: [],
  revision: 0,
  isMuted: false,
  marks: { [IDS.me]: { delivered: 0, read: 0 }, [IDS.other]: { delivered: 0, read: 0 } },
  clearedSeq: 0,
  isListed: true,
};

const listVisible = ({ messages, marks, clearedSeq }: ServerState): Message[] =>
  messages
    .filter(({ isDeletedOnServer, seq }) => !isDeletedOnServer && seq > clearedSeq)
    .map(({ isDeletedOnServer: _, ...message }) => {
      const { delivered, read } = marks[message.ownerId] ?? { delivered: 0, read: 0 };
      return { ...message, status: message.seq <= read ? 'read' : message.seq <= delivered ? 'delivered' : 'sent' };
    });
const getOwnReadSeq = ({ marks }: ServerState) => marks[IDS.other]?.read ?? 0;

function toView(server: ServerState): Conversation {
  const last = listVisible(server).at(-1);
  const mine = server.marks[IDS.me];
  return makeConversation({
    revision: server.revision,
    lastSeq: server.messages.length,
    isMutedCustomer: server.isMuted,
    lastMessageCreatedAt: last?.createdAt ?? null,
    lastMessage: last ? toLastMessage(last) : null,
    unreadCount: listVisible(server).filter(({ ownerId, seq }) => ownerId === IDS.other && seq > getOwnReadSeq(server))
      .length,
    deliveredSeq: mine?.delivered ?? 0,
    readSeq: mine?.read ?? 0,
    ownReadSeq: getOwnReadSeq(server),
  });
}

function toPage(server: ServerState, range: MessageRange): MessagePage {
  const { before = Number.POSITIVE_INFINITY } = range;
  const all = listVisible(server).filter(({ seq }) => seq < before);
  return toMessagePage(all.slice(-PAGE).toReversed(), range, all.length > PAGE, server.messages.length);
}

function changeMessage(
  server: ServerState,
  index: number,
  change: (message: Message) => Partial<ServerState['messages'][number]>,
) {
  const target = listVisible(server)[index % Math.max(1, listVisible(server).length)];
  if (!target) return undefined;
  const message = { ...target, revision: target.revision + 1, ...change(target) };
  return { message, messages: server.messages.map((one) => (one.id === message.id ? message : one)) };
}

function applyStep(
  server: ServerState,
  serverStep: ServerStep,
  at: number,
): { server: ServerState; events: ServerEvent[] } {
  const revision = server.revision + 1;
  switch (serverStep.kind) {
    case 'send': {
      const owner = serverStep.isMine ? ({ ownerId: IDS.me, ownerType: 'customer' } as const) : {};
      const message = makeMessage({ seq: server.messages.length + 1, ...owner });
      const after = { ...server, revision, isListed: true, messages: [...server.messages, message] };
      return { server: after, events: [{ at, updates: [{ kind: 'message', message }], isArrival: true }] };
    }
    case 'change': {
      const changed = changeMessage(server, serverStep.index, ({ revision: before }) => ({
        text: `changed ${before + 1}`,
      }));
      if (!changed) return { server, events: [] };
      const after = { ...server, messages: changed.messages };
      const message = listVisible(after).find(({ id }) => id === changed.message.id) ?? changed.message;
      return { server: after, events: [{ at, updates: [{ kind: 'message', message }] }] };
    }
    case 'remove': {
      const changed = changeMessage(server, serverStep.index, () => ({ isDeletedOnServer: true }));
      if (!changed) return { server, events: [] };
      const update: ConversationUpdate = {
        kind: 'removed',
        messageId: changed.message.id,
        revision: changed.message.revision,
      };
      return {
        server: { ...server, revision, messages: changed.messages },
        events: [{ at, updates: [update, { kind: 'revised', revision }] }],
      };
    }
    case 'mark': {
      const ownerId = serverStep.isMine ? IDS.me : IDS.other;
      const ownerMessages = server.messages.filter((message) => message.ownerId === ownerId);
      const seq = ownerMessages[serverStep.index % Math.max(1, ownerMessages.length)]?.seq ?? 0;
      const { delivered, read } = server.marks[ownerId] ?? { delivered: 0, read: 0 };
      if (seq <= (serverStep.status === 'read' ? read : delivered)) return { server, events: [] };
      const mark = { delivered: Math.max(delivered, seq), read: serverStep.status === 'read' ? seq : read };
      const update: ConversationUpdate = { kind: 'mark', ownerId, seq, status: serverStep.status };
      return {
        server: { ...server, revision, marks: { ...server.marks, [ownerId]: mark } },
        events: [{ at, updates: [update] }],
      };
    }
    case 'mute':
      return {
        server: { ...server, revision, isMuted: !server.isMuted },
        events: [{ at, updates: [{ kind: 'revised', revision }] }],
      };
    case 'delete': {
      const upTo = server.messages.length;
      const update: ConversationUpdate = { kind: 'deleted', upTo };
      return {
        server: { ...server, revision, clearedSeq: upTo, isListed: false },
        events: [{ at, updates: [update] }],
      };
    }
  }
}

type QueueItem =
  | { kind: 'event'; event: ServerEvent }
  | { kind: 'request'; resource: 'newest' | 'older' | 'conversation'; since: number }
  | { kind: 'update'; update: ConversationUpdate; joinsAs?: 'newest' | 'older' };

function simulateDevice(states: readonly ServerState[], pick: (max: number) => number) {
  let state: ConversationState = EMPTY_STATE;
  let window: MessageWindow | undefined;
  const inFlight: QueueItem[] = [];
  const request = (resource: (QueueItem & { kind: 'request' })['resource'], since: number) =>
    inFlight.push({ kind: 'request', resource, since });
  const getConversation = () => toConversation(state, 'fan');

  let lastEventAt = 0;
  const applyToState = (update: ConversationUpdate, joinsAs?: 'newest' | 'older') => {
    state = applyUpdate(state, update);
    if (update.kind === 'page' && window) window = mergePage(window, update.page);
    else if (update.kind === 'page' && joinsAs === 'newest') window = toWindow(update.page);
    window = window && applyState(window, state);
    if (isOutdated(state, 'fan')) request('conversation', lastEventAt);
  };
  const receiveEvent = ({ at, updates, isArrival }: ServerEvent) => {
    lastEventAt = Math.max(lastEventAt, at);
    for (const update of updates) applyToState(update);
    if (updates.some(({ kind }) => kind === 'deleted') && !getConversation()) {
      window = undefined;
      request('newest', lastEventAt);
    }
    if (isArrival && !getConversation()) request('conversation', lastEventAt);
  };
  const respond = ({ resource, since }: QueueItem & { kind: 'request' }) => {
    // The server may read its state at any time after the request.
    const server = states[since + pick(states.length - since)] ?? EMPTY_SERVER;
    if (resource === 'conversation') {
      inFlight.push({ kind: 'update', update: { kind: 'conversation', conversation: toView(server), side: 'fan' } });
      return;
    }
    const first = window?.messages[0];
    if (resource === 'older' && !(window?.hasOlder && first)) return;
    const page = toPage(server, resource === 'older' && first ? { before: first.seq } : {});
    inFlight.push({ kind: 'update', update: { kind: 'page', page }, joinsAs: resource });
  };

  return {
    add: (...items: QueueItem[]) => inFlight.push(...items),
    request,
    deliverAll: () => {
      while (inFlight.length > 0) {
        const [item] = inFlight.splice(pick(inFlight.length), 1);
        if (item?.kind === 'event') receiveEvent(item.event);
        else if (item?.kind === 'request') respond(item);
        else if (item) applyToState(item.update, item.joinsAs);
      }
      return { window, conversation: getConversation() };
    },
  };
}

const index = fc.nat({ max: 20 });
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), isMine: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('change' as const, 'remove' as const), index }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('mark' as const),
        isMine: fc.boolean(),
        index,
        status: fc.constantFrom('delivered' as const, 'read' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'mute' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'delete' } as const) },
  ),
  { minLength: 1, maxLength: 25 },
);
const requests = fc.array(fc.constantFrom('newest' as const, 'older' as const, 'conversation' as const), {
  maxLength: 8,
});

test('events and responses in any order and with repetitions lead to the state of a fresh fetch', () => {
  fc.assert(
    fc.property(
      steps,
      requests,
      fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
      (takenSteps, requested, picks) => {
        let pickIndex = 0;
        const pick = (max: number) => (picks[pickIndex++ % picks.length] ?? 0) % Math.max(1, max);
        const states = [EMPTY_SERVER];
        const events: ServerEvent[] = [];
        for (const one of takenSteps) {
          const after = applyStep(states.at(-1) ?? EMPTY_SERVER, one, states.length);
          states.push(after.server);
          events.push(...after.events);
        }
        const client = simulateDevice(states, pick);
        for (const resource of ['newest', 'conversation', ...requested] as const) client.request(resource, 0);
        for (const one of events)
          client.add(...Array.from({ length: 1 + pick(2) }, () => ({ kind: 'event', event: one }) as const));
        const { window, conversation } = client.deliverAll();

        const end = states.at(-1) ?? EMPTY_SERVER;
        const from = window?.hasOlder ? (window.messages[0]?.seq ?? 0) : 0;
        expect(window?.messages).toEqual(listVisible(end).filter(({ seq }) => seq >= from));
        expect(window?.hasNewer).toBe(false);
        const { revision: _, lastSeq: __, ...expected } = toView(end);
        if (end.isListed) expect(conversation).toMatchObject(expected);
        else expect(conversation).toBeUndefined();
      },
    ),
    { numRuns: 2_000 },
  );
});
