import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import {
  exportLedgerReconciliation,
  type LedgerTotals,
  type ProcessorBalance,
  type ProcessorDay,
} from '@stagedoor/contract/admin/ledger.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useMutation } from '@tanstack/react-query';
import { Form } from 'react-router';
import { formatExactTime } from '../../../platform/dates.ts';
import { downloadFile } from '../../../platform/download.ts';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Table } from '../../../ui/table.tsx';
import { DateRangeFields, formatAmount } from './parts.tsx';
import * as texts from './texts.ts';

export function TotalsSection({ totals }: { totals: LedgerTotals }) {
  const toItems = (side: LedgerTotals['assets']) =>
    side.map(({ label, amount, accounts }) => ({
      name: accounts > 1 ? `${label} (${accounts.toLocaleString('en-US')})` : label,
      value: formatAmount(amount),
    }));
  const isBalanced = totals.assetsTotal === totals.liabilitiesTotal;
  return (
    <section aria-labelledby="totals" className="grid gap-4">
      <SectionHead id="totals" title={texts.assetsAndLiabilities} end={formatExactTime(totals.at)} />
      <div className="ld__two">
        <PriceSummary
          items={toItems(totals.assets)}
          total={{ name: texts.assetsAndExpenses, value: formatAmount(totals.assetsTotal) }}
        />
        <PriceSummary
          items={toItems(totals.liabilities)}
          total={{ name: texts.liabilitiesAndRevenue, value: formatAmount(totals.liabilitiesTotal) }}
        />
      </div>
      <p className="text-small text-muted">
        {isBalanced
          ? texts.equalSidesHint
          : formatText(texts.unequalSidesHint, {
              difference: formatAmount(totals.assetsTotal - totals.liabilitiesTotal),
            })}
      </p>
    </section>
  );
}

export function ProcessorBalanceSection({ balance }: { balance: ProcessorBalance }) {
  return (
    <section aria-labelledby="way" className="grid gap-4">
      <SectionHead id="way" title={texts.whatTheProcessorOwesUs} />
      <div className="ld__two">
        <PriceSummary
          items={[
            { name: texts.paidInByCard, value: formatAmount(balance.sold) },
            { name: 'Refunded', value: formatAmount(balance.refunded) },
            { name: texts.chargedBack, value: formatAmount(balance.chargedBack) },
            { name: texts.settled, value: formatAmount(balance.settled) },
          ]}
          total={{ name: texts.owedByTheProcessor, value: formatAmount(balance.owed) }}
        />
        <div className="grid content-start gap-3">
          <p className="text-small text-muted">{texts.processorBalanceHint}</p>
          <p>
            <Button href={ADMIN_PATHS.adminSettlements}>{texts.settlements}</Button>
          </p>
        </div>
      </div>
    </section>
  );
}

function renderSides({ theirs, ours }: ProcessorDay['sold']) {
  return (
    <>
      <span className="block">{theirs === null ? texts.notFetched : formatAmount(theirs)}</span>
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
      <SectionHead id="days" title={texts.processorAndLedgerByDay} />
      <Form action={ADMIN_PATHS.adminReconciliation} className="ld__filters" key={`${from} ${to}`}>
        <DateRangeFields from={from} to={to} />
        <Button type="submit">{texts.show}</Button>
        <Button icon="download" busy={saving.isPending} busyText={texts.exporting} onClick={() => saving.mutate()}>
          {texts.exportCsv}
        </Button>
      </Form>
      <div className="ld__scroll">
        <Table
          caption={texts.processorByDayCaption}
          columns={[
            { head: texts.day },
            { head: texts.sold },
            { head: texts.refunded },
            { head: texts.chargedBack },
            { head: texts.discrepancies },
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
              day.open + day.explained === 0
                ? '0'
                : formatText(texts.openAndExplained, { openCount: day.open, explainedCount: day.explained }),
            ],
          }))}
        />
      </div>
      <p className="text-small text-muted">{texts.processorByDayHint}</p>
    </section>
  );
}
