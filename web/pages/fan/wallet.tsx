/** The fan's wallet (rows D1 to D3): balance, deposits and transactions. */

import { AMOUNT_FILTERS, DEPOSIT_STATE_LABELS, DEPOSIT_STATES } from '@stagedoor/contract/commerce/deposits.ts';
import { STATEMENT_FILTERS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { downloadWalletStatement } from '@stagedoor/contract/finance/statements.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useSearchParams,
} from 'react-router';
import { StatementForm } from '../../modules/finance/statements/statement-form.tsx';
import { BalanceHead, walletQuery } from '../../modules/finance/wallet/balance-head.tsx';
import { type DepositEntry, prefillDollars } from '../../modules/finance/wallet/deposit-amount.ts';
import {
  depositsQuery,
  isWalletFiltered,
  parseWalletFilters,
  transactionsQuery,
  type WalletFilters,
} from '../../modules/finance/wallet/filters.ts';
import { DepositRows, TransactionRows } from '../../modules/finance/wallet/money-rows.tsx';
import { depositOptionsQuery } from '../../modules/finance/wallet/use-deposit.ts';
import { buildAddress } from '../../platform/address.ts';
import { lazyPart } from '../../platform/lazy-part.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { usePriceLimit } from '../../platform/price-limits.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips, Tabs } from '../../ui/chips.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from './listing.tsx';
import * as texts from './texts.ts';

const DepositDialog = lazyPart(
  async () => (await import('../../modules/finance/wallet/deposit-dialog.tsx')).DepositDialog,
);

const PATH = PATHS.fanWallet;
const DEPOSIT_TAB = 'deposits';
const NO_DIALOG = Object.fromEntries(
  ['add', 'sum', 'dollars', 'credits', 'chosen', 'next'].map((name) => [name, undefined]),
);

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.wallet });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const filters = parseWalletFilters(url.searchParams);
  const list =
    filters.tab === DEPOSIT_TAB
      ? client.ensureInfiniteQueryData(depositsQuery(filters))
      : client.ensureInfiniteQueryData(transactionsQuery(filters));
  await awaitOnServer(client.ensureQueryData(walletQuery()), list, client.prefetchQuery(depositOptionsQuery()));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

/**
 * The deposit dialog has an address: `?add=credits`, or `?add=1&sum=…&next=…` when a balance was too low by that
 * amount. `dollars` or `credits` restores an amount that was entered before, and `chosen` the step of the payment.
 */
function parseEntry(search: URLSearchParams): DepositEntry | undefined {
  const add = search.get('add');
  if (add === null) return undefined;
  return add === 'credits' ? 'credits' : 'dollars';
}

function AddFunds({ search }: { search: URLSearchParams }) {
  const requested = parseEntry(search);
  const navigate = useNavigate();
  const [shown, setShown] = useState(requested);
  const owed = useQuery(walletQuery()).data?.owed;
  const limit = usePriceLimit('addFunds');
  if (requested && requested !== shown) setShown(requested);
  if (!shown) return null;
  const close = () =>
    void navigate(buildAddress(PATH, search, NO_DIALOG), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <Suspense>
      <DepositDialog
        entry={shown}
        start={{
          dollars: search.get('dollars') ?? prefillDollars(search.get('sum'), limit, owed),
          credits: search.get('credits') ?? undefined,
          isChosen: search.has('chosen'),
        }}
        next={search.get('next') ?? undefined}
        open={requested !== undefined}
        onOpenChange={(isOpen) => !isOpen && close()}
      />
    </Suspense>
  );
}

type FiltersProps = { filters: WalletFilters; search: URLSearchParams };

