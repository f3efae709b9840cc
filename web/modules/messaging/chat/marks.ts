/** Sends delivered and read marks over the socket, or over HTTP without one. A mark covers all earlier messages. */
import { updateMessageStatus } from '@stagedoor/contract/messaging/chat.ts';
import { markMessages } from '@stagedoor/contract/messaging/chat-events.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { api } from '../../../platform/mutation.ts';
import { sendSignal } from '../../../platform/socket-events.ts';

type MarkedMessage = Pick<Message, 'conversationId' | 'id' | 'seq'>;

const sentMarks = { delivered: new Map<string, number>(), read: new Map<string, number>() };

/** Called on a new connection, because marks sent over the old one may be lost. */
export function clearMarks(): void {
  sentMarks.delivered.clear();
  sentMarks.read.clear();
}

export function sendMark({ conversationId, id, seq }: MarkedMessage, status: 'delivered' | 'read'): void {
  if (seq <= (sentMarks[status].get(conversationId) ?? 0)) return;
  sentMarks[status].set(conversationId, seq);
  const payload = { conversationId, msgIds: [id], status };
  if (sendSignal(markMessages, payload)) return;
  api(updateMessageStatus, { body: payload }, { showErrorMessage: false }).catch(() => {
    // The mark was not sent, so it may be sent again.
    if (sentMarks[status].get(conversationId) === seq) sentMarks[status].delete(conversationId);
  });
}
