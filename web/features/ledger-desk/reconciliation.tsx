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
      <SectionHead id="totals" title="What there is, and whose it is" end={formatExact(totals.at)} />
      <div className="ld__two">
        <Sum
          lines={lines(totals.have)}
          total={{ name: 'What we have and what it cost', value: figureText(totals.haveSum) }}
        />
        <Sum lines={lines(totals.owe)} total={{ name: 'Theirs, and our revenue', value: figureText(totals.oweSum) }} />
      </div>
      <p className="text-small text-muted">
        {isEven
          ? 'Both sides come to the same. In brackets: how many accounts there are of a kind.'
          : `The sides differ by ${figureText(totals.haveSum - totals.oweSum)}. Begin a check on the alarms’ page.`}
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
            { name: 'Given back', value: figureText(way.refunded) },
            { name: 'Charged back', value: figureText(way.chargedBack) },
            { name: 'Settled: paid out to us, or kept as fees', value: figureText(way.settled) },
          ]}
          total={{ name: 'Owed by the processor', value: figureText(way.owed) }}
        />
        <div className="grid content-start gap-3">
          <p className="text-small text-muted">
            What it owes is on its way or held in reserve. It shrinks when somebody books what came to the bank: once a
            week is enough.
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
      <span className="block">{theirs === null ? 'Not asked' : figureText(theirs)}</span>
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
      <SectionHead id="days" title="The processor and us, day by day" />
      <Form action={DESK_PATHS.adminReconciliation} className="ld__filters" key={`${from} ${to}`}>
        <DayFields from={from} to={to} />
        <Button type="submit">Show these days</Button>
        <Button icon="download" busy={saving.isPending} busyText="Saving…" onClick={() => saving.mutate()}>
          Save as CSV
        </Button>
      </Form>
      <div className="ld__scroll">
        <Table
          caption="Each day: what the processor exported, and under it what is booked here"
          columns={[
            { head: 'Day' },
            { head: 'Sold' },
            { head: 'Given back' },
            { head: 'Charged back' },
            { head: 'Differs' },
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
        Above, what the processor exported of its day (Arizona’s); beneath, what was booked here on it. What is told
        after midnight stands on the next day here and is no difference: those are found sale by sale.
      </p>
    </section>
  );
}
