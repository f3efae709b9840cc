/** Who can open a paid post: the choices of the composer and of the list of the creator's posts. */
import type { PostAudience } from '@stagedoor/contract/content/post-details.ts';
import { listOwnTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { isolateText } from './bidi.ts';
import { apiQuery } from './query.ts';
import * as texts from './texts.ts';

export type AudienceOption = { value: PostAudience; label: string; hint: string };

/** Undefined until the creator's tiers are known. Without tiers, only buyers can open a post. */
export function useAudienceOptions(): AudienceOption[] | undefined {
  const { data } = useQuery(apiQuery(listOwnTiers, {}));
  if (!data) return undefined;
  const { tiers } = data;
  const buyers: AudienceOption = { value: 'none', label: texts.buyersOnly, hint: texts.buyersOnlyHint };
  if (tiers.length === 0) return [buyers];
  return [
    buyers,
    { value: 'all', label: texts.allSubscribers, hint: texts.allSubscribersHint },
    ...tiers.map(({ id, name }, index): AudienceOption => {
      const tier = { tierName: isolateText(name) };
      const isHighest = index === tiers.length - 1;
      return {
        value: id,
        label: isHighest ? name : formatText(texts.tierAndHigher, tier),
        hint: formatText(isHighest ? texts.highestTierHint : texts.tierAndHigherHint, tier),
      };
    }),
  ];
}
