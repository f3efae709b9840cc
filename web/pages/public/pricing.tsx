/** Prices (row B8): credits, price ranges, calls, refunds and limits. All figures come from the operator's settings. */

import { quoteCredits } from '@stagedoor/contract/commerce/deposits.ts';
import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CREDIT_PACKAGES, CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS } from '@stagedoor/contract/shared/limits.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { asCents, calculatePercent, formatCents, formatUsd, toCents } from '@stagedoor/contract/shared/money.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { PlatformTermsView } from './calculator.tsx';
import {
  ArticlePage,
  type ArticleSection,
  creatorsQuery,
  filterWithCover,
  formatRateOrCraft,
  PriceTable,
  toCoverPicture,
} from './marketing-parts.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.pricing,
    description: texts.pricingDescription,
  });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([client.ensureQueryData(apiQuery(getPlatformTerms, {})), client.ensureQueryData(creatorsQuery())]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const RATE = 300;
const formatClock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
/** The price of a call as it is captured: per second, rounded half up, and free below the threshold. */
const calculatePrice = (seconds: number) => (seconds < CALL_LIMITS.freeSeconds ? 0 : Math.round((RATE * seconds) / 60));
const EXAMPLE_SECONDS = [
  CALL_LIMITS.freeSeconds - 1,
  CALL_LIMITS.freeSeconds,
  151,
  CALL_LIMITS.holdMinutes * 60,
] as const;
const TEN = asCents(1_000);

const PRICED_ITEMS = [
  { name: 'Post', kind: 'post' },
  { name: texts.chatMedia, kind: 'chatMedia' },
  { name: 'Tip', kind: 'tip' },
  { name: texts.callPerMinute, kind: 'callRate' },
  { name: texts.subscriptionPerMonth, kind: 'subscription' },
] as const;

function Packages({ limit: { min, max } }: { limit: PriceLimit }) {
  const rows = CREDIT_PACKAGES.flatMap((credits) => {
    const { amountCents, feeCents, payableCents } = quoteCredits(credits);
    if (amountCents < toCents(min) || amountCents > toCents(max)) return [];
    return [[credits, formatCents(amountCents), formatCents(feeCents), formatCents(payableCents)]];
  });
  return (
    rows.length > 0 && (
      <PriceTable
        caption={texts.credits}
        head={[texts.credits, texts.youGet, texts.feeColumn, texts.youPay]}
        rows={rows}
      />
    )
  );
}

function toFeeRows(terms: PlatformTermsView): string[][] {
  const toFeeRow = (name: string, percent: number) => {
    const fee = calculatePercent(TEN, percent);
    return [`${name}, ${percent}%`, formatCents(fee), formatCents(TEN - fee)];
  };
  const offer = findNewCreatorOffer(terms);
  if (!offer) return [toFeeRow(texts.fromTheFirstDay, terms.generalFee)];
  return [
    toFeeRow(formatText(texts.firstDaysFee, { days: offer.days }), offer.fee),
    toFeeRow(texts.afterThat, terms.generalFee),
  ];
}

function listSubscriptionRules(terms: PlatformTermsView): [string, string][] {
  const { trialDaysMax, renewalGraceDays, subscriptionRefundHours } = terms;
  return [
    [texts.renewal, texts.renewalRule],
    [texts.cancellation, texts.cancellationRule],
    [texts.trial, formatText(texts.trialRule, { days: trialDaysMax })],
    [texts.failedRenewal, formatText(texts.failedRenewalRule, { days: renewalGraceDays })],
    [texts.priceChange, texts.priceChangeRule],
    ...(subscriptionRefundHours > 0
      ? [
          [texts.subscriptionRefund, formatText(texts.subscriptionRefundRule, { hours: subscriptionRefundHours })] as [
            string,
            string,
          ],
        ]
      : []),
  ];
}

const getFanSections = (terms: PlatformTermsView): ArticleSection[] => [
  ...getPriceSections(terms),
  {
    id: 'subscriptions',
    title: texts.subscriptions,
    intro: texts.subscriptionsLead,
    children: (
      <PriceTable
        isText
        caption={texts.subscriptionRules}
        head={[texts.situation, texts.ruleColumn]}
        rows={listSubscriptionRules(terms)}
      />
    ),
  },
];

const getPriceSections = ({ prices }: PlatformTermsView): ArticleSection[] => [
  {
    id: 'credits',
    title: texts.credits,
    intro: formatText(texts.creditRate, {
      creditValue: formatCents(CREDIT_VALUE_CENTS),
      creditPrice: formatCents(CREDIT_PRICE_CENTS),
    }),
    children: <Packages limit={prices.addFunds} />,
  },
  {
    id: 'sold',
    title: texts.creatorPrices,
    intro: texts.creatorPricesLead,
    children: (
      <>
        <PriceTable
          caption={texts.creatorPrices}
          head={['', texts.priceFrom, texts.priceTo]}
          rows={PRICED_ITEMS.map(({ name, kind }) => [name, formatUsd(prices[kind].min), formatUsd(prices[kind].max)])}
        />
        <p className="leaf__note">{texts.freeContentNote}</p>
      </>
    ),
  },
  {
    id: 'calls',
    title: texts.callsBilledByTheSecond,
    intro: formatText(texts.callBillingLead, { freeSeconds: CALL_LIMITS.freeSeconds, rate: formatCents(RATE) }),
    children: (
      <>
        <PriceTable
          caption={formatText(texts.callExamplesCaption, { rate: formatCents(RATE) })}
          head={[texts.callLength, texts.initialHold, texts.releasedHold, texts.youPay]}
          rows={EXAMPLE_SECONDS.map((seconds) => [
            formatClock(seconds),
            formatCents(RATE * CALL_LIMITS.holdMinutes),
            formatCents(RATE * CALL_LIMITS.holdMinutes - calculatePrice(seconds)),
            formatCents(calculatePrice(seconds)),
          ])}
        />
        <p className="leaf__note">
          {formatText(texts.callHoldNote, {
            holdMinutes: CALL_LIMITS.holdMinutes,
            warningTime: CALL_LIMITS.warnSeconds.map(formatClock).join(' and at '),
          })}
        </p>
      </>
    ),
  },
];

const getRuleSections = (terms: PlatformTermsView): ArticleSection[] => [
  {
    id: 'refunds',
    title: texts.refunds,
    intro: texts.refundsLead,
    children: (
      <>
        <PriceTable
          isText
          caption={texts.refundRules}
          head={[texts.situation, texts.refundColumn, texts.refundTime]}
          rows={[
            [
              formatText(texts.shortCall, { freeSeconds: CALL_LIMITS.freeSeconds }),
              formatText(texts.shortCallRefund, { amount: formatCents(0) }),
              texts.rightAway,
            ],
            [texts.droppedCall, texts.droppedCallRefund, texts.rightAway],
            [texts.brokenMedia, texts.brokenMediaRefund, texts.brokenMediaRefundTime],
            [texts.unauthorizedDeposit, texts.unauthorizedDepositRefund, texts.unauthorizedDepositRefundTime],
            [texts.tip, texts.notRefundable, texts.neverRefunded],
            [texts.dislikedPost, texts.dislikedPostRefund, texts.neverRefunded],
          ]}
        />
        <p className="leaf__note">{texts.reversedDepositNote}</p>
        <p className="pt-4">
          <a className="link" href={CASE_PATHS.contactUs}>
            {texts.contactUs}
          </a>
        </p>
      </>
    ),
  },
  {
    id: 'limits',
    title: texts.limits,
    intro: texts.limitsHint,
    children: (
      <PriceTable
        caption={texts.limits}
        head={['', texts.minimum, texts.maximum]}
        rows={[
          [texts.deposit, formatUsd(terms.prices.addFunds.min), formatUsd(terms.prices.addFunds.max)],
          [texts.dailySpending, '–', formatUsd(terms.dailySpend)],
          [texts.tip, formatUsd(terms.prices.tip.min), formatUsd(terms.prices.tip.max)],
          [texts.creatorPayout, formatUsd(terms.payoutMinimum), texts.availableBalance],
          [texts.cryptoPayout, formatUsd(terms.cryptoMinimum), texts.availableBalance],
        ]}
      />
    ),
  },
  {
    id: 'fees',
    title: texts.forCreators,
    intro: formatText(texts.creatorFeesLead, { clearingDays: terms.clearingDays }),
    children: (
      <>
        <PriceTable
          caption={texts.feesForCreators}
          head={[formatText(texts.saleColumn, { amount: formatCents(TEN) }), texts.feeColumn, texts.yourShare]}
          rows={toFeeRows(terms)}
        />
        <Button className="mt-5" href={`${PUBLIC_PATHS.becomeCreator}#sum`}>
          {texts.calculateYourEarnings}
        </Button>
      </>
    ),
  },
];

function FeaturedCreator() {
  const [, guest] = filterWithCover(useApi(listCreators, { query: { limit: 12 } }));
  const picture = guest && toCoverPicture(guest, '25vw', { ratio: '4 / 5' });
  if (!guest || !picture) return null;
  return (
    <figure className="pt-7">
      <UiLink href={profilePath(guest.username)}>
        <Picture {...picture} />
        <Label title={guest.name} price={formatRateOrCraft(guest)} />
      </UiLink>
    </figure>
  );
}

export default function Pricing() {
  const terms = useApi(getPlatformTerms, {});
  return (
    <ArticlePage
      title={texts.pricing}
      lead={texts.pricingLead}
      sections={[...getFanSections(terms), ...getRuleSections(terms)]}
      aside={<FeaturedCreator />}
    />
  );
}
