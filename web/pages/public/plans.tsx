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
    description: 'Our fee and what’s included. No monthly fee.',
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
        { name: 'After that', fee: generalFee },
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
  ['Your page', 'Unlimited posts with photos, video and audio in every size.'],
  ['Chat and broadcasts', 'One to one, or broadcasts to all your followers.'],
  ['Calls', 'Audio and video, billed by the second, when it suits you.'],
  ['Reporting', 'Itemized sales, statements for any period and a verifiable ledger.'],
  ['Protection', 'Watermarks, message controls, blocking and human moderation.'],
];

function Times({ terms }: { terms: HouseTerms }) {
  return (
    <Fares
      caption="Payout terms"
      head={['Step', 'Terms']}
      rows={[
        ['Sales clear', `after ${terms.clearingDays} days`],
        ['Bank or PayPal', `from ${formatUsd(terms.payoutMinimum)}`],
        ['Crypto', `from ${formatUsd(terms.cryptoMinimum)}`],
        ['New payout method', `usable after ${terms.coolingHours} hours`],
        ['Payout fee', formatCents(asCents(0))],
      ]}
    />
  );
}

function sharesOf({ creatorReferralPercent, customerReferralPercent }: HouseTerms): string | undefined {
  if (creatorReferralPercent === customerReferralPercent)
    return creatorReferralPercent > 0 ? `You earn ${creatorReferralPercent}% of what they sell or spend` : undefined;
  const ofCreator = `Refer a creator and earn ${creatorReferralPercent}% of what they sell`;
  const ofFan = `Refer a fan and earn ${customerReferralPercent}% of what they spend`;
  if (creatorReferralPercent === 0) return ofFan;
  return customerReferralPercent === 0 ? ofCreator : `${ofCreator}. ${ofFan}; each`;
}

function Go() {
  const viewer = useViewer();
  return (
    <div className="open__go pt-6">
      {!viewer && (
        <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
          Become a creator
        </Button>
      )}
      <Button href={PUBLIC_PATHS.becomeCreator}>Calculate your earnings</Button>
    </div>
  );
}

function referrals(terms: HouseTerms): LeafSection[] {
  const shares = sharesOf(terms);
  if (shares === undefined) return [];
  return [
    {
      id: 'referrals',
      title: 'Refer someone',
      say: `${shares} for ${plural(terms.referralMonths, 'month')}. Paid from our fee, never from a creator’s share.`,
      children: (
        <>
          <p className="leaf__note">
            You can withdraw from {formatUsd(terms.referralMinimum)} for a fee of {terms.referralFee}%, or move it to
            your own balance for a fee of {terms.referralMoveFee}%.
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
      title={offer ? 'Simple pricing' : 'One plan, one fee'}
      lead={`${offer ? `${offer.fee}% for your first ${offer.days} days, ${generalFee}% after that` : `${generalFee}%, from your first sale`}. No monthly fee, nothing to choose, nothing to cancel.`}
      sections={[
        {
          id: 'plans',
          title: 'What you keep',
          say: 'From every sale: posts, chat media, calls and tips.',
          children: <Kept terms={terms} />,
        },
        {
          id: 'within',
          title: offer ? 'Included in both' : 'What’s included',
          children: <Fares isWords caption="Included in every plan" head={['Feature', 'Details']} rows={WITHIN} />,
        },
        {
          id: 'times',
          title: 'Payout terms',
          say: 'Each sale keeps the fee that applied when it was made.',
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
