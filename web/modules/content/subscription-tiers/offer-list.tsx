/** A creator's discounts: running ones with their link and code, and those that have ended. */
import { closeOffer, listOwnOffers, type OwnOffer } from '@stagedoor/contract/content/subscription-offers.ts';
import type { OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { offerPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { OFFER_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { copyText } from '../../../platform/clipboard.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { AUDIENCE_LABELS, OfferEditor } from './offer-editor.tsx';
import * as texts from './texts.ts';

const STATE_LABELS: Readonly<Record<OwnOffer['state'], string>> = {
  running: texts.offerRunning,
  usedUp: texts.offerUsedUp,
  ended: texts.offerEnded,
  closed: texts.offerClosed,
};

function describeTerms({ percentOff, periods, tier, audience }: OwnOffer): string {
  const discount =
    periods === 1
      ? formatText(texts.firstPaymentOff, { percent: percentOff })
      : formatText(texts.firstPaymentsOff, { percent: percentOff, count: periods });
  const tierName = tier === null ? texts.allPaidTiers : isolateText(tier.name);
  return [discount, tierName, AUDIENCE_LABELS[audience]].join(' · ');
}

function describeUse({ useCount, maxUses, endsAt, state }: OwnOffer, now: string): string {
  const count = useCount.toLocaleString('en-US');
  const uses =
    maxUses === null
      ? formatText(useCount === 1 ? texts.usedOnce : texts.usedTimes, { count })
      : formatText(texts.limitedUses, { count, max: maxUses.toLocaleString('en-US') });
  const day = formatShortDay(endsAt, now);
  return state === 'closed'
    ? uses
    : `${uses} · ${formatText(state === 'ended' ? texts.endedOn : texts.until, { day })}`;
}

function CloseOffer({ offer }: { offer: OwnOffer }) {
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const close = useApiMutation(closeOffer, {
    onSuccess: (response) => {
      client.setQueryData(apiQuery(listOwnOffers, {}).queryKey, response);
      setIsOpen(false);
      void showToast(formatText(texts.offerClosedToast, { code: offer.code }), 'success');
    },
  });
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="dialog"
        aria-label={formatText(texts.closeOfferLabel, { code: offer.code })}
        onClick={() => setIsOpen(true)}
      >
        {texts.closeOffer}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={formatText(texts.closeOfferQuestion, { code: offer.code })}
        lead={texts.closeOfferLead}
        confirmText={texts.closeOffer}
        cancelText={texts.keepOffer}
        danger
        busy={close.isPending}
        busyText={texts.closingOffer}
        onConfirm={() => close.mutate({ params: { id: offer.id } })}
      />
    </>
  );
}

function OfferItem({ offer, now, canEdit }: { offer: OwnOffer; now: string; canEdit: boolean }) {
  const viewer = useViewer();
  const isRunning = offer.state === 'running';
  const { code } = offer;
  const copyLink = () => {
    if (viewer) void copyText(new URL(offerPath(viewer.username, code), location.href).href, texts.linkCopied);
  };
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className={isRunning ? 'display d4' : 'display d4 text-muted'}>{code}</h3>
        {isRunning ? (
          <StatusDot>{STATE_LABELS.running}</StatusDot>
        ) : (
          <span className="text-small text-muted">{STATE_LABELS[offer.state]}</span>
        )}
      </div>
      <p className="num pt-1 text-small text-muted">{describeTerms(offer)}</p>
      <p className="num pt-1 text-small">{describeUse(offer, now)}</p>
      {isRunning && (
        <div className="flex flex-wrap gap-2 pt-3">
          <Button icon="copy" aria-label={formatText(texts.copyLinkLabel, { code })} onClick={copyLink}>
            {texts.copyLink}
          </Button>
          <Button
            aria-label={formatText(texts.copyCodeLabel, { code })}
            onClick={() => void copyText(code, texts.codeCopied)}
          >
            {texts.copyCode}
          </Button>
          {canEdit && <CloseOffer offer={offer} />}
        </div>
      )}
    </li>
  );
}

/** @param isDisabled The creator may not sell at the moment. */
export function OfferSection({
  tiers,
  now,
  isDisabled,
}: {
  tiers: readonly OwnTier[];
  now: string;
  isDisabled: boolean;
}) {
  const { offers } = useApi(listOwnOffers, {});
  const canEdit = !useViewer()?.delegation;
  const [isCreating, setIsCreating] = useState(false);
  const hasPaidTier = tiers.some(({ isFree }) => !isFree);
  if (!hasPaidTier && offers.length === 0) return null;
  const isFull = offers.filter(({ state }) => state === 'running').length >= OFFER_LIMITS.running;
  const add = canEdit && (
    <Button icon="plus" disabled={isDisabled || isFull || !hasPaidTier} onClick={() => setIsCreating(true)}>
      {texts.addOffer}
    </Button>
  );
  return (
    <section aria-labelledby="offers" className="pt-12">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="offers" className="display d3">
          {texts.offers}
        </h2>
        {offers.length > 0 && add}
      </div>
      <p className="pt-2 pb-4 text-muted">
        {isFull ? formatText(texts.offersFull, { max: OFFER_LIMITS.running }) : texts.offersIntro}
      </p>
      {offers.length > 0 ? (
        <ul className="rows rows--closed" aria-label={texts.offers}>
          {offers.map((offer) => (
            <OfferItem key={offer.id} offer={offer} now={now} canEdit={canEdit} />
          ))}
        </ul>
      ) : (
        <EmptyState line={texts.noOffersYet} action={add || undefined} />
      )}
      {isCreating && <OfferEditor tiers={tiers} onClose={() => setIsCreating(false)} />}
    </section>
  );
}
