/** Prices (row B8): credits, price ranges, calls, refunds and limits. All figures come from the operator's settings. */

import { quoteCredits } from '@stagedoor/contract/commerce/deposits.ts';
import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
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

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: 'Pricing',
    description: 'Credits, creator prices, calls, refunds and limits.',
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
  { name: 'Chat media', kind: 'chatMedia' },
  { name: 'Tip', kind: 'tip' },
  { name: 'Call (per minute)', kind: 'callRate' },
] as const;

function Packages({ limit: { min, max } }: { limit: PriceLimit }) {
  const rows = CREDIT_PACKAGES.flatMap((credits) => {
    const { amountCents, feeCents, payableCents } = quoteCredits(credits);
    if (amountCents < toCents(min) || amountCents > toCents(max)) return [];
    return [[credits, formatCents(amountCents), formatCents(feeCents), formatCents(payableCents)]];
  });
  return (
    rows.length > 0 && <PriceTable caption="Credits" head={['Credits', 'You get', 'Fee', 'You pay']} rows={rows} />
  );
}

function toFeeRows(terms: PlatformTermsView): string[][] {
  const toFeeRow = (name: string, percent: number) => {
    const fee = calculatePercent(TEN, percent);
    return [`${name}, ${percent}%`, formatCents(fee), formatCents(TEN - fee)];
  };
  const offer = findNewCreatorOffer(terms);
  if (!offer) return [toFeeRow('From the first day', terms.generalFee)];
  return [toFeeRow(`First ${offer.days} days`, offer.fee), toFeeRow('After that', terms.generalFee)];
}

const getFanSections = ({ prices }: PlatformTermsView): ArticleSection[] => [
  {
    id: 'credits',
    title: 'Credits',
    intro: `One credit is ${formatCents(CREDIT_VALUE_CENTS)} of balance and costs ${formatCents(CREDIT_PRICE_CENTS)}. The difference is the card fee.`,
    children: <Packages limit={prices.addFunds} />,
  },
  {
    id: 'sold',
    title: 'Creator prices',
    intro: 'Creators set prices within these limits. You pay exactly what you see.',
    children: (
      <>
        <PriceTable
          caption="Creator prices"
          head={['', 'From', 'To']}
          rows={PRICED_ITEMS.map(({ name, kind }) => [name, formatUsd(prices[kind].min), formatUsd(prices[kind].max)])}
        />
        <p className="leaf__note">Following is free, and so are posts without a price.</p>
      </>
    ),
  },
  {
    id: 'calls',
    title: 'Calls, billed by the second',
    intro: `You’re only billed while you’re both connected. Calls under ${CALL_LIMITS.freeSeconds} seconds are free. For example, at ${formatCents(RATE)} a minute:`,
    children: (
      <>
        <PriceTable
          caption={`Calls at ${formatCents(RATE)} a minute`}
          head={['Call length', 'On hold at the start', 'Released', 'You pay']}
          rows={EXAMPLE_SECONDS.map((seconds) => [
            formatClock(seconds),
            formatCents(RATE * CALL_LIMITS.holdMinutes),
            formatCents(RATE * CALL_LIMITS.holdMinutes - calculatePrice(seconds)),
            formatCents(calculatePrice(seconds)),
          ])}
        />
        <p className="leaf__note">
          We hold the price of {CALL_LIMITS.holdMinutes} minutes when the call starts, then one minute at a time. You’ll
          get a warning at {CALL_LIMITS.warnSeconds.map(formatClock).join(' and at ')} before your balance runs out, and
          then the call ends.
        </p>
      </>
    ),
  },
];

const getRuleSections = (terms: PlatformTermsView): ArticleSection[] => [
  {
    id: 'refunds',
    title: 'Refunds',
    intro: 'Unused call funds are released automatically. For anything else, contact us with your receipt.',
    children: (
      <>
        <PriceTable
          isText
          caption="Refund rules"
          head={['Situation', 'Refund', 'When']}
          rows={[
            [`Call under ${CALL_LIMITS.freeSeconds} seconds`, `All of it. You pay ${formatCents(0)}.`, 'Right away'],
            ['Dropped call', 'Every second you weren’t both connected, and unused held funds.', 'Right away'],
            ['Post or chat media that doesn’t load', 'The full price, to your balance.', 'After we confirm it'],
            ['Unauthorized deposit', 'The full amount, to your card.', 'After your card issuer confirms'],
            ['Tip', 'Not refundable', 'Never'],
            ['A post you didn’t like', 'Not refundable. You saw the preview and price first.', 'Never'],
          ]}
        />
        <p className="leaf__note">
          If a deposit is reversed after you’ve spent it, you need to pay it back before you can spend again. Creators
          keep their earnings.
        </p>
        <p className="pt-4">
          <a className="link" href={CASE_PATHS.contactUs}>
            Contact us
          </a>
        </p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'Limits',
    intro: 'You can set a lower daily limit in Settings.',
    children: (
      <PriceTable
        caption="Limits"
        head={['', 'Minimum', 'Maximum']}
        rows={[
          ['Deposit', formatUsd(terms.prices.addFunds.min), formatUsd(terms.prices.addFunds.max)],
          ['Daily spending', '–', formatUsd(terms.dailySpend)],
          ['Tip', formatUsd(terms.prices.tip.min), formatUsd(terms.prices.tip.max)],
          ['Creator payout', formatUsd(terms.payoutMinimum), 'Available balance'],
          ['Crypto payout', formatUsd(terms.cryptoMinimum), 'Available balance'],
        ]}
      />
    ),
  },
  {
    id: 'fees',
    title: 'For creators',
    intro: `Our fee is deducted from each sale and shown separately. Sales clear after ${terms.clearingDays} days.`,
    children: (
      <>
        <PriceTable
          caption="Fees for creators"
          head={[`Of a ${formatCents(TEN)} sale`, 'Fee', 'You keep']}
          rows={toFeeRows(terms)}
        />
        <Button className="mt-5" href={`${PUBLIC_PATHS.becomeCreator}#sum`}>
          Calculate your earnings
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
      title="Pricing"
      lead="You pay once to add funds and once to unlock. You always see the price first."
      sections={[...getFanSections(terms), ...getRuleSections(terms)]}
      aside={<FeaturedCreator />}
    />
  );
}
