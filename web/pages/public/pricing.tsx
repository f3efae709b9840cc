/** Prices (row B8): credits, price ranges, calls, refunds and limits. All figures come from the operator's settings. */

import { profilePath } from '@stagedoor/contract/addresses.ts';
import { CREDIT_PACKAGES, CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS } from '@stagedoor/contract/atoms/limits.ts';
import { asCents, formatCents, formatUsd, percentOf, toCents } from '@stagedoor/contract/atoms/money.ts';
import type { PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { quoteCredits } from '@stagedoor/contract/payments.ts';
import { houseTerms, offerOf } from '@stagedoor/contract/policies.ts';
import { listCreators } from '@stagedoor/contract/profiles.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import type { HouseTerms } from '../../features/house/calculator.tsx';
import { coverOf, Fares, hungOf, Leaf, type LeafSection, peopleQuery, rateOf } from '../../features/house/parts.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Pricing',
    description: 'Credits, creator prices, calls, refunds and limits.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([client.ensureQueryData(apiQuery(houseTerms, {})), client.ensureQueryData(peopleQuery())]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const RATE = 300;
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
/** The price of a call as it is captured: per second, rounded half up, and free below the threshold. */
const priceOf = (seconds: number) => (seconds < CALL.freeSeconds ? 0 : Math.round((RATE * seconds) / 60));
const TALKED = [CALL.freeSeconds - 1, CALL.freeSeconds, 151, CALL.holdMinutes * 60] as const;
const TEN = asCents(1_000);

const CHARGED = [
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
  return rows.length > 0 && <Fares caption="Credits" head={['Credits', 'You get', 'Fee', 'You pay']} rows={rows} />;
}

function feeRows(terms: HouseTerms): string[][] {
  const row = (name: string, percent: number) => {
    const fee = percentOf(TEN, percent);
    return [`${name}, ${percent}%`, formatCents(fee), formatCents(TEN - fee)];
  };
  const offer = offerOf(terms);
  if (!offer) return [row('From the first day', terms.generalFee)];
  return [row(`First ${offer.days} days`, offer.fee), row('After that', terms.generalFee)];
}

const bought = ({ prices }: HouseTerms): LeafSection[] => [
  {
    id: 'credits',
    title: 'Credits',
    say: `One credit is ${formatCents(CREDIT_VALUE_CENTS)} of balance and costs ${formatCents(CREDIT_PRICE_CENTS)}. The difference is the card fee.`,
    children: <Packages limit={prices.addFunds} />,
  },
  {
    id: 'sold',
    title: 'Creator prices',
    say: 'Creators set prices within these limits. You pay exactly what you see.',
    children: (
      <>
        <Fares
          caption="Creator prices"
          head={['', 'From', 'To']}
          rows={CHARGED.map(({ name, kind }) => [name, formatUsd(prices[kind].min), formatUsd(prices[kind].max)])}
        />
        <p className="leaf__note">Following is free, and so are posts without a price.</p>
      </>
    ),
  },
  {
    id: 'calls',
    title: 'Calls, billed by the second',
    say: `You’re only billed while you’re both connected. Calls under ${CALL.freeSeconds} seconds are free. For example, at ${formatCents(RATE)} a minute:`,
    children: (
      <>
        <Fares
          caption={`Calls at ${formatCents(RATE)} a minute`}
          head={['Call length', 'On hold at the start', 'Released', 'You pay']}
          rows={TALKED.map((seconds) => [
            clock(seconds),
            formatCents(RATE * CALL.holdMinutes),
            formatCents(RATE * CALL.holdMinutes - priceOf(seconds)),
            formatCents(priceOf(seconds)),
          ])}
        />
        <p className="leaf__note">
          We hold the price of {CALL.holdMinutes} minutes when the call starts, then one minute at a time. You’ll get a
          warning at {CALL.warnSeconds.map(clock).join(' and at ')} before your balance runs out, and then the call
          ends.
        </p>
      </>
    ),
  },
];

const settled = (terms: HouseTerms): LeafSection[] => [
  {
    id: 'refunds',
    title: 'Refunds',
    say: 'Unused call funds are released automatically. For anything else, contact us with your receipt.',
    children: (
      <>
        <Fares
          isWords
          caption="Refund rules"
          head={['Situation', 'Refund', 'When']}
          rows={[
            [`Call under ${CALL.freeSeconds} seconds`, `All of it. You pay ${formatCents(0)}.`, 'Right away'],
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
    say: 'You can set a lower daily limit in Settings.',
    children: (
      <Fares
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
    say: `Our fee is deducted from each sale and shown separately. Sales clear after ${terms.clearingDays} days.`,
    children: (
      <>
        <Fares
          caption="Fees for creators"
          head={[`Of a ${formatCents(TEN)} sale`, 'Fee', 'You keep']}
          rows={feeRows(terms)}
        />
        <Button className="mt-5" href={`${PUBLIC_PATHS.becomeCreator}#sum`}>
          Calculate your earnings
        </Button>
      </>
    ),
  },
];

function Hung() {
  const [, guest] = hungOf(useApi(listCreators, { query: { limit: 12 } }));
  const picture = guest && coverOf(guest, '25vw', { ratio: '4 / 5' });
  if (!guest || !picture) return null;
  return (
    <figure className="pt-7">
      <UiLink href={profilePath(guest.username)}>
        <Picture {...picture} />
        <Label who={guest.name} price={rateOf(guest)} />
      </UiLink>
    </figure>
  );
}

export default function Pricing() {
  const terms = useApi(houseTerms, {});
  return (
    <Leaf
      title="Pricing"
      lead="You pay once to add funds and once to unlock. You always see the price first."
      sections={[...bought(terms), ...settled(terms)]}
      side={<Hung />}
    />
  );
}
