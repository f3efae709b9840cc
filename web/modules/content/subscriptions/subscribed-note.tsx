import type { listCreatorTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { ReactNode } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import * as texts from './texts.ts';

type CreatorTiers = ResponseOf<typeof listCreatorTiers>;

/** What a fan who subscribes sees before the other tiers. */
export function SubscribedNote({
  subscription: { tierId, paidUntil, isRenewing, isGift },
  tiers,
  now,
  menu,
  isChanging,
  onChange,
}: {
  subscription: NonNullable<CreatorTiers['subscription']>;
  tiers: CreatorTiers['tiers'];
  now: string;
  menu: ReactNode;
  isChanging?: boolean;
  /** Shows or hides the other tiers. Undefined without others. */
  onChange?: () => void;
}) {
  const tierName = tiers.find(({ id }) => id === tierId)?.name;
  const day = paidUntil && formatShortDay(paidUntil, now);
  const endLine = isGift ? texts.giftUntil : texts.openUntil;
  const line = day ? formatText(isRenewing ? texts.renewsOn : endLine, { day }) : texts.freeSubscription;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-4">
      <div className="min-w-0">
        <h2 className="display d4 wrap-anywhere">
          {tierName === undefined
            ? texts.youSubscribeAnyTier
            : formatText(texts.youSubscribe, { tierName: isolateText(tierName) })}
        </h2>
        <p role="status" className="pt-1 text-small text-muted">
          {line}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <Button href={PATHS.fanSubscriptions}>{texts.manage}</Button>
        {onChange && (
          <Button variant="quiet" aria-expanded={isChanging} onClick={onChange}>
            {texts.changeTier}
          </Button>
        )}
        {menu}
      </div>
    </div>
  );
}
