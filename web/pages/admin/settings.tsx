/**
 * Platform settings: fees, individual fees, prices, payouts and company details in legal texts (row B9), each with its
 * change history.
 */

import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { listAudit } from '@stagedoor/contract/audit.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useSearchParams,
} from 'react-router';
import { factsChangesQuery, factsQuery, OperatorForm, OperatorHistory } from '../../features/desk/operator/form.tsx';
import { CreatorFeeRows, creatorFeesQuery } from '../../features/desk/settings/creator-fees.tsx';
import { FeesForm, FeesHistory, feeChangesQuery, feesQuery } from '../../features/desk/settings/fees.tsx';
import { changesQuery, SettingsForm, SettingsHistory, settingsQuery } from '../../features/desk/settings/form.tsx';
import { PricesForm, PricesHistory, priceChangesQuery, pricesQuery } from '../../features/desk/settings/prices.tsx';
import { wantedQuery } from '../../features/desk/settings/wanted.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { rolesOf, useMay } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FocusHead, SectionHead } from '../../ui/label.tsx';
import { EmptyState, SkeletonRows } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Fees and limits' });

const creatorIn = (search: URLSearchParams) => search.get('creator')?.trim().slice(0, 254) || undefined;

const load = deskLoad(async ({ client, url }) => {
  await Promise.all([
    client.ensureQueryData({ ...feesQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...pricesQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...settingsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...factsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...wantedQuery(), revalidateIfStale: true }),
  ]);
  await begin(
    client.ensureInfiniteQueryData({ ...feeChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...priceChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...changesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...creatorFeesQuery(creatorIn(url.searchParams)), revalidateIfStale: true }),
  );
  if (!operatorMay(await rolesOf(client), listAudit)) return;
  await begin(client.ensureInfiniteQueryData({ ...factsChangesQuery(), revalidateIfStale: true }));
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function CreatorFees() {
  const [search] = useSearchParams();
  const creator = creatorIn(search);
  const query = useInfiniteQuery(creatorFeesQuery(creator));
  return (
    <>
      <Form method="get" className="flex flex-wrap items-end gap-3" preventScrollReset>
        <TextField
          key={creator ?? ''}
          className="min-w-0 flex-1 basis-60"
          label="Creator’s username or email"
          name="creator"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          defaultValue={creator ?? ''}
        />
        <Button type="submit">Look up</Button>
        {creator !== undefined && (
          <Button variant="quiet" href={`${DESK_PATHS.adminSettings}#creators`}>
            All custom fees
          </Button>
        )}
      </Form>
      <CountedListing
        query={query}
        skeleton={<SkeletonRows count={2} />}
        empty={<EmptyState line={creator === undefined ? 'No custom fees' : 'Creator not found'} />}
      >
        {(fees) => <CreatorFeeRows fees={fees} />}
      </CountedListing>
    </>
  );
}

export default function SettingsDesk() {
  const mayReadChanges = useMay(listAudit);
  return (
    <div className="grid max-w-[860px] content-start gap-10 pt-5 lg:pt-8">
      <div className="grid gap-3">
        <FocusHead>Fees and limits</FocusHead>
        <p className="text-small text-muted">
          Changes apply to new sales and requests. Public pages update immediately.
        </p>
      </div>
      <section aria-labelledby="fees" className="grid gap-5">
        <SectionHead id="fees" title="Fees, commissions and holds" />
        <FeesForm />
        <SectionHead id="fee-changes" level={3} title="Fee change history" />
        <FeesHistory />
      </section>
      <section
        id="creators"
        aria-labelledby="creators-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="creators-title" title="Custom creator fees" />
        <p className="text-small text-muted">
          A custom offer replaces the newcomer offer on its dates. Past sales aren’t affected.
        </p>
        <CreatorFees />
      </section>
      <section aria-labelledby="prices" className="grid gap-5 border-t border-line pt-8">
        <SectionHead id="prices" title="Price limits" />
        <p className="text-small text-muted">
          New prices must be within these limits. Existing prices aren’t affected. Calls put {CALL.holdMinutes} minutes
          on hold.
        </p>
        <PricesForm />
        <SectionHead id="price-changes" level={3} title="Price limit history" />
        <PricesHistory />
      </section>
      <section
        id="payouts"
        aria-labelledby="payouts-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="payouts-title" title="Payouts" />
        <SettingsForm />
        <SectionHead id="changes" level={3} title="Payout settings history" />
        <SettingsHistory />
      </section>
      <section id="who" aria-labelledby="who-title" className="grid scroll-mt-6 gap-4 border-t border-line pt-8">
        <SectionHead id="who-title" title="Company details" />
        <p className="text-small text-muted">
          Used in the legal pages. Empty fields are left out and listed in the work queue.
        </p>
        <OperatorForm />
        {mayReadChanges && (
          <>
            <SectionHead id="who-changes" level={3} title="Change history" />
            <OperatorHistory />
          </>
        )}
      </section>
    </div>
  );
}
