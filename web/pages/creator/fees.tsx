/** The platform fee and its end date, the creator's share of a price, and the creator's own prices (row G4). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { getCallSettings } from '@stagedoor/contract/calls.ts';
import { creatorFees } from '@stagedoor/contract/earnings.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { Calculator } from '../../features/earnings/calculator.tsx';
import { PayoutMethods } from '../../features/payouts/methods.tsx';
import { methodsQuery, overviewQuery } from '../../features/payouts/queries.ts';
import { formatExact } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/facts.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { StatCard, Stats } from '../../ui/stat.tsx';

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorEarning };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Fees and prices' });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([
    client.ensureQueryData(apiQuery(creatorFees, {})),
    client.ensureQueryData(apiQuery(getCallSettings, {})),
    client.ensureQueryData(methodsQuery()),
    client.ensureQueryData(overviewQuery()),
  ]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Fee() {
  const { generalFee, isOwnFee, offerFee, offerUntil, isOwnOffer, effectiveFee } = useApi(creatorFees, {});
  const isOffer = offerFee !== null && offerUntil !== null;
  return (
    <>
      <Stats label="Platform fee">
        <StatCard
          name="Your fee now"
          value={`${effectiveFee}%`}
          note={isOffer ? `Until ${formatExact(offerUntil)}, then ${generalFee}%` : 'Of what a fan pays'}
          noteMuted={!isOffer}
        />
        <StatCard
          name={isOwnFee ? 'Your own' : 'Standard'}
          value={`${generalFee}%`}
          note={isOwnFee ? 'Set for you' : 'For everybody'}
        />
        {isOffer && (
          <StatCard
            name={isOwnOffer ? 'Your own offer' : 'Offer'}
            value={`${offerFee}%`}
            note={isOwnOffer ? 'Set for you' : 'For your first days'}
          />
        )}
      </Stats>
      <p className="pt-2 text-small text-muted">
        A sale keeps the fee that was in force when it was made. Each line of your{' '}
        <a className="link" href={PATHS.creatorEarning}>
          earnings
        </a>{' '}
        says which.
      </p>
    </>
  );
}

function OwnPrices() {
  const { videoRate, audioRate } = useApi(getCallSettings, {});
  const rate = (usd: number | null) => (usd === null ? 'Not offered' : `${formatUsd(usd)} a minute`);
  const span = ({ min, max }: { min: number; max: number }) => `${formatUsd(min)} to ${formatUsd(max)}`;
  return (
    <section aria-labelledby="prices">
      <SectionHead id="prices" title="Your prices" />
      <FactList
        facts={[
          { name: 'Video calls', value: rate(videoRate) },
          { name: 'Audio calls', value: rate(audioRate) },
          { name: 'Posts', value: `${span(usePriceLimit('post'))}, set with each post` },
          { name: 'Chat media', value: `${span(usePriceLimit('chatMedia'))}, set with each message` },
          { name: 'Tips', value: `${span(usePriceLimit('tip'))}, as a fan likes` },
        ]}
      />
      <Button className="mt-4" href={PATHS.creatorCalls}>
        Change what calls cost
      </Button>
    </section>
  );
}

export default function FeesPage() {
  const { effectiveFee } = useApi(creatorFees, {});
  return (
    <div className="grid gap-10 pt-7 lg:pt-10">
      <div>
        <h1 className="display d2 pb-6">Fees and prices</h1>
        <Fee />
      </div>
      <Calculator percent={effectiveFee} />
      <OwnPrices />
      <PayoutMethods />
    </div>
  );
}
