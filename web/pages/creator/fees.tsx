/** The platform fee and its end date, the creator's share of a price, and the creator's own prices (row G4). */

import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { getCallSettings } from '@stagedoor/contract/messaging/calls.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { Calculator } from '../../modules/finance/earnings/calculator.tsx';
import { PayoutMethodsSection } from '../../modules/finance/payouts/methods.tsx';
import { methodsQuery, overviewQuery } from '../../modules/finance/payouts/queries.ts';
import { formatExactTime } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { usePriceLimit } from '../../platform/price-limits.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { SectionHead } from '../../ui/label.tsx';
import { StatCard, Stats } from '../../ui/stat.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorEarning };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.feesAndPrices });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([
    client.ensureQueryData(apiQuery(getCreatorFees, {})),
    client.ensureQueryData(apiQuery(getCallSettings, {})),
    client.ensureQueryData(methodsQuery()),
    client.ensureQueryData(overviewQuery()),
  ]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Fee() {
  const { generalFee, isCustomFee, offerFee, offerUntil, isCustomOffer, effectiveFee } = useApi(getCreatorFees, {});
  const isOffer = offerFee !== null && offerUntil !== null;
  return (
    <>
      <Stats label={texts.platformFee}>
        <StatCard
          name="Your fee now"
          value={`${effectiveFee}%`}
          note={
            isOffer
              ? formatText(texts.offerEndNote, { offerUntil: formatExactTime(offerUntil), generalFee })
              : texts.shareOfEachSale
          }
          noteMuted={!isOffer}
        />
        <StatCard
          name={isCustomFee ? 'Custom' : 'Standard'}
          value={`${generalFee}%`}
          note={isCustomFee ? texts.yourCustomRate : texts.forAllCreators}
        />
        {isOffer && (
          <StatCard
            name={isCustomOffer ? 'Custom offer' : 'Offer'}
            value={`${offerFee}%`}
            note={isCustomOffer ? texts.yourCustomRate : texts.introductoryRate}
          />
        )}
      </Stats>
      <p className="pt-2 text-small text-muted">
        {formatNodes(texts.feeChangesNote, {
          link: (
            <a className="link" href={PATHS.creatorEarning}>
              {texts.earningsLink}
            </a>
          ),
        })}
      </p>
    </>
  );
}

function OwnPrices() {
  const { videoRate, audioRate } = useApi(getCallSettings, {});
  const formatRate = (usd: number | null) => (usd === null ? texts.callRateOff : `${formatUsd(usd)}/min`);
  const formatSpan = ({ min, max }: { min: number; max: number }) =>
    formatText(texts.priceSpan, { min: formatUsd(min), max: formatUsd(max) });
  return (
    <section aria-labelledby="prices">
      <SectionHead id="prices" title={texts.yourPrices} />
      <DefinitionList
        items={[
          { name: texts.videoCalls, value: formatRate(videoRate) },
          { name: texts.voiceCalls, value: formatRate(audioRate) },
          { name: 'Posts', value: `${formatSpan(usePriceLimit('post'))}, set per post` },
          { name: texts.chatMedia, value: `${formatSpan(usePriceLimit('chatMedia'))}, set per message` },
          { name: 'Tips', value: `${formatSpan(usePriceLimit('tip'))}, chosen by the fan` },
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button href={PATHS.creatorCalls}>{texts.changeCallPrices}</Button>
        <Button href={PATHS.creatorSubscriptionTiers}>{texts.subscriptionTiers}</Button>
      </div>
    </section>
  );
}

export default function FeesPage() {
  const { effectiveFee } = useApi(getCreatorFees, {});
  return (
    <div className="grid gap-10 pt-7 lg:pt-10">
      <div>
        <h1 className="display d2 pb-6">{texts.feesAndPrices}</h1>
        <Fee />
      </div>
      <Calculator percent={effectiveFee} />
      <OwnPrices />
      <PayoutMethodsSection />
    </div>
  );
}
