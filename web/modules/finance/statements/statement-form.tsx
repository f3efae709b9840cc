import type {
  downloadEarningsStatement,
  downloadWalletStatement,
  StatementFormat,
} from '@stagedoor/contract/finance/statements.ts';
import { STATEMENT_PERIODS, type StatementPeriod, toDateRange } from '@stagedoor/contract/finance/statements.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { downloadFile } from '../../../platform/download.ts';
import { showToast } from '../../../platform/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import * as texts from './texts.ts';

const CUSTOM_DAYS = 'own-days';
const NAMES: Record<StatementPeriod, string> = {
  'this-month': texts.thisMonth,
  'last-month': texts.lastMonth,
  'this-year': texts.thisYear,
};
const OPTIONS = [
  ...STATEMENT_PERIODS.map((value) => ({ value, label: NAMES[value] })),
  { value: CUSTOM_DAYS, label: texts.customRange },
];

export type StatementFormProps = {
  route: typeof downloadWalletStatement | typeof downloadEarningsStatement;
  kind: 'wallet' | 'earnings';
  /** An ISO timestamp. */
  now: string;
};

function findPeriodError({ from, to }: { from: string; to: string }): string | undefined {
  if (from === '' || to === '') return texts.chooseADate;
  return from > to ? texts.endBeforeStartError : undefined;
}

export function StatementForm({ route, kind, now }: StatementFormProps) {
  const [period, setPeriod] = useState<string>('this-month');
  const [customDays, setCustomDays] = useState(() => toDateRange('this-month', now));
  const preset = parseOption(STATEMENT_PERIODS, period);
  const days = preset ? toDateRange(preset, now) : customDays;
  const error = findPeriodError(days);
  // The second click of a double click arrives before the button is rendered as busy.
  const isSaving = useRef(false);
  const saving = useMutation({
    mutationFn: async (format: StatementFormat) => {
      const name = `stagedoor-${kind}-${days.from}-to-${days.to}.${format}`;
      await downloadFile(route, { query: { ...days, format } }, name);
      await showToast(texts.statementDownloaded, 'success');
    },
    onSettled: () => {
      isSaving.current = false;
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    const format = button?.getAttribute('value') === 'csv' ? 'csv' : 'pdf';
    if (isSaving.current || error) return;
    isSaving.current = true;
    saving.mutate(format);
  };
  const renderButton = (format: StatementFormat, label: string) => (
    <Button
      type="submit"
      name="format"
      value={format}
      icon="download"
      aria-label={formatText(texts.downloadStatementAs, { format: label })}
      busy={saving.isPending && saving.variables === format}
      disabled={saving.isPending && saving.variables !== format}
      busyText={texts.generating}
    >
      {label}
    </Button>
  );
  return (
    <section aria-labelledby="statement">
      <SectionHead id="statement" title={texts.statement} />
      <form className="flex flex-wrap items-start gap-3" onSubmit={submit}>
        <SelectField
          className="w-full sm:w-44"
          label={texts.period}
          options={OPTIONS}
          value={period}
          onChange={(event) => setPeriod(event.currentTarget.value)}
        />
        {!preset && (
          <div className="grid w-full grid-cols-2 gap-3 sm:w-91">
            <TextField
              className="min-w-0"
              label={texts.fromDate}
              type="date"
              required
              value={customDays.from}
              onChange={(event) => setCustomDays({ ...customDays, from: event.currentTarget.value })}
            />
            <TextField
              className="min-w-0"
              label={texts.toDate}
              type="date"
              required
              value={customDays.to}
              error={error}
              onChange={(event) => setCustomDays({ ...customDays, to: event.currentTarget.value })}
            />
          </div>
        )}
        <div className="flex flex-wrap gap-3 sm:pt-7.5">
          {renderButton('pdf', 'PDF')}
          {renderButton('csv', 'CSV')}
        </div>
      </form>
      <p className="pt-3 text-small text-muted">{texts.statementDescription}</p>
    </section>
  );
}
