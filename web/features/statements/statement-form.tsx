import type { earningsStatement, StatementFormat, walletStatement } from '@stagedoor/contract/statements.ts';
import { daysOf, STATEMENT_PERIODS, type StatementPeriod } from '@stagedoor/contract/statements.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { download } from '../../kernel/download.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';

const OWN_DAYS = 'own-days';
const NAMES: Record<StatementPeriod, string> = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
};
const OPTIONS = [
  ...STATEMENT_PERIODS.map((value) => ({ value, label: NAMES[value] })),
  { value: OWN_DAYS, label: 'Custom range' },
];

export type StatementFormProps = {
  route: typeof walletStatement | typeof earningsStatement;
  of: 'wallet' | 'earnings';
  /** An ISO timestamp. */
  now: string;
};

function complaintOf({ from, to }: { from: string; to: string }): string | undefined {
  if (from === '' || to === '') return 'Choose a date';
  return from > to ? 'End date is before start date' : undefined;
}

export function StatementForm({ route, of, now }: StatementFormProps) {
  const [period, setPeriod] = useState<string>('this-month');
  const [own, setOwn] = useState(() => daysOf('this-month', now));
  const preset = oneOf(STATEMENT_PERIODS, period);
  const days = preset ? daysOf(preset, now) : own;
  const complaint = complaintOf(days);
  // The second click of a double click arrives before the button is rendered as busy.
  const isMaking = useRef(false);
  const making = useMutation({
    mutationFn: async (format: StatementFormat) => {
      const name = `stagedoor-${of}-${days.from}-to-${days.to}.${format}`;
      await download(route, { query: { ...days, format } }, name);
      await showToast('Statement downloaded.', 'success');
    },
    onSettled: () => {
      isMaking.current = false;
    },
  });
  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    const format = button?.getAttribute('value') === 'csv' ? 'csv' : 'pdf';
    if (isMaking.current || complaint) return;
    isMaking.current = true;
    making.mutate(format);
  };
  const button = (format: StatementFormat, words: string) => (
    <Button
      type="submit"
      name="format"
      value={format}
      icon="download"
      aria-label={`Download statement as ${words}`}
      busy={making.isPending && making.variables === format}
      disabled={making.isPending && making.variables !== format}
      busyText="Generating…"
    >
      {words}
    </Button>
  );
  return (
    <section aria-labelledby="statement">
      <SectionHead id="statement" title="Statement" />
      <form className="flex flex-wrap items-start gap-3" onSubmit={make}>
        <SelectField
          className="w-full sm:w-44"
          label="Period"
          options={OPTIONS}
          value={period}
          onChange={(event) => setPeriod(event.currentTarget.value)}
        />
        {!preset && (
          <div className="grid w-full grid-cols-2 gap-3 sm:w-91">
            <TextField
              className="min-w-0"
              label="From"
              type="date"
              required
              value={own.from}
              onChange={(event) => setOwn({ ...own, from: event.currentTarget.value })}
            />
            <TextField
              className="min-w-0"
              label="To"
              type="date"
              required
              value={own.to}
              error={complaint}
              onChange={(event) => setOwn({ ...own, to: event.currentTarget.value })}
            />
          </div>
        )}
        <div className="flex flex-wrap gap-3 sm:pt-7.5">
          {button('pdf', 'PDF')}
          {button('csv', 'CSV')}
        </div>
      </form>
      <p className="pt-3 text-small text-muted">
        All transactions with fees and running balance. Dates are in UTC and inclusive.
      </p>
    </section>
  );
}
