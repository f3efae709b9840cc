import { ledgerAccountPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { getLedgerAccountStatement } from '@stagedoor/contract/admin/ledger.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { Form } from 'react-router';
import { formatDayTime } from '../../../platform/dates.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Table } from '../../../ui/table.tsx';
import { DateRangeFields, formatAmount, formatSignedAmount } from './parts.tsx';
import { KIND_OPTIONS, type LedgerFilters } from './queries.ts';
import * as texts from './texts.ts';

type Page = ResponseOf<typeof getLedgerAccountStatement>;

export function StatementFields({
  code,
  filters,
  hasLines,
}: {
  code: string;
  filters: LedgerFilters;
  hasLines: boolean;
}) {
  return (
    <Form action={ledgerAccountPath(code)} className="ld__filters" key={JSON.stringify(filters)} role="search">
      <SelectField
        label={texts.type}
        name="kind"
        placeholder={texts.anyType}
        options={KIND_OPTIONS}
        defaultValue={filters.kind ?? ''}
      />
      {hasLines && <MoneyField label={texts.amount} name="sum" defaultValue={filters.sum?.toFixed(2) ?? ''} />}
      <DateRangeFields from={filters.from} to={filters.to} />
      <Button type="submit">{texts.filter}</Button>
    </Form>
  );
}

export function StatementTable({ pages, now }: { pages: readonly Page[]; now: string }) {
  return (
    <Table
      caption={texts.statement}
      columns={[{ head: texts.description }, { head: texts.amount }, { head: texts.balanceAfter }]}
      rows={pages
        .flatMap(({ data }) => data)
        .map(({ id, at, title, amount, balance }) => ({
          key: id,
          cells: [
            <span key="what">
              <UiLink href={ledgerTransactionPath(id)} className="link">
                {title}
              </UiLink>
              <span className="block text-small font-normal text-muted">{formatDayTime(at, now)}</span>
            </span>,
            formatSignedAmount(amount),
            balance === null ? '' : formatAmount(balance),
          ],
        }))}
    />
  );
}
