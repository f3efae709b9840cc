import { quoteAmount } from '@stagedoor/contract/commerce/deposits.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { CATEGORY_COUNT_MAX, type CategorySummary, type CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { calculateCallCharge } from '@stagedoor/contract/messaging/call-states.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, formatRate, toCents } from '@stagedoor/contract/shared/money.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { creatorsPath, PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { WorksGallery } from '../../modules/content/posts/works-gallery.tsx';
import { toCoverProps, toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { isolateText } from '../../platform/bidi.ts';
import { formatCallDuration, formatCount } from '../../platform/dates.ts';
import { useApi } from '../../platform/query.ts';
import { PriceSummary } from '../../ui/definition-list.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { Label, SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import * as texts from './texts.ts';

export function FeaturedWorks({ works }: { works: readonly Post[] }) {
  if (works.length === 0) return null;
  return (
    <section id="hanging" className="front-band" aria-labelledby="hanging-title">
      <SectionHead
        id="hanging-title"
        title={texts.latestPosts}
        size="d2"
        end={texts.allPosts}
        href={PUBLIC_PATHS.works}
      />
      <WorksGallery works={works} />
    </section>
  );
}

/** Created on demand, so that it does not become part of the browser bundle. */
function getPriceNotes({ min }: PriceLimit) {
  const { payableCents, amountCents, feeCents } = quoteAmount(toCents(min));
  return [
    {
      name: texts.callsBilledBySecond,
      text: formatText(texts.callBillingExplanation, { freeSeconds: CALL_LIMITS.freeSeconds }),
    },
    {
      name: texts.noHiddenFees,
      text: formatText(texts.depositFeeExample, {
        payment: formatCents(payableCents),
        deposit: formatCents(amountCents),
        fee: formatCents(feeCents),
      }),
    },
    {
      name: texts.noSubscriptions,
      text: texts.noSubscriptionsExplanation,
    },
  ] as const;
}

export function PriceNotes() {
  const { prices } = useApi(getPlatformTerms, {});
  return (
    <section className="front-band" aria-labelledby="prices">
      <SectionHead id="prices" title={texts.priceFirstTitle} size="d2" />
      <ul className="three">
        {getPriceNotes(prices.addFunds).map(({ name, text }) => (
          <li key={name}>
            <h3 className="font-semibold">{name}</h3>
            <p className="tabular-nums">{text}</p>
          </li>
        ))}
      </ul>
      <p className="pt-3">
        <UiLink href={PUBLIC_PATHS.pricing} className="link inline-flex min-h-11 items-center">
          {texts.seePricing}
        </UiLink>
      </p>
    </section>
  );
}

/** The seconds of a sample call. */
const EXAMPLE = { rings: 9, talks: 372, lost: 6 };

export function SampleCall({ creator, rate }: { creator: CreatorCard; rate: number }) {
  const picture = toCoverProps(creator, '(min-width: 60rem) 58vw, 100vw');
  const total = formatCents(calculateCallCharge(EXAMPLE.talks * 1_000, toCents(rate)));
  return (
    <section className="scene" aria-labelledby="call">
      {picture && (
        <UiLink href={toProfileHref(creator)} className="scene__pic">
          <Picture {...picture} alt="" />
          <Label title={creator.name} detail={isolateText(creator.craft)} price={formatRate(rate)} />
        </UiLink>
      )}
      <div className="scene__sum">
        <h2 className="display d2 max-w-[11ch]" id="call">
          {texts.howCallsAreBilled}
        </h2>
        <div className="receipt">
          <p>{formatNodes(texts.exampleCallIntro, { name: <bdi>{creator.name}</bdi> })}</p>
          <PriceSummary
            items={[
              { name: `Ringing, ${formatCallDuration(EXAMPLE.rings)}`, value: formatCents(0) },
              { name: `Talking, ${formatCallDuration(EXAMPLE.talks)} at ${formatRate(rate)}`, value: total },
              { name: `Connection lost, ${formatCallDuration(EXAMPLE.lost)}`, value: formatCents(0) },
            ]}
            total={{ name: texts.youPay, value: total }}
          />
        </div>
        <p className="scene__note">{formatText(texts.callHoldNotice, { holdMinutes: CALL_LIMITS.holdMinutes })}</p>
      </div>
    </section>
  );
}

function formatCraftCount({ count }: CategorySummary): string {
  return count < CATEGORY_COUNT_MAX
    ? formatCount(count, 'creator')
    : formatText(texts.creatorCountOrMore, { minCount: CATEGORY_COUNT_MAX.toLocaleString('en-US') });
}

export function Crafts({ crafts }: { crafts: readonly CategorySummary[] }) {
  return (
    <section className="front-band" aria-labelledby="crafts">
      <SectionHead id="crafts" title={texts.browseByCategory} size="d2" />
      <ul className="crafts">
        {crafts.map((craft) => {
          const { category, cover } = craft;
          const picture = cover && toCoverProps({ cover: cover.picture, coverFocus: cover.focus }, '88px', { alt: '' });
          return (
            <li key={category}>
              <UiLink href={creatorsPath({ category })}>
                <Picture {...(picture ?? { alt: '', empty: <span /> })} ratio="1" />
                <b className="display d3 min-w-0 wrap-anywhere">{category}</b>
                <span className="num">{formatCraftCount(craft)}</span>
              </UiLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
