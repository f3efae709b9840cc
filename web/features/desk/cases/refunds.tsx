import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { refundedWords } from '@stagedoor/contract/case-kinds.ts';
import { type CasePurchase, type CaseView, passCase } from '@stagedoor/contract/cases-desk.ts';
import { operatorMayDecide } from '@stagedoor/contract/operator-rights.ts';
import { type FormEvent, useState } from 'react';
import { useRoles } from '../../../kernel/operator.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { FORGET } from './queries.ts';

const leftOf = ({ amount, givenBack }: CasePurchase) => Math.round(amount * 100) - Math.round(givenBack * 100);

/** Purchases that the case is about are preselected. Others are selected by hand. */
export function useChosenSales({ purchases }: CaseView) {
  const open = purchases.filter(({ canGiveBack }) => canGiveBack);
  const [ids, setIds] = useState<ReadonlySet<string>>(
    () => new Set(open.filter(({ isOfThing }) => isOfThing).map(({ id }) => id)),
  );
  const chosen = open.filter(({ id }) => ids.has(id));
  const turn = (id: string) =>
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { open, chosen, turn };
}
export type ChosenSales = ReturnType<typeof useChosenSales>;

export function refundTold({ chosen }: ChosenSales, ground: string): string {
  const creators = [...new Set(chosen.map(({ creator }) => creator.username))];
  const sum = formatCents(chosen.reduce((cents, purchase) => cents + leftOf(purchase), 0));
  return refundedWords({ sum, creator: creators.join(', @') || '…', ground });
}

export function ChooseSales({ of: { open, chosen, turn } }: { of: ChosenSales }) {
  return (
    <fieldset>
      <legend className="case-head">Refund items</legend>
      {open.map((purchase) => (
        <label key={purchase.id} className="case-choice">
          <input
            type="checkbox"
            className="box"
            checked={chosen.includes(purchase)}
            onChange={() => turn(purchase.id)}
          />
          <span className="py-1.5">
            {purchase.title}, @{purchase.buyer.username} to @{purchase.creator.username}
          </span>
          <span className="num">{formatCents(leftOf(purchase))}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Routes a case to the operators who may refund, and from there back to its queue. */
export function PassPanel({ view, onPassed }: { view: CaseView; onPassed: () => void }) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const roles = useRoles();
  const pass = useDeskAct(passCase, {
    forget: FORGET,
    done: ({ reference, queue }) => `${reference} ${queue === 'refunds' ? 'sent to finance' : 'returned'}.`,
    onDone: () => {
      setOpen(false);
      setText('');
      onPassed();
    },
  });
  useStake(isOpen && text !== '', pass.isPending);
  const isForRefund = view.queue !== 'refunds';
  const hasSomething = view.purchases.some(({ canGiveBack }) => canGiveBack);
  if (
    !pass.may ||
    view.state === 'closed' ||
    (isForRefund && (!hasSomething || operatorMayDecide(roles, 'refund', false)))
  )
    return null;
  const label = isForRefund ? 'Send to finance' : 'Return to its queue';
  if (!isOpen)
    return (
      <div className="grid gap-2 border-t border-line pt-4">
        {isForRefund && <p className="text-small text-muted">Refunds are handled by finance.</p>}
        <Button className="w-fit" onClick={() => setOpen(true)}>
          {label}
        </Button>
      </div>
    );
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') pass.send({ params: { id: view.id }, body: { isForRefund, text } });
  };
  return (
    <form className="grid gap-3 border-t border-line pt-4" aria-label={label} onSubmit={send}>
      <TextAreaField
        label={isForRefund ? 'Note for finance' : 'Reason'}
        hint="Only staff can see this."
        rows={3}
        counter={CASES.noteLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {pass.error !== undefined && <Refusal message={pass.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="ink" disabled={text.trim() === ''} busy={pass.isPending} busyText="Sending…">
          {label}
        </Button>
        <Button variant="quiet" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
