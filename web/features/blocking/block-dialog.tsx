/** Confirms and blocks a user. Fans and creators can both block, whether or not the two have ever talked. */
import { blockedPeople, blockUnblockCreator, blockUnblockCustomer } from '@stagedoor/contract/chat-terms.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolated } from '../../kernel/bidi.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';

export type Blockable = { id: string; name: string };

/** @param onClose Receives whether the user is blocked now. */
export function BlockDialog({ person, onClose }: { person: Blockable; onClose: (isBlocked: boolean) => void }) {
  const client = useQueryClient();
  const isCreator = useViewer()?.type === 'creator';
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: routeKey(blockedPeople) });
    void showToast(`Blocked ${isolated(person.name)}. Manage blocked people in your account settings.`, 'success');
    onClose(true);
  };
  const fan = useApiMutation(blockUnblockCustomer, { onSuccess });
  const creator = useApiMutation(blockUnblockCreator, { onSuccess });
  const body = { isBlocked: true };
  return (
    <ConfirmDialog
      open
      danger
      title={`Block ${isolated(person.name)}?`}
      lead={
        isCreator
          ? 'They won’t be able to see your profile, follow, message, call or tip you. They keep what they’ve unlocked. We won’t notify them.'
          : 'You won’t see each other, and you’ll unfollow them. You keep what you’ve unlocked. We won’t notify them.'
      }
      confirmText="Block"
      busyText="Blocking…"
      busy={fan.isPending || creator.isPending}
      onOpenChange={(isOpen) => !isOpen && onClose(false)}
      onConfirm={() =>
        isCreator
          ? fan.mutate({ params: { customerId: person.id }, body })
          : creator.mutate({ params: { creatorId: person.id }, body })
      }
    />
  );
}
