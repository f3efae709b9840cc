import { ADMIN_PATHS, ledgerAccountPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { LedgerAccount, TransactionResult } from '@stagedoor/contract/admin/ledger.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'react-router';
import { formatDayTime, formatExactTime } from '../../../platform/dates.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { AmountRow, Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { DateRangeFields, formatAmount, formatUsername } from './parts.tsx';
import { KIND_OPTIONS, type LedgerFilters, platformAccountsQuery } from './queries.ts';
import * as texts from './texts.ts';

export function SearchFields({ filters }: { filters: LedgerFilters }) {
  return (
    <Form action={ADMIN_PATHS.adminLedger} className="ld__filters" key={JSON.stringify(filters)} role="search">
      <TextField
        className="ld__whole"
        label={texts.lookUp}
        name="q"
        type="search"
        autoComplete="off"
        defaultValue={filters.q ?? ''}
        hint={texts.lookUpHint}
      />
      <SelectField
        label={texts.type}
        name="kind"
        placeholder={texts.anyType}
        options={KIND_OPTIONS}
        defaultValue={filters.kind ?? ''}
      />
      <MoneyField label={texts.amount} name="sum" defaultValue={filters.sum?.toFixed(2) ?? ''} />
      <DateRangeFields from={filters.from} to={filters.to} />
      <Button type="submit" variant="ink">
        {texts.search}
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
    <Rows closed label={texts.transactions}>
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
  return to ? (
    <p className="text-small text-muted">{formatText(texts.searchedBackToTime, { time: formatExactTime(to) })}</p>
  ) : null;
}

export function PlatformAccounts() {
  const query = useQuery(platformAccountsQuery());
  return (
    <section aria-labelledby="platform">
      <SectionHead id="platform" title={texts.platformAccounts} />
      {query.data ? (
        <AccountRows accounts={query.data.data} label={texts.platformAccounts} />
      ) : query.isError ? (
        <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </section>
  );
}
