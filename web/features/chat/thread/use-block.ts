/** Blocking the other side of a conversation, and taking it back. */
import { blockUnblockCreator, blockUnblockCustomer } from '@stagedoor/contract/chat-terms.ts';
import type { Conversation } from '@stagedoor/contract/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { changeConversation, conversationQuery } from '../cache.ts';
import { useParts } from '../parts.ts';

export function useBlock(conversation: Conversation) {
  const client = useQueryClient();
  const { side } = useParts();
  const onSuccess = ({ isBlocked }: { isBlocked: boolean }) => {
    changeConversation(client, conversation.id, (known) => ({
      ...known,
      isBlocked,
      info: { ...known.info, isBlocked, isBlockedByMe: isBlocked },
    }));
    void client.invalidateQueries({ queryKey: conversationQuery(conversation.id).queryKey });
  };
  const customer = useApiMutation(blockUnblockCustomer, { onSuccess });
  const creator = useApiMutation(blockUnblockCreator, { onSuccess });
  return {
    isPending: customer.isPending || creator.isPending,
    block: (isBlocked: boolean) =>
      side === 'creator'
        ? customer.mutate({ params: { customerId: conversation.customer.id }, body: { isBlocked } })
        : creator.mutate({ params: { creatorId: conversation.user.id }, body: { isBlocked } }),
  };
}
