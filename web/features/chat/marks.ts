/** Delivered and read marks on the other side's messages: by the socket, or by HTTP while there is none. Marks reach back. */
import { updateMessageStatus } from '@stagedoor/contract/chat.ts';
import { markMessages } from '@stagedoor/contract/chat-live.ts';
import type { Message } from '@stagedoor/contract/messages.ts';
import { sendSignal } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';

type Marked = Pick<Message, 'conversationId' | 'id' | 'seq'>;

/** Up to where each conversation was marked from this page, so that nothing is said twice. */
const said = { delivered: new Map<string, number>(), read: new Map<string, number>() };

/** With a new connection: what was said over the last one may not have been heard. */
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
    // It was not heard, so it may be said again.
    if (said[status].get(conversationId) === seq) said[status].delete(conversationId);
  });
}
