import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import {
  exportLedgerReconciliation,
  type LedgerTotals,
  type ProcessorBalance,
  type ProcessorDay,
} from '@stagedoor/contract/admin/ledger.ts';
import { useMutation } from '@tanstack/react-query';
import { Form } from 'react-router';
import { formatExactTime } from '../../../platform/dates.ts';
import { downloadFile } from '../../../platform/download.ts';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Table } from '../../../ui/table.tsx';
import { DateRangeFields, formatAmount } from './parts.tsx';

export function TotalsSection({ totals }: { totals: LedgerTotals }) {
  const toItems = (side: LedgerTotals['assets']) =>
    side.map(({ label, amount, accounts }) => ({
      name: accounts > 1 ? `${label} (${accounts.toLocaleString('en-US')})` : label,
      value: formatAmount(amount),
    }));
  const isBalanced = totals.assetsTotal === totals.liabilitiesTotal;
  return (
    <section aria-labelledby="totals" className="grid gap-4">
      <SectionHead id="totals" title="Assets and liabilities" end={formatExactTime(totals.at)} />
      <div className="ld__two">
        <PriceSummary
          items={toItems(totals.assets)}
          total={{ name: 'Assets and expenses', value: formatAmount(totals.assetsTotal) }}
        />
        <PriceSummary
          items={toItems(totals.liabilities)}
          total={{ name: 'Liabilities and revenue', value: formatAmount(totals.liabilitiesTotal) }}
        />
      </div>
      <p className="text-small text-muted">
        {isBalanced
          ? 'Both sides are equal. Numbers in parentheses count the accounts of a type.'
          : `The sides differ by ${formatAmount(totals.assetsTotal - totals.liabilitiesTotal)}. Run a check from Alerts.`}
      </p>
    </section>
  );
}

export function ProcessorBalanceSection({ balance }: { balance: ProcessorBalance }) {
  return (
    <section aria-labelledby="way" className="grid gap-4">
      <SectionHead id="way" title="What the processor owes us" />
      <div className="ld__two">
        <PriceSummary
          items={[
            { name: 'Paid in by card', value: formatAmount(balance.sold) },
            { name: 'Refunded', value: formatAmount(balance.refunded) },
            { name: 'Charged back', value: formatAmount(balance.chargedBack) },
            { name: 'Settled (paid out or kept as fees)', value: formatAmount(balance.settled) },
          ]}
          total={{ name: 'Owed by the processor', value: formatAmount(balance.owed) }}
        />
        <div className="grid content-start gap-3">
          <p className="text-small text-muted">
            The balance is in transit or held in reserve. Record settlements weekly to keep this up to date.
          </p>
          <p>
            <Button href={ADMIN_PATHS.adminSettlements}>Settlements</Button>
          </p>
        </div>
      </div>
    </section>
  );
}

function renderSides({ theirs, ours }: ProcessorDay['sold']) {
  return (
    <>
      <span className="block">{theirs === null ? 'Not fetched' : formatAmount(theirs)}</span>
      <span className="block font-normal text-muted">{formatAmount(ours)}</span>
    </>
  );
}

export function ProcessorDays({ days, from, to }: { days: readonly ProcessorDay[]; from: string; to: string }) {
  const saving = useMutation({
    mutationFn: () =>
      downloadFile(exportLedgerReconciliation, { query: { from, to } }, `stagedoor-reconciliation-${from}-${to}.csv`),
  });
  return (
    <section aria-labelledby="days" className="grid gap-4">
      <SectionHead id="days" title="Processor and ledger by day" />
      <Form action={ADMIN_PATHS.adminReconciliation} className="ld__filters" key={`${from} ${to}`}>
        <DateRangeFields from={from} to={to} />
        <Button type="submit">Show</Button>
        <Button icon="download" busy={saving.isPending} busyText="Exporting…" onClick={() => saving.mutate()}>
          Export CSV
        </Button>
      </Form>
      <div className="ld__scroll">
        <Table
          caption="Per day: the processor’s export, and the ledger’s amount below it"
          columns={[
            { head: 'Day' },
            { head: 'Sold' },
            { head: 'Refunded' },
            { head: 'Charged back' },
            { head: 'Discrepancies' },
          ]}
          rows={days.map((day) => ({
            key: day.day,
            cells: [
              <span key="day" className="num">
                {day.day}
              </span>,
              renderSides(day.sold),
              renderSides(day.refunded),
              renderSides(day.chargedBack),
              day.open + day.explained === 0 ? '0' : `${day.open} open, ${day.explained} explained`,
            ],
          }))}
        />
      </div>
      <p className="text-small text-muted">
        Top: the processor’s export for its day (Arizona time). Below: what the ledger recorded. Events received after
        midnight count for the next day here. That isn’t a discrepancy: sales are compared one by one.
      </p>
    </section>
  );
}
