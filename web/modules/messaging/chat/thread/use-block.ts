import { getFollowingCounts, listFollowing } from '@stagedoor/contract/content/profiles.ts';
import {
  blockUnblockCreator,
  blockUnblockCustomer,
  listBlockedUsers,
} from '@stagedoor/contract/messaging/chat-settings.ts';
import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolateText } from '../../../../platform/bidi.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { routeKey } from '../../../../platform/query.ts';
import { conversationQuery, updateConversation } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import { getOtherUser } from '../model.ts';
import * as texts from '../texts.ts';

export function useBlock(conversation: Conversation) {
  const client = useQueryClient();
  const { side } = useChatContext();
  const onSuccess = ({ isBlocked }: { isBlocked: boolean }) => {
    updateConversation(client, conversation.id, (current) => ({
      ...current,
      isBlocked,
      info: { ...current.info, isBlocked, isBlockedByMe: isBlocked },
    }));
    void client.invalidateQueries({ queryKey: conversationQuery(conversation.id).queryKey });
    if (!isBlocked) return;
    // Blocking also ends the follow.
    for (const route of [listBlockedUsers, listFollowing, getFollowingCounts])
      void client.invalidateQueries({ queryKey: routeKey(route) });
    void showToast(
      formatText(texts.userBlocked, { name: isolateText(getOtherUser(conversation, side).name) }),
      'success',
    );
  };
  const blockCustomer = useApiMutation(blockUnblockCustomer, { onSuccess });
  const blockCreator = useApiMutation(blockUnblockCreator, { onSuccess });
  return {
    isPending: blockCustomer.isPending || blockCreator.isPending,
    block: (isBlocked: boolean) =>
      side === 'creator'
        ? blockCustomer.mutate({ params: { customerId: conversation.customer.id }, body: { isBlocked } })
        : blockCreator.mutate({ params: { creatorId: conversation.user.id }, body: { isBlocked } }),
  };
}
