/** The referral page of both roles (rows H1 to H4): link, earnings, referrals and withdrawals. */

import {
  type AffiliateTotals,
  EMPTY_AFFILIATE_TOTALS,
  REFERRAL_STATUSES,
  REFERRED_TYPES,
} from '@stagedoor/contract/finance/affiliates.ts';
import { PAYOUT_STATES, type PayoutMethod } from '@stagedoor/contract/finance/payouts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
} from 'react-router';
import {
  AFFILIATE_LIST_PARAMETERS,
  AFFILIATE_WITHDRAWALS_TAB,
  affiliateTotalsQuery,
  parseReferralFilters,
  parseWithdrawalFilters,
  payoutMethodsQuery,
  referralsQuery,
  withdrawalsQuery,
} from '../modules/finance/affiliates/filters.ts';
import { affiliateCodeQuery, InviteSection } from '../modules/finance/affiliates/invite.tsx';
import {
  REFERRAL_STATUS_LABELS,
  REFERRED_TYPE_LABELS,
  ReferralRows,
  WITHDRAWAL_STATUS_LABELS,
  WithdrawalRows,
} from '../modules/finance/affiliates/rows.tsx';
import { AffiliateSides } from '../modules/finance/affiliates/sides.tsx';
import { formatExactTime } from '../platform/dates.ts';
import { lazyPart } from '../platform/lazy-part.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { useViewer } from '../platform/session.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/chips.tsx';
import { SelectField } from '../ui/field.tsx';
import { Banner, EmptyState, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { DayFields, NumberedPages, useListUrl } from './list-url.tsx';
import * as texts from './texts.ts';

const loadDialogs = () => import('../modules/finance/affiliates/money-dialogs.tsx');
const MoveDialog = lazyPart(async () => (await loadDialogs()).MoveDialog);
const WithdrawDialog = lazyPart(async () => (await loadDialogs()).WithdrawDialog);
const WithdrawalDialog = lazyPart(async () => (await loadDialogs()).WithdrawalDialog);

export const handle: PageHandle = { width: 'wide', nav: PATHS.fanProfile };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.referrals });

const isWithdrawalsTab = (search: URLSearchParams) => search.get('tab') === AFFILIATE_WITHDRAWALS_TAB;

