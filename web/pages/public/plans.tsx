/** The commission plans of creators (row B8): what is kept of a sale, for how long, and what comes with it. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents, formatUsd, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { houseTerms } from '@stagedoor/contract/policies.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { Fares, Leaf } from '../../features/house/parts.tsx';
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
    description:
      'Two plans, one after the other, both without a monthly fee: what is kept of a sale, and what comes with it.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(apiQuery(houseTerms, {}));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const SALES = [asCents(1_000), asCents(5_000), asCents(20_000)] as const;

export default function Plans() {
  const terms = useApi(houseTerms, {});
  const viewer = useViewer();
  const { offerFee, generalFee, offerDays, clearingDays } = terms;
  const kept = (cents: (typeof SALES)[number], percent: number) => formatCents(cents - percentOf(cents, percent));
  return (
    <Leaf
      title="Two plans, one after the other."
      lead={`${offerFee}% for your first ${offerDays} days, ${generalFee}% afterwards. No monthly fee, nothing to choose, nothing to cancel.`}
      sections={[
        {
          id: 'plans',
          title: 'What you keep',
          say: 'Of every sale, whatever you sell: posts, chat media, calls, tips.',
          children: (
            <Fares
              caption="What you keep of a sale"
              head={['A fan pays', `First ${offerDays} days, ${offerFee}%`, `Afterwards, ${generalFee}%`]}
              rows={SALES.map((cents) => [formatCents(cents), kept(cents, offerFee), kept(cents, generalFee)])}
            />
          ),
        },
        {
          id: 'within',
          title: 'What comes with both',
          children: (
            <Fares
              isWords
              caption="What comes with both plans"
              head={['What', 'How']}
              rows={[
                ['Your page', 'Posts, pictures, film and sound in every size, with no limit to how many.'],
                ['Chat and broadcasts', 'One to one, or one message to all who follow you.'],
                ['Calls', 'Audio and video, charged by the second, in your hours.'],
                [
                  'Books',
                  'Every sale with our fee on its own line, statements for any days, a journal that proves itself.',
                ],
                ['Protection', 'Marks in copies, who may write to you, blocking, and a person who looks at reports.'],
              ]}
            />
          ),
        },
        {
          id: 'times',
          title: 'When it is yours',
          say: 'A sale keeps the plan that was in force when it was made.',
          children: (
            <Fares
              caption="When money is yours"
              head={['Step', 'Terms']}
              rows={[
                ['A sale clears', `after ${clearingDays} days`],
                ['Bank or PayPal', `from ${formatUsd(terms.payoutMinimum)}`],
                ['Crypto', `from ${formatUsd(terms.cryptoMinimum)}`],
                ['A new way to be paid waits', `${terms.coolingHours} hours`],
                ['What we take of a payout', formatCents(asCents(0))],
              ]}
            />
          ),
        },
        {
          id: 'referrals',
          title: 'Bring somebody in',
          say: `You earn ${terms.referralPercent}% of what they sell or spend for ${terms.referralMonths} months. It comes out of our fee, never out of anybody’s share.`,
          children: (
            <>
              <p className="leaf__note">
                Withdrawn from {formatUsd(terms.referralMinimum)}, of which {terms.referralFee}% is kept; of what is
                moved into your own balance, {terms.referralMoveFee}%.
              </p>
              <div className="open__go pt-6">
                {!viewer && (
                  <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
                    Open your door
                  </Button>
                )}
                <Button href={PUBLIC_PATHS.becomeCreator}>Do the sum</Button>
              </div>
            </>
          ),
        },
      ]}
    />
  );
}
