import { type Conversation, conversation, type Message, message } from '@stagedoor/contract/messaging/messages.ts';
import * as z from 'zod/mini';

export const IDS = {
  me: '01890000-0000-7000-8000-000000000001',
  other: '01890000-0000-7000-8000-000000000002',
  conversation: '01890000-0000-7000-8000-00000000000a',
} as const;

export function createTestId(number: number): string {
  return `01890000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** A text from the other side unless `change` overrides it. `seq` also determines its ID. */
export function makeMessage(change: Partial<z.input<typeof message>> = {}): Message {
  const seq = change.seq ?? 1;
  return z.parse(message, {
    id: createTestId(0x1000 + seq),
    revision: 0,
    conversationId: IDS.conversation,
    clientId: `client-${seq}`,
    seq,
    ownerType: 'creator',
    ownerId: IDS.other,
    createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, seq)).toISOString(),
    status: 'sent',
    type: 'text',
    text: `message ${seq}`,
    media: [],
    documents: [],
    voice: null,
    pendingMedia: 0,
    price: 0,
    isPurchased: false,
    purchasedAt: null,
    isViewOnce: false,
    viewedAt: null,
    isRemoved: false,
    tip: null,
    call: null,
    broadcastId: null,
    ...change,
  });
}

export function makeConversation(change: Partial<z.input<typeof conversation>> = {}): Conversation {
  return z.parse(conversation, {
    id: IDS.conversation,
    revision: 0,
    lastSeq: change.lastMessage?.seq ?? 0,
    user: { id: IDS.other, username: 'maker', name: 'Maker', avatarUrl: null, status: 'online', isVerified: true },
    customer: { id: IDS.me, username: 'guest', name: 'Guest', avatarUrl: null, status: 'online' },
    info: { isBlocked: false, isBlockedByMe: false, request: 'accept', canSend: true, refusal: null },
    isMutedCreator: false,
    isMutedCustomer: false,
    isBlocked: false,
    lastMessageCreatedAt: null,
    lastMessage: null,
    unreadCount: 0,
    deliveredSeq: 0,
    readSeq: 0,
    ownReadSeq: 0,
    ...change,
  });
}
