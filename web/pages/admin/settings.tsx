/**
 * Platform settings: fees, individual fees, prices, payouts and company details in legal texts (row B9), each with its
 * change history.
 */

import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useSearchParams,
} from 'react-router';
import {
  CompanyDetailsForm,
  CompanyDetailsHistory,
  companyDetailsChangesQuery,
  companyDetailsQuery,
} from '../../modules/admin/console/company-details/company-details-form.tsx';
import { CreatorFeeRows, creatorFeesQuery } from '../../modules/admin/console/settings/creator-fees.tsx';
import {
  FeesForm,
  FeesHistory,
  feeChangesQuery,
  platformFeesQuery,
} from '../../modules/admin/console/settings/fees.tsx';
import {
  PayoutSettingsForm,
  PayoutSettingsHistory,
  payoutSettingsChangesQuery,
  payoutSettingsQuery,
} from '../../modules/admin/console/settings/payout-settings-form.tsx';
import { settingApprovalsQuery } from '../../modules/admin/console/settings/pending-settings.tsx';
import {
  PricesForm,
  PricesHistory,
  priceChangesQuery,
  pricesQuery,
} from '../../modules/admin/console/settings/prices.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { loadRoles, useCanCallRoute } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FocusedHeading, SectionHead } from '../../ui/label.tsx';
import { EmptyState, SkeletonRows } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { createAdminLoad } from './admin-load.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Fees and limits' });

const parseCreator = (search: URLSearchParams) => search.get('creator')?.trim().slice(0, 254) || undefined;

const load = createAdminLoad(async ({ client, url }) => {
  await Promise.all([
    client.ensureQueryData({ ...platformFeesQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...pricesQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...payoutSettingsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...companyDetailsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...settingApprovalsQuery(), revalidateIfStale: true }),
  ]);
  await awaitOnServer(
    client.ensureInfiniteQueryData({ ...feeChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...priceChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...payoutSettingsChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...creatorFeesQuery(parseCreator(url.searchParams)), revalidateIfStale: true }),
  );
  if (!canOperatorCallRoute(await loadRoles(client), listAuditEntries)) return;
  await awaitOnServer(client.ensureInfiniteQueryData({ ...companyDetailsChangesQuery(), revalidateIfStale: true }));
});
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function CreatorFees() {
  const [search] = useSearchParams();
  const creator = parseCreator(search);
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
          <Button variant="quiet" href={`${ADMIN_PATHS.adminSettings}#creators`}>
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

export default function SettingsPage() {
  const canReadChanges = useCanCallRoute(listAuditEntries);
  return (
    <div className="grid max-w-[860px] content-start gap-10 pt-5 lg:pt-8">
      <div className="grid gap-3">
        <FocusedHeading>Fees and limits</FocusedHeading>
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
          New prices must be within these limits. Existing prices aren’t affected. Calls put {CALL_LIMITS.holdMinutes}{' '}
          minutes on hold.
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
        <PayoutSettingsForm />
        <SectionHead id="changes" level={3} title="Payout settings history" />
        <PayoutSettingsHistory />
      </section>
      <section id="who" aria-labelledby="who-title" className="grid scroll-mt-6 gap-4 border-t border-line pt-8">
        <SectionHead id="who-title" title="Company details" />
        <p className="text-small text-muted">
          Used in the legal pages. Empty fields are left out and listed in the work queue.
        </p>
        <CompanyDetailsForm />
        {canReadChanges && (
          <>
            <SectionHead id="who-changes" level={3} title="Change history" />
            <CompanyDetailsHistory />
          </>
        )}
      </section>
    </div>
  );
}
