import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import {
  type LedgerTotals,
  ledgerReconciliationFile,
  type ProcessorDay,
  type ProcessorWay,
} from '@stagedoor/contract/ledger-desk.ts';
import { useMutation } from '@tanstack/react-query';
import { Form } from 'react-router';
import { formatExact } from '../../kernel/dates.ts';
import { download } from '../../kernel/download.ts';
import { Button } from '../../ui/button.tsx';
import { Sum } from '../../ui/facts.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Table } from '../../ui/table.tsx';
import { DayFields, figureText } from './parts.tsx';

export function Totals({ totals }: { totals: LedgerTotals }) {
  const lines = (side: LedgerTotals['have']) =>
    side.map(({ words, amount, accounts }) => ({
      name: accounts > 1 ? `${words} (${accounts.toLocaleString('en-US')})` : words,
      value: figureText(amount),
    }));
  const isEven = totals.haveSum === totals.oweSum;
  return (
    <section aria-labelledby="totals" className="grid gap-4">
      <SectionHead id="totals" title="Assets and liabilities" end={formatExact(totals.at)} />
      <div className="ld__two">
        <Sum lines={lines(totals.have)} total={{ name: 'Assets and expenses', value: figureText(totals.haveSum) }} />
        <Sum lines={lines(totals.owe)} total={{ name: 'Liabilities and revenue', value: figureText(totals.oweSum) }} />
      </div>
      <p className="text-small text-muted">
        {isEven
          ? 'Both sides are equal. Numbers in parentheses count the accounts of a type.'
          : `The sides differ by ${figureText(totals.haveSum - totals.oweSum)}. Run a check from Alerts.`}
      </p>
    </section>
  );
}

export function Way({ way }: { way: ProcessorWay }) {
  return (
    <section aria-labelledby="way" className="grid gap-4">
      <SectionHead id="way" title="What the processor owes us" />
      <div className="ld__two">
        <Sum
          lines={[
            { name: 'Paid in by card', value: figureText(way.sold) },
            { name: 'Refunded', value: figureText(way.refunded) },
            { name: 'Charged back', value: figureText(way.chargedBack) },
            { name: 'Settled (paid out or kept as fees)', value: figureText(way.settled) },
          ]}
          total={{ name: 'Owed by the processor', value: figureText(way.owed) }}
        />
        <div className="grid content-start gap-3">
          <p className="text-small text-muted">
            The balance is in transit or held in reserve. Record settlements weekly to keep this up to date.
          </p>
          <p>
            <Button href={DESK_PATHS.adminSettlements}>Settlements</Button>
          </p>
        </div>
      </div>
    </section>
  );
}

function sides({ theirs, ours }: ProcessorDay['sold']) {
  return (
    <>
      <span className="block">{theirs === null ? 'Not fetched' : figureText(theirs)}</span>
      <span className="block font-normal text-muted">{figureText(ours)}</span>
    </>
  );
}

export function ProcessorDays({ days, from, to }: { days: readonly ProcessorDay[]; from: string; to: string }) {
  const saving = useMutation({
    mutationFn: () =>
      download(ledgerReconciliationFile, { query: { from, to } }, `stagedoor-reconciliation-${from}-${to}.csv`),
  });
  return (
    <section aria-labelledby="days" className="grid gap-4">
      <SectionHead id="days" title="Processor and ledger by day" />
      <Form action={DESK_PATHS.adminReconciliation} className="ld__filters" key={`${from} ${to}`}>
        <DayFields from={from} to={to} />
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
              sides(day.sold),
              sides(day.refunded),
              sides(day.chargedBack),
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
