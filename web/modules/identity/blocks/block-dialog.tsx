/** Confirms and blocks a user. Fans and creators can both block, whether or not the two have ever talked. */
import {
  blockUnblockCreator,
  blockUnblockCustomer,
  listBlockedUsers,
} from '@stagedoor/contract/messaging/chat-settings.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { routeKey } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';

export type BlockableUser = { id: string; name: string };

/** @param onClose Receives whether the user is blocked now. */
export function BlockDialog({ user, onClose }: { user: BlockableUser; onClose: (isBlocked: boolean) => void }) {
  const client = useQueryClient();
  const isCreator = useViewer()?.type === 'creator';
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: routeKey(listBlockedUsers) });
    void showToast(`Blocked ${isolateText(user.name)}. Manage blocked people in your account settings.`, 'success');
    onClose(true);
  };
  const blockFan = useApiMutation(blockUnblockCustomer, { onSuccess });
  const blockCreator = useApiMutation(blockUnblockCreator, { onSuccess });
  const body = { isBlocked: true };
  return (
    <ConfirmDialog
      open
      danger
      title={`Block ${isolateText(user.name)}?`}
      lead={
        isCreator
          ? 'They won’t be able to see your profile, follow, message, call or tip you. They keep what they’ve unlocked. We won’t notify them.'
          : 'You won’t see each other, and you’ll unfollow them. You keep what you’ve unlocked. We won’t notify them.'
      }
      confirmText="Block"
      busyText="Blocking…"
      busy={blockFan.isPending || blockCreator.isPending}
      onOpenChange={(isOpen) => !isOpen && onClose(false)}
      onConfirm={() =>
        isCreator
          ? blockFan.mutate({ params: { customerId: user.id }, body })
          : blockCreator.mutate({ params: { creatorId: user.id }, body })
      }
    />
  );
}
