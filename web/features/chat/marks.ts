/** Sends delivered and read marks over the socket, or over HTTP without one. A mark covers all earlier messages. */
import { updateMessageStatus } from '@stagedoor/contract/chat.ts';
import { markMessages } from '@stagedoor/contract/chat-live.ts';
import type { Message } from '@stagedoor/contract/messages.ts';
import { sendSignal } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';

type Marked = Pick<Message, 'conversationId' | 'id' | 'seq'>;

const said = { delivered: new Map<string, number>(), read: new Map<string, number>() };

/** Called on a new connection, because marks sent over the old one may be lost. */
export function forgetMarks(): void {
  said.delivered.clear();
  said.read.clear();
}

export function mark({ conversationId, id, seq }: Marked, status: 'delivered' | 'read'): void {
  if (seq <= (said[status].get(conversationId) ?? 0)) return;
  said[status].set(conversationId, seq);
  const payload = { conversationId, msgIds: [id], status };
  if (sendSignal(markMessages, payload)) return;
  api(updateMessageStatus, { body: payload }, { showErrorMessage: false }).catch(() => {
    // The mark was not sent, so it may be sent again.
    if (said[status].get(conversationId) === seq) said[status].delete(conversationId);
  });
}
