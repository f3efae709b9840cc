/** Which subscribers a rule or a message is about: all, or those of a tier. For creators. */
import { listOwnTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { SubscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import { useQuery } from '@tanstack/react-query';
import { isolateText } from './bidi.ts';
import { apiQuery } from './query.ts';
import * as texts from './texts.ts';

/** The value is the tier's id, or empty for all subscribers. */
export type SubscriberOption = { value: SubscriptionTierId | ''; label: string };

/** Each tier includes higher ones. Empty until the creator's tiers are known, and without tiers. */
export function useSubscriberOptions(): readonly SubscriberOption[] {
  const tiers = useQuery(apiQuery(listOwnTiers, {})).data?.tiers ?? [];
  if (tiers.length === 0) return [];
  return [
    { value: '', label: texts.allSubscribers },
    ...tiers.map(({ id, name }, index): SubscriberOption => {
      const isHighest = index === tiers.length - 1;
      return { value: id, label: isHighest ? name : formatText(texts.tierAndHigher, { tierName: isolateText(name) }) };
    }),
  ];
}

export function findOptionTierId(options: readonly SubscriberOption[], value: string): SubscriptionTierId | null {
  return options.find((each) => each.value === value)?.value || null;
}
