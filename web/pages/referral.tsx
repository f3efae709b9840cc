/** Bringing people in (rows H1 to H4), for both roles: the link, what each group earned, who came, and where the money went. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type AffiliateTotals, NO_TOTALS, REFERRAL_STATUSES, REFERRED_TYPES } from '@stagedoor/contract/affiliates.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import { PAYOUT_STATES } from '@stagedoor/contract/payouts.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useSearchParams,
  useSubmit,
} from 'react-router';
import {
  LIST_PARAMETERS,
  methodsQuery,
  referralFilters,
  referralsQuery,
  totalsQuery,
  WITHDRAWALS_TAB,
  withdrawalFilters,
  withdrawalsQuery,
} from '../features/affiliates/filters.ts';
import { codeQuery, Invite } from '../features/affiliates/invite.tsx';
import {
  REFERRAL_WORDS,
  ReferralRows,
  TYPE_WORDS,
  WITHDRAWAL_WORDS,
  WithdrawalRows,
} from '../features/affiliates/rows.tsx';
import { Sides } from '../features/affiliates/sides.tsx';
import { addressWith } from '../kernel/address.ts';
import { lazyPart } from '../kernel/lazy-part.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/chips.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { Banner, EmptyState, ErrorState, SkeletonRows } from '../ui/states.tsx';

const dialogs = () => import('../features/affiliates/money-dialogs.tsx');
const MoveDialog = lazyPart(async () => (await dialogs()).MoveDialog);
const WithdrawDialog = lazyPart(async () => (await dialogs()).WithdrawDialog);
const WithdrawalDialog = lazyPart(async () => (await dialogs()).WithdrawalDialog);

export const handle: PageHandle = { width: 'wide', nav: PATHS.fanProfile };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Referrals' });

const isOfWithdrawals = (search: URLSearchParams) => search.get('tab') === WITHDRAWALS_TAB;

type Loaded = { now: string; path: string; affiliateId: string };
const load: PageLoad<Loaded> = async ({ client, url, viewer }) => {
  const who = await viewer();
  const affiliateId = who?.id ?? '';
  const list = isOfWithdrawals(url.searchParams)
    ? client.ensureQueryData(withdrawalsQuery(withdrawalFilters(url.searchParams)))
    : client.ensureQueryData(referralsQuery(affiliateId, referralFilters(url.searchParams)));
  await begin(
    list,
    client.prefetchQuery(totalsQuery()),
    client.prefetchQuery(methodsQuery()),
    client.prefetchQuery(codeQuery()),
  );
  return {
    now: new Date().toISOString(),
    path: who?.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral,
    affiliateId,
  };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

/** What a list needs to know of its own address. */
function useAddress() {
  const { path, now, affiliateId } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const to = (change: Readonly<Record<string, string | undefined>>) => addressWith(path, search, change);
  return { path, now, affiliateId, search, to };
}

type Choice = { name: string; label: string; value: string; options: { value: string; label: string }[] };

const ANY = { value: '', label: 'All' };
const choices = (words: Readonly<Record<string, string>>, values: readonly string[]) => [
  ANY,
  ...values.map((value) => ({ value, label: words[value] ?? value })),
];

/** The filters are the address, and work as a plain form. */
function Filters({
  sort,
  choice,
  days,
}: {
  sort: Choice;
  choice: Choice[];
  days: { startDate?: string | undefined; endDate?: string | undefined };
}) {
  const { path, to } = useAddress();
  const submit = useSubmit();
  const go = (change: Record<string, string | undefined>) =>
    void submit(new URLSearchParams(to({ currentPage: undefined, ...change }).split('?')[1] ?? ''), {
      action: path,
      replace: true,
      preventScrollReset: true,
    });
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
      <TextField
        label="From"
        type="date"
        name="startDate"
        max={days.endDate}
        value={days.startDate ?? ''}
        onChange={(event) => go({ startDate: event.currentTarget.value || undefined })}
      />
      <TextField
        label="To"
        type="date"
        name="endDate"
        min={days.startDate}
        value={days.endDate ?? ''}
        onChange={(event) => go({ endDate: event.currentTarget.value || undefined })}
      />
    </Form>
  );
}

