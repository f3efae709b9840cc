/** Confirms and blocks a user. Fans and creators can both block, whether or not the two have ever talked. */
import {
  blockUnblockCreator,
  blockUnblockCustomer,
  listBlockedUsers,
} from '@stagedoor/contract/messaging/chat-settings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { routeKey } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import * as texts from './texts.ts';

export type BlockableUser = { id: string; name: string };

/** @param onClose Receives whether the user is blocked now. */
export function BlockDialog({ user, onClose }: { user: BlockableUser; onClose: (isBlocked: boolean) => void }) {
  const client = useQueryClient();
  const isCreator = useViewer()?.type === 'creator';
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: routeKey(listBlockedUsers) });
    void showToast(formatText(texts.userBlocked, { name: isolateText(user.name) }), 'success');
    onClose(true);
  };
  const blockFan = useApiMutation(blockUnblockCustomer, { onSuccess });
  const blockCreator = useApiMutation(blockUnblockCreator, { onSuccess });
  const body = { isBlocked: true };
  return (
    <ConfirmDialog
      open
      danger
      title={formatText(texts.blockQuestion, { name: isolateText(user.name) })}
      lead={isCreator ? texts.blockFanConsequence : texts.blockCreatorConsequence}
      confirmText={texts.blockButton}
      busyText={texts.blocking}
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
