/** The commission plans of creators (row B8). */

import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.plansForCreators,
    description: texts.plansDescription,
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
        { name: texts.afterThat, fee: generalFee },
      ]
    : [{ name: texts.yourShare, fee: generalFee }];
  return (
    <PriceTable
      caption={texts.shareOfSale}
      head={[texts.aFanPays, ...plans.map(({ name, fee }) => `${name}, ${fee}%`)]}
      rows={SALES.map((cents) => [
        formatCents(cents),
        ...plans.map(({ fee }) => formatCents(cents - calculatePercent(cents, fee))),
      ])}
    />
  );
}

const INCLUDED = [
  [texts.yourPage, texts.yourPageDetail],
  [texts.chatAndBroadcasts, texts.chatDetail],
  [texts.calls, texts.callsDetail],
  [texts.reporting, texts.reportingDetail],
  [texts.protection, texts.protectionDetail],
];

function PayoutTimes({ terms }: { terms: PlatformTermsView }) {
  return (
    <PriceTable
      caption={texts.payoutTerms}
      head={[texts.step, texts.payoutTermsColumn]}
      rows={[
        [texts.salesClear, formatText(texts.clearingTime, { clearingDays: terms.clearingDays })],
        [texts.bankOrPaypal, formatText(texts.payoutFrom, { payoutMinimum: formatUsd(terms.payoutMinimum) })],
        [texts.crypto, formatText(texts.payoutFrom, { payoutMinimum: formatUsd(terms.cryptoMinimum) })],
        [texts.newPayoutMethod, formatText(texts.coolingTime, { coolingHours: terms.coolingHours })],
        [texts.payoutFee, formatCents(asCents(0))],
      ]}
    />
  );
}

function formatReferralShares({
  creatorReferralPercent,
  customerReferralPercent,
}: PlatformTermsView): string | undefined {
  if (creatorReferralPercent === customerReferralPercent)
    return creatorReferralPercent > 0
      ? formatText(texts.referralShare, { referralPercent: creatorReferralPercent })
      : undefined;
  const creatorText = formatText(texts.creatorReferralShare, { referralPercent: creatorReferralPercent });
  const fanText = formatText(texts.fanReferralShare, { referralPercent: customerReferralPercent });
  if (creatorReferralPercent === 0) return fanText;
  return customerReferralPercent === 0
    ? creatorText
    : formatText(texts.separateReferralShares, { creatorReferral: creatorText, fanReferral: fanText });
}

function CallToAction() {
  const viewer = useViewer();
  return (
    <div className="open__go pt-6">
      {!viewer && (
        <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
          {texts.becomeACreator}
        </Button>
      )}
      <Button href={PUBLIC_PATHS.becomeCreator}>{texts.calculateYourEarnings}</Button>
    </div>
  );
}

function getReferralSections(terms: PlatformTermsView): ArticleSection[] {
  const shares = formatReferralShares(terms);
  if (shares === undefined) return [];
  return [
    {
      id: 'referrals',
      title: texts.referSomeone,
      intro: formatText(texts.referralIntro, { shares, duration: formatCount(terms.referralMonths, 'month') }),
      children: (
        <>
          <p className="leaf__note">
            {formatText(texts.referralWithdrawal, {
              minimumAmount: formatUsd(terms.referralMinimum),
              feePercent: terms.referralFee,
              moveFeePercent: terms.referralMoveFee,
            })}
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
      title={offer ? texts.simplePricing : texts.onePlanOneFee}
      lead={formatText(texts.plansLead, {
        feeSummary: offer
          ? formatText(texts.newCreatorFeeSummary, { fee: offer.fee, days: offer.days, generalFee })
          : formatText(texts.generalFeeSummary, { generalFee }),
      })}
      sections={[
        {
          id: 'plans',
          title: texts.shareTitle,
          intro: texts.shareDetail,
          children: <ShareTable terms={terms} />,
        },
        {
          id: 'within',
          title: offer ? texts.includedInBoth : texts.whatsIncluded,
          children: (
            <PriceTable
              isText
              caption={texts.includedInEveryPlan}
              head={[texts.feature, texts.details]}
              rows={INCLUDED}
            />
          ),
        },
        {
          id: 'times',
          title: texts.payoutTerms,
          intro: texts.saleFeeNote,
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