function Pages({ currentPage, limit, total }: { currentPage: number; limit: number; total: number }) {
  const { to } = useAddress();
  const last = Math.max(1, Math.ceil(total / limit));
  const page = (number: number) => to({ currentPage: number === 1 ? undefined : String(number) });
  return (
    <>
      {last > 1 && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-4 pt-5">
          <Button {...(currentPage > 1 ? { href: page(currentPage - 1), rel: 'prev' } : { disabled: true })}>
            Previous
          </Button>
          <span className="num text-small text-muted">
            Page {currentPage.toLocaleString('en-US')} of {last.toLocaleString('en-US')}
          </span>
          <Button {...(currentPage < last ? { href: page(currentPage + 1), rel: 'next' } : { disabled: true })}>
            Next
          </Button>
        </nav>
      )}
      {total > PAGE_SIZES[0] && (
        <Pager
          size={limit}
          sizeHref={(size) => to({ currentPage: undefined, limit: size === PAGE_SIZES[0] ? undefined : String(size) })}
        />
      )}
    </>
  );
}

type Listed<T> = { data: T[]; totalCount: number };
type ListProps<T> = {
  query: UseQueryResult<Listed<T>>;
  filters: { currentPage: number; limit: number };
  empty: string;
  children: (items: T[]) => ReactNode;
};

function List<T>({ query, filters, empty, children }: ListProps<T>) {
  const { search, to } = useAddress();
  const { data } = query;
  if (!data) return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={4} />;
  if (data.data.length === 0) {
    const isChosen = LIST_PARAMETERS.some((name) => search.has(name));
    if (!isChosen) return <EmptyState line={empty} />;
    const all = to(Object.fromEntries(LIST_PARAMETERS.map((name) => [name, undefined])));
    return <EmptyState line="Nothing fits these filters." action={<Button href={all}>Show everything</Button>} />;
  }
  return (
    <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
      {children(data.data)}
      <Pages {...filters} total={data.totalCount} />
    </div>
  );
}

function Referrals() {
  const { now, affiliateId, search } = useAddress();
  const filters = referralFilters(search);
  const query = useQuery(referralsQuery(affiliateId, filters));
  const sort = {
    name: 'sort',
    label: 'Order',
    value: `${filters.sortByKey} ${filters.sortOrderBy}`,
    options: [
      { value: 'createdAt desc', label: 'Latest first' },
      { value: 'createdAt asc', label: 'Oldest first' },
      { value: 'approvedAt desc', label: 'Approved last' },
      { value: 'approvedAt asc', label: 'Approved first' },
      { value: 'name asc', label: 'Name, A to Z' },
      { value: 'name desc', label: 'Name, Z to A' },
    ],
  };
  const choice = [
    {
      name: 'referredType',
      label: 'Group',
      value: filters.referredType ?? '',
      options: choices(TYPE_WORDS, REFERRED_TYPES),
    },
    {
      name: 'status',
      label: 'Stage',
      value: filters.status ?? '',
      options: choices(REFERRAL_WORDS, REFERRAL_STATUSES),
    },
  ];
  return (
    <>
      <Filters sort={sort} choice={choice} days={filters} />
      <List query={query} filters={filters} empty="Nobody has come by your link yet.">
        {(referrals) => <ReferralRows referrals={referrals} now={now} />}
      </List>
    </>
  );
}

