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
    void showToast(
      `You have blocked ${isolated(person.name)}. Your account settings list whom you blocked.`,
      'success',
    );
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
          ? 'You will not see each other any more: they find no page of yours, do not follow you, and cannot write, call or tip. What they bought stays theirs. They are not told.'
          : 'You will not see each other anywhere any more, and your follow ends. What you bought stays yours. They are not told.'
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
