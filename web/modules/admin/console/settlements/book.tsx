/** Books a settlement from the processor's statement and shows its total and the amount still owed. */
import { bookSettlement, settlementAmount } from '@stagedoor/contract/admin/settlements.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type FormEvent, useState } from 'react';
import { MoneyField } from '../../../../platform/money-field.tsx';
import { parsePrice } from '../../../../platform/price.ts';
import { Button } from '../../../../ui/button.tsx';
import { PriceSummary } from '../../../../ui/definition-list.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { SectionHead } from '../../../../ui/label.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatPlatformUsd, SETTLEMENT_ROUTES } from './rows.tsx';
import * as texts from './texts.ts';

const SUM_FIELDS = [
  { name: 'bank', label: texts.receivedAtBank, hint: texts.bankAmountHint },
  { name: 'fees', label: texts.processorFees, hint: texts.processorFeesHint },
  { name: 'chargebackFees', label: texts.chargebackFees, hint: '0 for none.' },
] as const;
type SettlementInput = Record<'reference' | 'day' | (typeof SUM_FIELDS)[number]['name'], string>;

function SettlementForm({ owed, today, onBooked }: { owed: number; today: string; onBooked: () => void }) {
  const [typed, setTyped] = useState<SettlementInput>({
    reference: '',
    day: '',
    bank: '',
    fees: '',
    chargebackFees: '',
  });
  const book = useAdminAction(bookSettlement, {
    invalidates: SETTLEMENT_ROUTES,
    successMessage: ({ reference, gross }) =>
      formatText(texts.settlementRecorded, { reference, gross: formatPlatformUsd(gross) }),
    onDone: onBooked,
  });
  const updateField = (name: keyof SettlementInput, text: string) => {
    book.reset();
    setTyped((before) => ({ ...before, [name]: text }));
  };
  const parsed = {
    bank: parsePrice(settlementAmount, typed.bank),
    fees: parsePrice(settlementAmount, typed.fees),
    chargebackFees: parsePrice(settlementAmount, typed.chargebackFees),
  };
  const isValid = Object.values(parsed).every(({ error: fieldError }) => fieldError === undefined);
  const gross =
    (Math.round(parsed.bank.usd * 100) +
      Math.round(parsed.fees.usd * 100) +
      Math.round(parsed.chargebackFees.usd * 100)) /
    100;
  const canBook = isValid && gross > 0 && typed.reference.trim() !== '' && typed.day !== '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    const sums = { bank: parsed.bank.usd, fees: parsed.fees.usd, chargebackFees: parsed.chargebackFees.usd };
    if (canBook) book.send({ body: { reference: typed.reference.trim(), day: typed.day, ...sums } });
  };
  if (!book.isAllowed) return null;
  return (
    <section aria-labelledby="book" className="grid gap-4">
      <SectionHead id="book" title={texts.recordSettlement} />
      <form className="grid gap-5" onSubmit={send}>
        <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
          <TextField
            label={texts.reference}
            hint={texts.referenceHint}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={60}
            value={typed.reference}
            onChange={(event) => updateField('reference', event.currentTarget.value)}
          />
          <TextField
            label={texts.bankDate}
            hint={texts.bankDateHint}
            type="date"
            max={today}
            value={typed.day}
            onChange={(event) => updateField('day', event.currentTarget.value)}
          />
          {SUM_FIELDS.map(({ name, label, hint }) => {
            const fieldError = typed[name].trim() === '' ? undefined : parsed[name].error;
            return (
              <MoneyField
                key={name}
                label={label}
                hint={hint}
                value={typed[name]}
                {...(fieldError !== undefined && { error: fieldError })}
                onChange={(event) => updateField(name, event.currentTarget.value)}
              />
            );
          })}
        </div>
        <PriceSummary
          live
          className="max-w-120"
          items={[
            { name: texts.owedToUsNow, value: formatPlatformUsd(owed) },
            { name: texts.thisSettlement, value: formatPlatformUsd(-gross) },
          ]}
          total={{ name: texts.owedAfterwards, value: formatPlatformUsd(owed - gross) }}
        />
        {book.error !== undefined && <InlineError message={book.error} />}
        <p>
          <Button type="submit" variant="primary" disabled={!canBook} busy={book.isPending} busyText={texts.recording}>
            {canBook ? formatText(texts.recordGross, { gross: formatPlatformUsd(gross) }) : texts.recordButton}
          </Button>
        </p>
      </form>
    </section>
  );
}

export function BookSettlement({ owed, today }: { owed: number; today: string }) {
  const [formKey, setFormKey] = useState(0);
  return <SettlementForm key={formKey} owed={owed} today={today} onBooked={() => setFormKey((before) => before + 1)} />;
}
