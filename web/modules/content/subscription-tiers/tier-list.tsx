import { listOwnTiers, type OwnTier, orderTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatOption, formatSubscribers } from './labels.ts';
import * as texts from './texts.ts';
import { moveItem } from './tier-draft.ts';

function describeOffer({ options, trialDays, slots, slotsLeft, isOpen }: OwnTier): string[] {
  return [
    options.length === 0 ? texts.free : options.map(formatOption).join(' · '),
    ...(trialDays === null ? [] : [formatText(texts.trialDaysOffered, { days: trialDays })]),
    ...(slots === null || slotsLeft === null
      ? []
      : [
          formatText(texts.slotsLeft, {
            left: slotsLeft.toLocaleString('en-US'),
            slots: slots.toLocaleString('en-US'),
          }),
        ]),
    ...(isOpen ? [] : [texts.closed]),
  ];
}

export function TierList({ tiers, onEdit }: { tiers: readonly OwnTier[]; onEdit: (tier: OwnTier) => void }) {
  const client = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  const { queryKey } = apiQuery(listOwnTiers, {});
  const order = useApiMutation(orderTiers, {
    onSuccess: (response) => client.setQueryData(queryKey, response),
    // The tiers have changed elsewhere.
    onError: () => void client.invalidateQueries({ queryKey }),
  });
  const move = (tier: OwnTier, from: number, to: number) => {
    if (order.isPending) return;
    order.mutate(
      { body: { ids: moveItem(tiers, from, to).map(({ id }) => id) } },
      {
        onSuccess: () =>
          setAnnouncement(formatText(texts.movedTo, { name: tier.name, position: to + 1, count: tiers.length })),
      },
    );
  };
  return (
    <>
      <ol className="rows rows--closed" aria-label={texts.tiersListed}>
        {tiers.map((tier, index) => {
          const name = isolateText(tier.name);
          return (
            <li key={tier.id} className="flex items-center gap-2 py-4">
              {tiers.length > 1 && (
                <span className="-ml-3 grid flex-none">
                  <IconButton
                    icon="chevron-up"
                    label={formatText(texts.moveUp, { name })}
                    disabled={index === 0}
                    onClick={() => move(tier, index, index - 1)}
                  />
                  <IconButton
                    icon="chevron-down"
                    label={formatText(texts.moveDown, { name })}
                    disabled={index === tiers.length - 1}
                    onClick={() => move(tier, index, index + 1)}
                  />
                </span>
              )}
              <div className="min-w-0 flex-1">
                <h2 className="display d4 wrap-anywhere">
                  <bdi>{tier.name}</bdi>
                </h2>
                {describeOffer(tier).map((line) => (
                  <p key={line} className="num pt-1 text-small text-muted">
                    {line}
                  </p>
                ))}
                <p className="num pt-1 text-small">
                  {formatSubscribers(tier.subscriberCount)} ·{' '}
                  {formatText(texts.contents, { posts: formatCount(tier.postCount, 'post') })}
                </p>
              </div>
              <Button aria-label={formatText(texts.editTier, { name })} onClick={() => onEdit(tier)}>
                {texts.edit}
              </Button>
            </li>
          );
        })}
      </ol>
      {tiers.length > 1 && <p className="pt-3 text-small text-muted">{texts.orderHint}</p>}
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </>
  );
}
