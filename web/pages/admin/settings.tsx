/**
 * Platform settings: fees, individual fees, prices, payouts and company details in legal texts (row B9), each with its
 * change history.
 */

import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import {
  SubscriptionSettingsForm,
  SubscriptionSettingsHistory,
  subscriptionSettingsChangesQuery,
  subscriptionSettingsQuery,
} from '../../modules/admin/console/settings/subscription-settings-form.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { loadRoles, useCanCallRoute } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FocusedHeading, SectionHead } from '../../ui/label.tsx';
import { EmptyState, SkeletonRows } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.feesAndLimits });

const parseCreator = (search: URLSearchParams) => search.get('creator')?.trim().slice(0, 254) || undefined;

const load = createAdminLoad(async ({ client, url }) => {
  await Promise.all([
    client.ensureQueryData({ ...platformFeesQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...pricesQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...payoutSettingsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...subscriptionSettingsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...companyDetailsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...settingApprovalsQuery(), revalidateIfStale: true }),
  ]);
  await awaitOnServer(
    client.ensureInfiniteQueryData({ ...feeChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...priceChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...payoutSettingsChangesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...subscriptionSettingsChangesQuery(), revalidateIfStale: true }),
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
          label={texts.creatorsUsernameOrEmail}
          name="creator"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          defaultValue={creator ?? ''}
        />
        <Button type="submit">{texts.lookUp}</Button>
        {creator !== undefined && (
          <Button variant="quiet" href={`${ADMIN_PATHS.adminSettings}#creators`}>
            {texts.allCustomFees}
          </Button>
        )}
      </Form>
      <CountedListing
        query={query}
        skeleton={<SkeletonRows count={2} />}
        empty={<EmptyState line={creator === undefined ? texts.noCustomFees : texts.unknownCreator} />}
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
        <FocusedHeading>{texts.feesAndLimits}</FocusedHeading>
        <p className="text-small text-muted">{texts.feesAndLimitsHint}</p>
      </div>
      <section aria-labelledby="fees" className="grid gap-5">
        <SectionHead id="fees" title={texts.feesCommissionsAndHolds} />
        <FeesForm />
        <SectionHead id="fee-changes" level={3} title={texts.feeChangeHistory} />
        <FeesHistory />
      </section>
      <section
        id="creators"
        aria-labelledby="creators-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="creators-title" title={texts.customCreatorFees} />
        <p className="text-small text-muted">{texts.customFeesHint}</p>
        <CreatorFees />
      </section>
      <section aria-labelledby="prices" className="grid gap-5 border-t border-line pt-8">
        <SectionHead id="prices" title={texts.priceLimits} />
        <p className="text-small text-muted">
          {formatText(texts.priceLimitsHint, { holdMinutes: CALL_LIMITS.holdMinutes })}
        </p>
        <PricesForm />
        <SectionHead id="price-changes" level={3} title={texts.priceLimitHistory} />
        <PricesHistory />
      </section>
      <section
        id="subscriptions"
        aria-labelledby="subscriptions-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="subscriptions-title" title={texts.subscriptions} />
        <SubscriptionSettingsForm />
        <SectionHead id="subscription-changes" level={3} title={texts.subscriptionSettingsHistory} />
        <SubscriptionSettingsHistory />
      </section>
      <section
        id="payouts"
        aria-labelledby="payouts-title"
        className="grid scroll-mt-6 gap-5 border-t border-line pt-8"
      >
        <SectionHead id="payouts-title" title={texts.payouts} />
        <PayoutSettingsForm />
        <SectionHead id="changes" level={3} title={texts.payoutSettingsHistory} />
        <PayoutSettingsHistory />
      </section>
      <section id="who" aria-labelledby="who-title" className="grid scroll-mt-6 gap-4 border-t border-line pt-8">
        <SectionHead id="who-title" title={texts.companyDetails} />
        <p className="text-small text-muted">{texts.companyDetailsHint}</p>
        <CompanyDetailsForm />
        {canReadChanges && (
          <>
            <SectionHead id="who-changes" level={3} title={texts.changeHistory} />
            <CompanyDetailsHistory />
          </>
        )}
      </section>
    </div>
  );
}
