/** The commission plans of creators (row B8). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents, formatUsd, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { houseTerms, offerOf } from '@stagedoor/contract/policies.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import type { HouseTerms } from '../../features/house/calculator.tsx';
import { Fares, Leaf, type LeafSection } from '../../features/house/parts.tsx';
import { plural } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Plans for creators',
    description: 'What is kept of a sale, from the first day on, without a monthly fee, and what comes with it.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(apiQuery(houseTerms, {}));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const SALES = [asCents(1_000), asCents(5_000), asCents(20_000)] as const;

function Kept({ terms }: { terms: HouseTerms }) {
  const { generalFee } = terms;
  const offer = offerOf(terms);
  const plans = offer
    ? [
        { name: `First ${offer.days} days`, fee: offer.fee },
        { name: 'Afterwards', fee: generalFee },
      ]
    : [{ name: 'You keep', fee: generalFee }];
  return (
    <Fares
      caption="What you keep of a sale"
      head={['A fan pays', ...plans.map(({ name, fee }) => `${name}, ${fee}%`)]}
      rows={SALES.map((cents) => [
        formatCents(cents),
        ...plans.map(({ fee }) => formatCents(cents - percentOf(cents, fee))),
      ])}
    />
  );
}

const WITHIN = [
  ['Your page', 'Posts, pictures, film and sound in every size, with no limit to how many.'],
  ['Chat and broadcasts', 'One to one, or one message to all who follow you.'],
  ['Calls', 'Audio and video, charged by the second, in your hours.'],
  ['Books', 'Every sale with our fee on its own line, statements for any days, a journal that proves itself.'],
  ['Protection', 'Marks in copies, who may write to you, blocking, and a person who looks at reports.'],
];

function Times({ terms }: { terms: HouseTerms }) {
  return (
    <Fares
      caption="When money is yours"
      head={['Step', 'Terms']}
      rows={[
        ['A sale clears', `after ${terms.clearingDays} days`],
        ['Bank or PayPal', `from ${formatUsd(terms.payoutMinimum)}`],
        ['Crypto', `from ${formatUsd(terms.cryptoMinimum)}`],
        ['A new way to be paid waits', `${terms.coolingHours} hours`],
        ['What we take of a payout', formatCents(asCents(0))],
      ]}
    />
  );
}

function sharesOf({ creatorReferralPercent, customerReferralPercent }: HouseTerms): string | undefined {
  if (creatorReferralPercent === customerReferralPercent)
    return creatorReferralPercent > 0 ? `You earn ${creatorReferralPercent}% of what they sell or spend` : undefined;
  const ofCreator = `Bring in a creator, and you earn ${creatorReferralPercent}% of what they sell`;
  const ofFan = `Bring in a fan, and you earn ${customerReferralPercent}% of what they spend`;
  if (creatorReferralPercent === 0) return ofFan;
  return customerReferralPercent === 0 ? ofCreator : `${ofCreator}. ${ofFan}; each`;
}

function Go() {
  const viewer = useViewer();
  return (
    <div className="open__go pt-6">
      {!viewer && (
        <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
          Open your door
        </Button>
      )}
      <Button href={PUBLIC_PATHS.becomeCreator}>Do the sum</Button>
    </div>
  );
}

function referrals(terms: HouseTerms): LeafSection[] {
  const shares = sharesOf(terms);
  if (shares === undefined) return [];
  return [
    {
      id: 'referrals',
      title: 'Bring somebody in',
      say: `${shares} for ${plural(terms.referralMonths, 'month')}. It comes out of our fee, never out of anybody’s share.`,
      children: (
        <>
          <p className="leaf__note">
            Withdrawn from {formatUsd(terms.referralMinimum)}, of which {terms.referralFee}% is kept; of what is moved
            into your own balance, {terms.referralMoveFee}%.
          </p>
          <Go />
        </>
      ),
    },
  ];
}

export default function Plans() {
  const terms = useApi(houseTerms, {});
  const { generalFee } = terms;
  const offer = offerOf(terms);
  const brought = referrals(terms);
  return (
    <Leaf
      title={offer ? 'Two plans, one after the other.' : 'One plan, one fee.'}
      lead={`${offer ? `${offer.fee}% for your first ${offer.days} days, ${generalFee}% afterwards` : `${generalFee}%, from your first sale on`}. No monthly fee, nothing to choose, nothing to cancel.`}
      sections={[
        {
          id: 'plans',
          title: 'What you keep',
          say: 'Of every sale, whatever you sell: posts, chat media, calls, tips.',
          children: <Kept terms={terms} />,
        },
        {
          id: 'within',
          title: offer ? 'What comes with both' : 'What comes with it',
          children: <Fares isWords caption="What comes with every plan" head={['What', 'How']} rows={WITHIN} />,
        },
        {
          id: 'times',
          title: 'When it is yours',
          say: 'A sale keeps the fee that was in force when it was made.',
          children: (
            <>
              <Times terms={terms} />
              {brought.length === 0 && <Go />}
            </>
          ),
        },
        ...brought,
      ]}
    />
  );
}
