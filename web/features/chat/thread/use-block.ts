import { blockedPeople, blockUnblockCreator, blockUnblockCustomer } from '@stagedoor/contract/chat-terms.ts';
import type { Conversation } from '@stagedoor/contract/messages.ts';
import { followingCounts, listFollowing } from '@stagedoor/contract/profiles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolated } from '../../../kernel/bidi.ts';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { showToast } from '../../../kernel/outcome.ts';
import { routeKey } from '../../../kernel/query.ts';
import { changeConversation, conversationQuery } from '../cache.ts';
import { otherOf } from '../model.ts';
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
    if (!isBlocked) return;
    // Blocking also ends the follow.
    for (const route of [blockedPeople, listFollowing, followingCounts])
      void client.invalidateQueries({ queryKey: routeKey(route) });
    void showToast(`Blocked ${isolated(otherOf(conversation, side).name)}.`, 'success');
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