function Withdrawals() {
  const { now, search, to } = useAddress();
  const filters = withdrawalFilters(search);
  const query = useQuery(withdrawalsQuery(filters));
  const sort = {
    name: 'sort',
    label: 'Order',
    value: `${filters.sortByKey} ${filters.sortOrderBy}`,
    options: [
      { value: 'createdAt desc', label: 'Latest first' },
      { value: 'createdAt asc', label: 'Oldest first' },
      { value: 'amount desc', label: 'Largest first' },
      { value: 'amount asc', label: 'Smallest first' },
    ],
  };
  const states = choices(WITHDRAWAL_WORDS, PAYOUT_STATES);
  const choice = [{ name: 'status', label: 'State', value: filters.status ?? '', options: states }];
  return (
    <>
      <Filters sort={sort} choice={choice} days={filters} />
      <List query={query} filters={filters} empty="Nothing was withdrawn yet.">
        {(withdrawals) => (
          <WithdrawalRows withdrawals={withdrawals} now={now} hrefOf={(withdrawal) => to({ withdrawal })} />
        )}
      </List>
    </>
  );
}

/** Where money may go now. */
function useMethods() {
  const methods = useQuery(methodsQuery()).data?.data ?? [];
  return methods.filter(({ state }) => state === 'usable');
}

/** The dialogs have addresses: `?move=1`, `?withdraw=1`, and a withdrawal's own. The last one stays while it closes. */
function Dialogs({ totals }: { totals: AffiliateTotals }) {
  const { search, to } = useAddress();
  const navigate = useNavigate();
  const methods = useMethods();
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
      {search.has('withdraw') && methods.length > 0 && (
        <WithdrawDialog totals={totals} methods={methods} open onOpenChange={close} />
      )}
      {last !== null && <WithdrawalDialog id={last} open={withdrawal !== null} onOpenChange={close} />}
    </Suspense>
  );
}

function Head({ totals }: { totals: AffiliateTotals }) {
  const { to } = useAddress();
  const viewer = useViewer();
  const { eligibleBalance, owed, platformFee, creator, customer, months } = totals;
  const { internal } = platformFee;
  const isFan = viewer?.type === 'customer';
  const canWithdraw = useMethods().length > 0 && eligibleBalance > 0 && eligibleBalance >= platformFee.minAmount;
  return (
    <header className="pt-7 lg:pt-10">
      <h1 className="display d2">Referrals</h1>
      <p className="mt-3 max-w-[640px] text-muted">
        Bring people in and earn {creator.pr}% of what each creator sells and {customer.pr}% of what each customer
        spends, for {months} months. It is a part of our fee: nobody pays more for it, and no creator gets less.
      </p>
      <p className="mt-6 text-small text-muted">Ready for you</p>
      <p className="display d1 num">{formatUsd(eligibleBalance)}</p>
      {owed > 0 && (
        <Banner inline>
          {formatUsd(owed)} was taken back after you had withdrawn it, as what earned it was given back. What clears
          next goes there first.
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-3 pt-4">
        {isFan && eligibleBalance >= internal.minAmount && eligibleBalance > 0 && (
          <Button variant="primary" href={to({ move: '1' })} aria-haspopup="dialog">
            Move to balance
          </Button>
        )}
        {canWithdraw && (
          <Button href={to({ withdraw: '1' })} aria-haspopup="dialog">
            Withdraw
          </Button>
        )}
      </div>
      <p className="pt-3 text-small text-muted">
        {isFan && `From ${formatUsd(internal.minAmount)} on you can move it into your balance. `}
        It is paid out from {formatUsd(platformFee.minAmount)} on, less {platformFee.feePr}%.
      </p>
    </header>
  );
}

export default function ReferralPage() {
  const { path, search } = useAddress();
  const totals = useQuery(totalsQuery());
  const shown = totals.data ?? NO_TOTALS;
  const tabs = [
    { href: path, label: 'Referrals' },
    { href: `${path}?tab=${WITHDRAWALS_TAB}`, label: 'Withdrawals' },
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
        <Invite />
      </div>
      {!totals.isPending && (
        <div className="pt-10">
          <Sides totals={shown} />
        </div>
      )}
      <Tabs
        className="mt-12"
        label="Lists"
        tabs={tabs}
        current={isOfWithdrawals(search) ? (tabs[1]?.href ?? path) : path}
      />
      {isOfWithdrawals(search) ? <Withdrawals /> : <Referrals />}
      {totals.data && <Dialogs totals={totals.data} />}
    </div>
  );
}
