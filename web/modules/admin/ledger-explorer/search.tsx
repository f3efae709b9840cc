import { ADMIN_PATHS, ledgerAccountPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { LedgerAccount, TransactionResult } from '@stagedoor/contract/admin/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'react-router';
import { formatDayTime, formatExactTime } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { AmountRow, Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { DateRangeFields, formatAmount, formatUsername } from './parts.tsx';
import { KIND_OPTIONS, type LedgerFilters, platformAccountsQuery } from './queries.ts';

export function SearchFields({ filters }: { filters: LedgerFilters }) {
  return (
    <Form action={ADMIN_PATHS.adminLedger} className="ld__filters" key={JSON.stringify(filters)} role="search">
      <TextField
        className="ld__whole"
        label="Look up"
        name="q"
        type="search"
        autoComplete="off"
        defaultValue={filters.q ?? ''}
        hint="ID of a transaction, operation, sale, payout, deposit or user; payout or processor number; username."
      />
      <SelectField
        label="Type"
        name="kind"
        placeholder="Any type"
        options={KIND_OPTIONS}
        defaultValue={filters.kind ?? ''}
      />
      <TextField
        label="Amount"
        name="sum"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={filters.sum?.toFixed(2) ?? ''}
      />
      <DateRangeFields from={filters.from} to={filters.to} />
      <Button type="submit" variant="ink">
        Search
      </Button>
    </Form>
  );
}

export function AccountRows({ accounts, label }: { accounts: readonly LedgerAccount[]; label: string }) {
  return (
    <Rows closed label={label}>
      {accounts.map(({ code, label, owner, balance }) => (
        <Row
          key={code}
          href={ledgerAccountPath(code)}
          title={label}
          sub={owner ? formatUsername(owner.username) : code}
          end={<span className="num font-semibold">{formatAmount(balance)}</span>}
        />
      ))}
    </Rows>
  );
}

export function LedgerTransactionRows({ rows, now }: { rows: readonly TransactionResult[]; now: string }) {
  return (
    <Rows closed label="Transactions">
      {rows.map(({ id, at, title, amount, from, to }) => (
        <AmountRow
          key={id}
          href={ledgerTransactionPath(id)}
          title={title}
          sub={`${from.join(', ')} → ${to.join(', ')}`}
          amount={formatAmount(amount)}
          status={formatDayTime(at, now)}
        />
      ))}
    </Rows>
  );
}

export function SearchedUntil({ to }: { to: string | null | undefined }) {
  return to ? <p className="text-small text-muted">Searched back to {formatExactTime(to)}.</p> : null;
}

export function PlatformAccounts() {
  const query = useQuery(platformAccountsQuery());
  return (
    <section aria-labelledby="platform">
      <SectionHead id="platform" title="Platform accounts" />
      {query.data ? (
        <AccountRows accounts={query.data.data} label="Platform accounts" />
      ) : query.isError ? (
        <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </section>
  );
}
