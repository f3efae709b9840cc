import { deleteTier, listOwnTiers, type OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { formatSubscribers } from './labels.ts';
import * as texts from './texts.ts';

function getConsequence({ subscriberCount, isFree }: OwnTier): string {
  if (subscriberCount === 0) return texts.deleteEmpty;
  const subscribers = formatSubscribers(subscriberCount);
  return formatText(isFree ? texts.deleteFree : texts.deleteSubscribed, { subscribers });
}

export function DeleteTierDialog({
  tier,
  open,
  onOpenChange,
  onDeleted,
}: {
  tier: OwnTier;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted: () => void;
}) {
  const client = useQueryClient();
  const remove = useApiMutation(deleteTier, {
    onSuccess: (response) => {
      client.setQueryData(apiQuery(listOwnTiers, {}).queryKey, response);
      void showToast(texts.deletedToast, 'success');
      onDeleted();
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={formatText(texts.deleteQuestion, { name: isolateText(tier.name) })}
      confirmText={texts.deleteTier}
      danger
      busy={remove.isPending}
      busyText={texts.deleting}
      onConfirm={() => remove.mutate({ params: { id: tier.id } })}
    >
      <p>{getConsequence(tier)}</p>
      {tier.subscriberCount > 0 && tier.isOpen && <p className="pt-3 text-muted">{texts.closeInstead}</p>}
    </ConfirmDialog>
  );
}