type ReferralPageData = { now: string; path: string; affiliateId: string };
const load: PageLoad<ReferralPageData> = async ({ client, url, viewer }) => {
  const user = await viewer();
  const affiliateId = user?.id ?? '';
  const list = isWithdrawalsTab(url.searchParams)
    ? client.ensureQueryData(withdrawalsQuery(parseWithdrawalFilters(url.searchParams)))
    : client.ensureQueryData(referralsQuery(affiliateId, parseReferralFilters(url.searchParams)));
  await awaitOnServer(
    list,
    client.prefetchQuery(affiliateTotalsQuery()),
    client.prefetchQuery(payoutMethodsQuery()),
    client.prefetchQuery(affiliateCodeQuery()),
  );
  return {
    now: new Date().toISOString(),
    path: user?.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral,
    affiliateId,
  };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function useAddress() {
  const loaded = useLoaderData<typeof loader>();
  return { ...loaded, ...useListUrl(loaded.path, { currentPage: undefined }) };
}

type FilterChoice = { name: string; label: string; value: string; options: { value: string; label: string }[] };

const ANY = { value: '', label: texts.all };
const toChoices = (labels: Readonly<Record<string, string>>, values: readonly string[]) => [
  ANY,
  ...values.map((value) => ({ value, label: labels[value] ?? value })),
];

function Filters({
  sort,
  choice,
  days,
}: {
  sort: FilterChoice;
  choice: FilterChoice[];
  days: { startDate?: string | undefined; endDate?: string | undefined };
}) {
  const { path, go } = useAddress();
  return (
    <Form action={path} className="grid grid-cols-2 gap-3 py-4 md:grid-cols-3 xl:grid-cols-5">
      <SelectField
        label={sort.label}
        value={sort.value}
        options={sort.options}
        onChange={(event) => {
          const [sortByKey, sortOrderBy] = event.currentTarget.value.split(' ');
          go({ sortByKey, sortOrderBy });
        }}
      />
      {choice.map(({ name, ...field }) => (
        <SelectField
          key={name}
          name={name}
          {...field}
          onChange={(event) => go({ [name]: event.currentTarget.value || undefined })}
        />
      ))}
      <DayFields names={['startDate', 'endDate']} from={days.startDate} to={days.endDate} go={go} />
    </Form>
  );
}

type ListResponse<T> = { data: T[]; totalCount: number };
type ListProps<T> = {
  query: UseQueryResult<ListResponse<T>>;
  filters: { currentPage: number; limit: number };
  empty: string;
  children: (items: T[]) => ReactNode;
};

function List<T>({ query, filters, empty, children }: ListProps<T>) {
  const { search, to } = useAddress();
  const { data } = query;
  if (!data) return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={4} />;
  if (data.data.length === 0) {
    const isFiltered = AFFILIATE_LIST_PARAMETERS.some((name) => search.has(name));
    if (!isFiltered) return <EmptyState line={empty} />;
    const all = to(Object.fromEntries(AFFILIATE_LIST_PARAMETERS.map((name) => [name, undefined])));
    return <EmptyState line={texts.noFilteredResults} action={<Button href={all}>{texts.showAll}</Button>} />;
  }
  return (
    <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
      {children(data.data)}
      <NumberedPages {...filters} total={data.totalCount} to={to} />
    </div>
  );
}

function Referrals() {
  const { now, affiliateId, search } = useAddress();
  const filters = parseReferralFilters(search);
  const query = useQuery(referralsQuery(affiliateId, filters));
  const sort = {
    name: 'sort',
    label: texts.sortBy,
    value: `${filters.sortByKey} ${filters.sortOrderBy}`,
    options: [
      { value: 'createdAt desc', label: texts.newestFirst },
      { value: 'createdAt asc', label: texts.oldestFirst },
      { value: 'approvedAt desc', label: texts.recentlyApproved },
      { value: 'approvedAt asc', label: texts.oldestApproval },
      { value: 'name asc', label: texts.nameAToZ },
      { value: 'name desc', label: texts.nameZToA },
    ],
  };
  const choice = [
    {
      name: 'referredType',
      label: texts.group,
      value: filters.referredType ?? '',
      options: toChoices(REFERRED_TYPE_LABELS, REFERRED_TYPES),
    },
    {
      name: 'status',
      label: texts.status,
      value: filters.status ?? '',
      options: toChoices(REFERRAL_STATUS_LABELS, REFERRAL_STATUSES),
    },
  ];
  return (
    <>
      <Filters sort={sort} choice={choice} days={filters} />
      <List query={query} filters={filters} empty={texts.noReferralSignUps}>
        {(referrals) => <ReferralRows referrals={referrals} now={now} />}
      </List>
    </>
  );
}

function Withdrawals() {
  const { now, search, to } = useAddress();
  const filters = parseWithdrawalFilters(search);
  const query = useQuery(withdrawalsQuery(filters));
  const sort = {
    name: 'sort',
    label: texts.sortBy,
    value: `${filters.sortByKey} ${filters.sortOrderBy}`,
    options: [
      { value: 'createdAt desc', label: texts.newestFirst },
      { value: 'createdAt asc', label: texts.oldestFirst },
      { value: 'amount desc', label: texts.largestFirst },
      { value: 'amount asc', label: texts.smallestFirst },
    ],
  };
  const states = toChoices(WITHDRAWAL_STATUS_LABELS, PAYOUT_STATES);
  const choice = [{ name: 'status', label: texts.status, value: filters.status ?? '', options: states }];
  return (
    <>
      <Filters sort={sort} choice={choice} days={filters} />
      <List query={query} filters={filters} empty={texts.noWithdrawalsYet}>
        {(withdrawals) => (
          <WithdrawalRows withdrawals={withdrawals} now={now} toHref={(withdrawal) => to({ withdrawal })} />
        )}
      </List>
    </>
  );
}

function useMethods() {
  const methods = useQuery(payoutMethodsQuery()).data?.data ?? [];
  const [cooling] = methods.filter(({ state }) => state === 'cooling');
  return { usable: methods.filter(({ state }) => state === 'usable'), cooling };
}

/**
 * The dialogs have addresses: `?move=1`, `?withdraw=1`, and one per withdrawal. The last one stays mounted while it
 * closes.
 */
function Dialogs({ totals }: { totals: AffiliateTotals }) {
  const { search, to } = useAddress();
  const navigate = useNavigate();
  const { usable } = useMethods();
  const [isMoving, withdrawal] = [search.has('move'), search.get('withdrawal')];
  const [last, setLast] = useState(withdrawal);
  if (withdrawal !== null && withdrawal !== last) setLast(withdrawal);
  const close = (isOpen: boolean) => {
    if (isOpen) return;
    void navigate(to({ move: undefined, withdraw: undefined, withdrawal: undefined }), {
      replace: true,
      preventScrollReset: true,
    });
  };
  return (
    <Suspense>
      {isMoving && <MoveDialog totals={totals} open onOpenChange={close} />}
      {search.has('withdraw') && usable.length > 0 && (
        <WithdrawDialog totals={totals} methods={usable} open onOpenChange={close} />
      )}
      {last !== null && <WithdrawalDialog id={last} open={withdrawal !== null} onOpenChange={close} />}
    </Suspense>
  );
}

const formatCooling = ({ label, usableAt }: PayoutMethod) =>
  formatText(texts.methodAvailableFrom, { label, usableAt: formatExactTime(usableAt) });

function Head({ totals }: { totals: AffiliateTotals }) {
  const { to } = useAddress();
  const viewer = useViewer();
  const { eligibleBalance, owed, platformFee, creator, customer, months } = totals;
  const { internal } = platformFee;
  const isFan = viewer?.type === 'customer';
  const { usable, cooling } = useMethods();
  const canWithdraw = usable.length > 0 && eligibleBalance > 0 && eligibleBalance >= platformFee.minAmount;
  return (
    <header className="pt-7 lg:pt-10">
      <h1 className="display d2">{texts.referrals}</h1>
      <p className="mt-3 max-w-[640px] text-muted">
        {formatText(texts.referralTerms, { creatorPercent: creator.pr, fanPercent: customer.pr, months })}
      </p>
      <p className="mt-6 text-small text-muted">{texts.available}</p>
      <p className="display d1 num">{formatUsd(eligibleBalance)}</p>
      {owed > 0 && <Banner inline>{formatText(texts.commissionReversed, { owed: formatUsd(owed) })}</Banner>}
      <div className="flex flex-wrap items-center gap-3 pt-4">
        {isFan && eligibleBalance >= internal.minAmount && eligibleBalance > 0 && (
          <Button variant="primary" href={to({ move: '1' })} aria-haspopup="dialog">
            {texts.moveToBalance}
          </Button>
        )}
        {canWithdraw && (
          <Button href={to({ withdraw: '1' })} aria-haspopup="dialog">
            {texts.withdraw}
          </Button>
        )}
        <Button href={isFan ? PATHS.fanPayoutMethods : `${PATHS.creatorFees}#methods`}>{texts.payoutMethods}</Button>
      </div>
      <p className="pt-3 text-small text-muted">
        {isFan && formatText(texts.minimumToMove, { minAmount: formatUsd(internal.minAmount) })}
        {formatText(texts.minimumToWithdraw, {
          minAmount: formatUsd(platformFee.minAmount),
          feePercent: platformFee.feePr,
        })}
        {usable.length === 0 && ` ${cooling ? formatCooling(cooling) : texts.addPayoutMethodHint}`}
      </p>
    </header>
  );
}

export default function ReferralPage() {
  const { path, search } = useAddress();
  const totals = useQuery(affiliateTotalsQuery());
  const shown = totals.data ?? EMPTY_AFFILIATE_TOTALS;
  const tabs = [
    { href: path, label: texts.referrals },
    { href: `${path}?tab=${AFFILIATE_WITHDRAWALS_TAB}`, label: texts.withdrawals },
  ];
  return (
    <div className="max-w-[1040px]">
      {totals.isPending ? (
        <div className="pt-10">
          <SkeletonRows count={3} />
        </div>
      ) : (
        <>
          <Head totals={shown} />
          {totals.isError && !totals.data && <ErrorState onRetry={() => void totals.refetch()} />}
        </>
      )}
      <div className="pt-10">
        <InviteSection />
      </div>
      {!totals.isPending && (
        <div className="pt-10">
          <AffiliateSides totals={shown} />
        </div>
      )}
      <Tabs
        className="mt-12"
        label={texts.lists}
        tabs={tabs}
        current={isWithdrawalsTab(search) ? (tabs[1]?.href ?? path) : path}
      />
      {isWithdrawalsTab(search) ? <Withdrawals /> : <Referrals />}
      {totals.data && <Dialogs totals={totals.data} />}
    </div>
  );
}
