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
          label="Username or e-mail address of a creator"
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
            All with their own
          </Button>
        )}
      </Form>
      <CountedListing
        query={query}
        skeleton={<SkeletonRows count={2} />}
        empty={
          <EmptyState
            line={creator === undefined ? 'No creator has a fee of their own.' : 'There is no creator of this name.'}
          />
        }
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
          They hold from now on: what was sold or requested before keeps its terms. The public pages and texts follow at
          once.
        </p>
      </div>
      <section aria-labelledby="fees" className="grid gap-5">
        <SectionHead id="fees" title="What we keep, share and hold back" />
        <FeesForm />
        <SectionHead id="fee-changes" level={3} title="Who changed fees, and why" />
        <FeesHistory />
      </section>
      <section
        id="creators"
        aria-labelledby="creators-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="creators-title" title="Fees of single creators" />
        <p className="text-small text-muted">
          An offer holds on its days and stands in the place of that for newcomers. Nothing that was sold changes.
        </p>
        <CreatorFees />
      </section>
      <section aria-labelledby="prices" className="grid gap-5 border-t border-line pt-8">
        <SectionHead id="prices" title="Least and greatest prices" />
        <p className="text-small text-muted">
          Whoever names a price is held to them. What is there already keeps its price and can still be bought. For a
          call, {CALL.holdMinutes} minutes at its rate are held.
        </p>
        <PricesForm />
        <SectionHead id="price-changes" level={3} title="Who changed prices, and why" />
        <PricesHistory />
      </section>
      <section
        id="payouts"
        aria-labelledby="payouts-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="payouts-title" title="Payouts" />
        <SettingsForm />
        <SectionHead id="changes" level={3} title="Who changed what of payouts, and why" />
        <SettingsHistory />
      </section>
      <section id="who" aria-labelledby="who-title" className="grid scroll-mt-6 gap-4 border-t border-line pt-8">
        <SectionHead id="who-title" title="Who we are" />
        <p className="text-small text-muted">
          The public texts name us by this. What is empty is left out there, and waits on the desk until it is said.
        </p>
        <OperatorForm />
        {mayReadChanges && (
          <>
            <SectionHead id="who-changes" level={3} title="Who changed what of it" />
            <OperatorHistory />
          </>
        )}
      </section>
    </div>
  );
}