function Filters({ filters, search }: FiltersProps) {
  const isDeposits = filters.tab === DEPOSIT_TAB;
  const to = (change: Record<string, string | undefined>) => buildAddress(PATH, search, { ...NO_DIALOG, ...change });
  return (
    <div className="grid gap-2 py-4 lg:flex lg:flex-wrap lg:gap-x-10">
      {isDeposits ? (
        <Chips label={texts.status}>
          <ChipLink href={to({ status: undefined })} current={filters.status === undefined}>
            {texts.all}
          </ChipLink>
          {DEPOSIT_STATES.map((status) => (
            <ChipLink key={status} href={to({ status })} current={filters.status === status}>
              {DEPOSIT_STATE_LABELS[status]}
            </ChipLink>
          ))}
        </Chips>
      ) : (
        <Chips label={texts.type}>
          <ChipLink href={to({ type: undefined })} current={filters.type === undefined}>
            {texts.all}
          </ChipLink>
          {STATEMENT_FILTERS.map(({ type, label }) => (
            <ChipLink key={type} href={to({ type })} current={filters.type === type}>
              {label}
            </ChipLink>
          ))}
        </Chips>
      )}
      <Chips label={texts.minimumAmount}>
        <ChipLink href={to({ min: undefined })} current={filters.minAmount === undefined}>
          {texts.anyAmount}
        </ChipLink>
        {AMOUNT_FILTERS.map((amount) => (
          <ChipLink key={amount} href={to({ min: String(amount) })} current={filters.minAmount === amount}>
            <span className="num">≥ ${amount}</span>
          </ChipLink>
        ))}
      </Chips>
    </div>
  );
}

const createPager =
  ({ filters, search }: FiltersProps) =>
  (total: number) =>
    total > PAGE_SIZES[0]
      ? {
          size: filters.size,
          sizeHref: (size: number) =>
            buildAddress(PATH, search, { size: size === PAGE_SIZES[0] ? undefined : String(size) }),
        }
      : {};

function Empty({ filters, search, line }: FiltersProps & { line: string }) {
  if (isWalletFiltered(filters)) {
    const all = buildAddress(PATH, search, { type: undefined, status: undefined, min: undefined });
    return <EmptyState line={texts.noFilteredResults} action={<Button href={all}>{texts.showAll}</Button>} />;
  }
  return (
    <EmptyState
      line={line}
      action={<Button href={buildAddress(PATH, search, { add: 'credits' })}>{texts.addFunds}</Button>}
    />
  );
}

function hasAny(
  { data }: { data: { pages: { totalCount: number }[] } | undefined },
  filters: FiltersProps['filters'],
): boolean {
  return isWalletFiltered(filters) || data?.pages[0]?.totalCount !== 0;
}

function Transactions(props: FiltersProps & { now: string }) {
  const query = useInfiniteQuery(transactionsQuery(props.filters));
  return (
    <>
      {hasAny(query, props.filters) && <Filters {...props} />}
      <CountedListing
        query={query}
        pager={createPager(props)}
        unit={texts.transactionsUnit}
        empty={<Empty {...props} line={texts.noTransactionsYet} />}
      >
        {(all) => <TransactionRows transactions={all} now={props.now} />}
      </CountedListing>
    </>
  );
}

function Deposits(props: FiltersProps & { now: string }) {
  const query = useInfiniteQuery(depositsQuery(props.filters));
  return (
    <>
      {hasAny(query, props.filters) && <Filters {...props} />}
      <CountedListing query={query} pager={createPager(props)} empty={<Empty {...props} line={texts.noDepositsYet} />}>
        {(all) => <DepositRows deposits={all} now={props.now} />}
      </CountedListing>
    </>
  );
}

export default function WalletPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseWalletFilters(search);
  const tabs = [
    { href: PATH, label: texts.transactions },
    { href: `${PATH}?tab=${DEPOSIT_TAB}`, label: texts.deposits },
  ];
  return (
    <div className="max-w-[1040px]">
      <BalanceHead
        creditsHref={buildAddress(PATH, search, { add: 'credits' })}
        dollarsHref={buildAddress(PATH, search, { add: '1' })}
        now={now}
      />
      <Tabs
        className="mt-8"
        label={texts.wallet}
        tabs={tabs}
        current={filters.tab === DEPOSIT_TAB ? `${PATH}?tab=${DEPOSIT_TAB}` : PATH}
      />
      {filters.tab === DEPOSIT_TAB ? (
        <Deposits filters={filters} search={search} now={now} />
      ) : (
        <Transactions filters={filters} search={search} now={now} />
      )}
      <div className="pt-12">
        <StatementForm route={downloadWalletStatement} kind="wallet" now={now} />
      </div>
      <AddFunds search={search} />
    </div>
  );
}
