import type { listCreatorTiers, SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useViewer } from '../../../platform/session.ts';
import { creatorTiersQuery, type SubscribeCreator } from './creator-tiers.ts';
import { GiftMenu } from './gift-menu.tsx';
import { OfferNote } from './offer-note.tsx';
import { hasNarrowColumns, OpenTiers } from './open-tiers.tsx';
import { PeriodLinks } from './period-links.tsx';
import {
  isDialogRequested,
  type RequestedPlan,
  readOfferCode,
  readPlanChoice,
  resolvePlanChoice,
  SUBSCRIBE_ID,
} from './plan-choice.ts';
import { SubscribeAction } from './subscribe-action.tsx';
import { SubscribedNote } from './subscribed-note.tsx';
import * as texts from './texts.ts';
import { useLiveSubscriptions } from './use-live-subscriptions.ts';

/** The open tiers with one primary action under the chosen one. */
function TierChoice({
  creator,
  data,
  tiers,
  title,
  now,
  onCode,
}: {
  creator: SubscribeCreator;
  data: ResponseOf<typeof listCreatorTiers>;
  tiers: readonly SubscriptionTier[];
  title: string;
  now: string;
  onCode: (code: string | undefined) => void;
}) {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const [choice, setChoice] = useState<RequestedPlan>(() => readPlanChoice(search));
  const resolved = resolvePlanChoice(tiers, choice);
  if (!resolved) return null;
  const { tier: chosen, period } = resolved;
  const { offer } = data;
  const props = { creator, tiers, chosen, period, offer, onChoose: setChoice };
  const action =
    viewer && viewer.type !== 'customer' ? undefined : (
      <SubscribeAction
        creator={creator}
        tier={chosen}
        period={period}
        canHaveTrial={data.canHaveTrial}
        offer={offer}
        onCode={onCode}
        now={now}
        hasShortLabel={hasNarrowColumns(tiers)}
        isChange={data.subscription !== null}
      />
    );
  return (
    <>
      <div className="grid gap-3 pb-4 lg:flex lg:items-center lg:justify-between lg:pb-5">
        <div className="flex items-center justify-between gap-2">
          <h2 className="display d3">{title}</h2>
          {!data.subscription && <GiftMenu creator={creator} tiers={tiers} />}
        </div>
        <PeriodLinks {...props} />
      </div>
      <OfferNote offer={offer} refusal={data.offerRefusal} creatorName={creator.name} now={now} />
      <OpenTiers {...props} free={data.free} canHaveTrial={data.canHaveTrial} action={action} />
      {viewer && viewer.type !== 'customer' && (
        <p className="pt-3 text-small text-muted">
          {viewer.id === creator.id ? texts.ownTiersNote : texts.onlyFansNote}
        </p>
      )}
    </>
  );
}

/** Nothing for creators without open tiers, unless the viewer subscribes to one of them. */
export function SubscribeSection({ creator, now }: { creator: SubscribeCreator; now: string }) {
  useLiveSubscriptions();
  const [search] = useSearchParams();
  const addressCode = readOfferCode(search);
  const [lastAddressCode, setLastAddressCode] = useState(addressCode);
  const [code, setCode] = useState(addressCode);
  // The code stays when the address loses it, for example on another tab of the profile.
  if (addressCode !== lastAddressCode) {
    setLastAddressCode(addressCode);
    if (addressCode !== undefined) setCode(addressCode);
  }
  // Otherwise the dialog would close while the prices change.
  const { data } = useQuery({ ...creatorTiersQuery(creator.id, code), placeholderData: keepPreviousData });
  // A fan returns from a deposit to the dialog of the tier that they want to change to.
  const [changedId, setChangedId] = useState(() => (isDialogRequested(search) ? data?.subscription?.id : undefined));
  if (!data) return null;
  const { subscription } = data;
  const tiers = data.tiers.filter(({ id, isOpen }) => isOpen && id !== subscription?.tierId);
  if (tiers.length === 0 && !subscription) return null;
  const canChange = tiers.length > 0 && subscription !== null && !subscription.isGift;
  const isChanging = canChange && changedId === subscription.id;
  return (
    <section id={SUBSCRIBE_ID} aria-label={texts.subscribe} className="scroll-mt-20 px-edge pt-5 lg:pt-7 lg:pb-3">
      {subscription && (
        <SubscribedNote
          subscription={subscription}
          tiers={data.tiers}
          now={now}
          menu={<GiftMenu creator={creator} tiers={data.tiers} />}
          {...(canChange && { isChanging, onChange: () => setChangedId(isChanging ? undefined : subscription.id) })}
        />
      )}
      {(!subscription || isChanging) && (
        <div className={isChanging ? 'pt-5' : undefined}>
          <TierChoice
            title={isChanging ? texts.changeTier : texts.subscribe}
            {...{ creator, data, tiers, now }}
            onCode={setCode}
          />
        </div>
      )}
    </section>
  );
}
