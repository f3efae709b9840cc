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
    title: 'What it costs',
    description: 'Credits, what creators may ask, calls by the second, refunds and limits: every price to the cent.',
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
  { name: 'A post', kind: 'post' },
  { name: 'Media in chat', kind: 'chatMedia' },
  { name: 'A tip', kind: 'tip' },
  { name: 'A minute of a call', kind: 'callRate' },
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
    title: 'What creators charge',
    say: 'Creators name their prices inside these limits. You pay the price you see; nothing is added on top.',
    children: (
      <>
        <Fares
          caption="What creators charge"
          head={['', 'From', 'To']}
          rows={CHARGED.map(({ name, kind }) => [name, formatUsd(prices[kind].min), formatUsd(prices[kind].max)])}
        />
        <p className="leaf__note">Following is free, and so is every work that has no price on its label.</p>
      </>
    ),
  },
  {
    id: 'calls',
    title: 'Calls, by the second',
    say: `The clock runs only while both of you are connected. A call under ${CALL.freeSeconds} seconds is free. Here is a rate of ${formatCents(RATE)} a minute:`,
    children: (
      <>
        <Fares
          caption={`Calls at ${formatCents(RATE)} a minute`}
          head={['You talk for', 'Held at the start', 'Released', 'You pay']}
          rows={TALKED.map((seconds) => [
            clock(seconds),
            formatCents(RATE * CALL.holdMinutes),
            formatCents(RATE * CALL.holdMinutes - priceOf(seconds)),
            formatCents(priceOf(seconds)),
          ])}
        />
        <p className="leaf__note">
          Worth of {CALL.holdMinutes} minutes is held when the call begins, and a minute at a time after that. You are
          told at {CALL.warnSeconds.map(clock).join(' and at ')} before your balance ends, and then the call does.
        </p>
      </>
    ),
  },
];

const settled = (terms: HouseTerms): LeafSection[] => [
  {
    id: 'refunds',
    title: 'Refunds',
    say: 'What a call did not use comes back without asking. For the rest, write to us with the receipt.',
    children: (
      <>
        <Fares
          isWords
          caption="Refund rules"
          head={['What happened', 'What comes back', 'When']}
          rows={[
            [`A call under ${CALL.freeSeconds} seconds`, `All of it. You pay ${formatCents(0)}.`, 'At once'],
            ['A call that dropped', 'Every second you weren’t both connected, and what was held.', 'At once'],
            ['A post or chat media that won’t open', 'The full price, to your balance.', 'When we have seen it fail'],
            ['A deposit you didn’t make', 'The full sum, to your card.', 'When your card company confirms'],
            ['A tip', 'Nothing. A tip is a gift.', 'Never'],
            ['A work you opened and didn’t like', 'Nothing. The preview and the price came first.', 'Never'],
          ]}
        />
        <p className="leaf__note">
          If a deposit is reversed after it was spent, your account can’t spend until what is owed is paid. What a
          creator earned isn’t touched for it.
        </p>
        <p className="pt-4">
          <a className="link" href={CASE_PATHS.contactUs}>
            Write to us
          </a>
        </p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'Limits',
    say: 'You can set your own daily limit lower in your settings.',
    children: (
      <Fares
        caption="Limits"
        head={['', 'At least', 'At most']}
        rows={[
          ['One deposit', formatUsd(terms.prices.addFunds.min), formatUsd(terms.prices.addFunds.max)],
          ['All spending in a day', '–', formatUsd(terms.dailySpend)],
          ['One tip', formatUsd(terms.prices.tip.min), formatUsd(terms.prices.tip.max)],
          ['A creator’s payout', formatUsd(terms.payoutMinimum), 'What is available'],
          ['A payout in crypto', formatUsd(terms.cryptoMinimum), 'What is available'],
        ]}
      />
    ),
  },
  {
    id: 'fees',
    title: 'For creators',
    say: `Our fee comes out of the sale, on its own line. A sale clears after ${terms.clearingDays} days.`,
    children: (
      <>
        <Fares
          caption="Fees for creators"
          head={[`Of a ${formatCents(TEN)} sale`, 'Fee', 'You keep']}
          rows={feeRows(terms)}
        />
        <Button className="mt-5" href={`${PUBLIC_PATHS.becomeCreator}#sum`}>
          Do the sum
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
      title="What it costs, to the cent."
      lead="You pay twice at most: once for credits, once for what you open. Both prices are on the button before you press it."
      sections={[...bought(terms), ...settled(terms)]}
      side={<Hung />}
    />
  );
}
