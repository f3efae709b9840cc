/** The commission plans of creators (row B8). */

import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { asCents, calculatePercent, formatCents, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { formatCount } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import type { PlatformTermsView } from './calculator.tsx';
import { ArticlePage, type ArticleSection, PriceTable } from './marketing-parts.tsx';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: 'Plans for creators',
    description: 'Our fee and what’s included. No monthly fee.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(apiQuery(getPlatformTerms, {}));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const SALES = [asCents(1_000), asCents(5_000), asCents(20_000)] as const;

function ShareTable({ terms }: { terms: PlatformTermsView }) {
  const { generalFee } = terms;
  const offer = findNewCreatorOffer(terms);
  const plans = offer
    ? [
        { name: `First ${offer.days} days`, fee: offer.fee },
        { name: 'After that', fee: generalFee },
      ]
    : [{ name: 'You keep', fee: generalFee }];
  return (
    <PriceTable
      caption="What you keep of a sale"
      head={['A fan pays', ...plans.map(({ name, fee }) => `${name}, ${fee}%`)]}
      rows={SALES.map((cents) => [
        formatCents(cents),
        ...plans.map(({ fee }) => formatCents(cents - calculatePercent(cents, fee))),
      ])}
    />
  );
}

const INCLUDED = [
  ['Your page', 'Unlimited posts with photos, video and audio in every size.'],
  ['Chat and broadcasts', 'One to one, or broadcasts to all your followers.'],
  ['Calls', 'Audio and video, billed by the second, when it suits you.'],
  ['Reporting', 'Itemized sales, statements for any period and a verifiable ledger.'],
  ['Protection', 'Watermarks, message controls, blocking and human moderation.'],
];

function PayoutTimes({ terms }: { terms: PlatformTermsView }) {
  return (
    <PriceTable
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

function formatReferralShares({
  creatorReferralPercent,
  customerReferralPercent,
}: PlatformTermsView): string | undefined {
  if (creatorReferralPercent === customerReferralPercent)
    return creatorReferralPercent > 0 ? `You earn ${creatorReferralPercent}% of what they sell or spend` : undefined;
  const creatorText = `Refer a creator and earn ${creatorReferralPercent}% of what they sell`;
  const fanText = `Refer a fan and earn ${customerReferralPercent}% of what they spend`;
  if (creatorReferralPercent === 0) return fanText;
  return customerReferralPercent === 0 ? creatorText : `${creatorText}. ${fanText}; each`;
}

function CallToAction() {
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

function getReferralSections(terms: PlatformTermsView): ArticleSection[] {
  const shares = formatReferralShares(terms);
  if (shares === undefined) return [];
  return [
    {
      id: 'referrals',
      title: 'Refer someone',
      intro: `${shares} for ${formatCount(terms.referralMonths, 'month')}. Paid from our fee, never from a creator’s share.`,
      children: (
        <>
          <p className="leaf__note">
            You can withdraw from {formatUsd(terms.referralMinimum)} for a fee of {terms.referralFee}%, or move it to
            your own balance for a fee of {terms.referralMoveFee}%.
          </p>
          <CallToAction />
        </>
      ),
    },
  ];
}

export default function Plans() {
  const terms = useApi(getPlatformTerms, {});
  const { generalFee } = terms;
  const offer = findNewCreatorOffer(terms);
  const referralSections = getReferralSections(terms);
  return (
    <ArticlePage
      title={offer ? 'Simple pricing' : 'One plan, one fee'}
      lead={`${offer ? `${offer.fee}% for your first ${offer.days} days, ${generalFee}% after that` : `${generalFee}%, from your first sale`}. No monthly fee, nothing to choose, nothing to cancel.`}
      sections={[
        {
          id: 'plans',
          title: 'What you keep',
          intro: 'From every sale: posts, chat media, calls and tips.',
          children: <ShareTable terms={terms} />,
        },
        {
          id: 'within',
          title: offer ? 'Included in both' : 'What’s included',
          children: (
            <PriceTable isText caption="Included in every plan" head={['Feature', 'Details']} rows={INCLUDED} />
          ),
        },
        {
          id: 'times',
          title: 'Payout terms',
          intro: 'Each sale keeps the fee that applied when it was made.',
          children: (
            <>
              <PayoutTimes terms={terms} />
              {referralSections.length === 0 && <CallToAction />}
            </>
          ),
        },
        ...referralSections,
      ]}
    />
  );
}
