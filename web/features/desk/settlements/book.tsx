/** Books a settlement from the processor's statement and shows its total and the amount still owed. */
import { bookSettlement, settledSum } from '@stagedoor/contract/settlements.ts';
import { type FormEvent, useState } from 'react';
import { readPrice } from '../../../kernel/price.ts';
import { Button } from '../../../ui/button.tsx';
import { Sum } from '../../../ui/facts.tsx';
import { TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { houseText, MOVED_BY_SETTLEMENT } from './rows.tsx';

const SUMS = [
  { name: 'bank', label: 'Received at bank', hint: 'As on the bank statement' },
  { name: 'fees', label: 'Processor fees', hint: 'Kept by the processor. 0 for none.' },
  { name: 'chargebackFees', label: 'Chargeback fees', hint: '0 for none.' },
] as const;
type Typed = Record<'reference' | 'day' | (typeof SUMS)[number]['name'], string>;

function Form({ owed, today, onBooked }: { owed: number; today: string; onBooked: () => void }) {
  const [typed, setTyped] = useState<Typed>({ reference: '', day: '', bank: '', fees: '', chargebackFees: '' });
  const book = useDeskAct(bookSettlement, {
    forget: MOVED_BY_SETTLEMENT,
    done: ({ reference, gross }) => `${reference} recorded. The processor owes us ${houseText(gross)} less.`,
    onDone: onBooked,
  });
  const type = (name: keyof Typed, text: string) => {
    book.reset();
    setTyped((before) => ({ ...before, [name]: text }));
  };
  const read = {
    bank: readPrice(settledSum, typed.bank),
    fees: readPrice(settledSum, typed.fees),
    chargebackFees: readPrice(settledSum, typed.chargebackFees),
  };
  const isSound = Object.values(read).every(({ complaint }) => complaint === undefined);
  const gross =
    (Math.round(read.bank.usd * 100) + Math.round(read.fees.usd * 100) + Math.round(read.chargebackFees.usd * 100)) /
    100;
  const mayNow = isSound && gross > 0 && typed.reference.trim() !== '' && typed.day !== '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    const sums = { bank: read.bank.usd, fees: read.fees.usd, chargebackFees: read.chargebackFees.usd };
    if (mayNow) book.send({ body: { reference: typed.reference.trim(), day: typed.day, ...sums } });
  };
  if (!book.may) return null;
  return (
    <section aria-labelledby="book" className="grid gap-4">
      <SectionHead id="book" title="Record settlement" />
      <form className="grid gap-5" onSubmit={send}>
        <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
          <TextField
            label="Reference"
            hint="From the processor’s statement"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={60}
            value={typed.reference}
            onChange={(event) => type('reference', event.currentTarget.value)}
          />
          <TextField
            label="Bank date"
            hint="The date on the bank statement"
            type="date"
            max={today}
            value={typed.day}
            onChange={(event) => type('day', event.currentTarget.value)}
          />
          {SUMS.map(({ name, label, hint }) => {
            const complaint = typed[name].trim() === '' ? undefined : read[name].complaint;
            return (
              <TextField
                key={name}
                label={label}
                hint={hint}
                prefix="$"
                inputMode="decimal"
                autoComplete="off"
                value={typed[name]}
                {...(complaint !== undefined && { error: complaint })}
                onChange={(event) => type(name, event.currentTarget.value)}
              />
            );
          })}
        </div>
        <Sum
          live
          className="max-w-120"
          lines={[
            { name: 'Owed to us now', value: houseText(owed) },
            { name: 'This settlement', value: houseText(-gross) },
          ]}
          total={{ name: 'Owed afterwards', value: houseText(owed - gross) }}
        />
        {book.error !== undefined && <Refusal message={book.error} />}
        <p>
          <Button type="submit" variant="primary" disabled={!mayNow} busy={book.isPending} busyText="Recording…">
            {mayNow ? `Record ${houseText(gross)}` : 'Record'}
          </Button>
        </p>
      </form>
    </section>
  );
}

export function BookSettlement({ owed, today }: { owed: number; today: string }) {
  const [round, setRound] = useState(0);
  return <Form key={round} owed={owed} today={today} onBooked={() => setRound((before) => before + 1)} />;
}
