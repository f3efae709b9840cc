import type { ViewedOffer } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { Banner } from '../../../ui/states.tsx';
import { formatDiscount } from './billing.ts';
import * as texts from './texts.ts';

const AUDIENCES = { everyone: undefined, new: texts.offerForNew, returning: texts.offerForReturning } as const;

/** The discount of a code above the tiers, or the message that the code does not work. */
export function OfferNote({
  offer,
  refusal,
  creatorName,
  now,
}: {
  offer: ViewedOffer | null;
  refusal: string | null;
  creatorName: string;
  now: string;
}) {
  if (refusal !== null)
    return (
      <div className="pb-4">
        <Banner kind="warn" inline>
          {refusal}
        </Banner>
      </div>
    );
  if (!offer) return null;
  const audience = AUDIENCES[offer.audience];
  return (
    <div className="mb-4 border-y border-line py-3" role="note">
      <p className="num font-semibold whitespace-normal!">
        {formatText(texts.offerTitle, { code: offer.code, discount: formatDiscount(offer) })}
      </p>
      <p className="num text-small whitespace-normal! text-muted">
        {formatText(texts.offerUntil, { day: formatShortDay(offer.endsAt, now) })}
        {audience !== undefined && ` ${formatText(audience, { creatorName: isolateText(creatorName) })}`}
      </p>
    </div>
  );
}
