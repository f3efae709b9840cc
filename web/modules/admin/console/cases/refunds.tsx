import { type CasePurchase, type CaseView, routeCase } from '@stagedoor/contract/admin/cases.ts';
import { canOperatorDecide } from '@stagedoor/contract/admin/operator-rights.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatBuyerRefund } from '@stagedoor/contract/trust/case-kinds.ts';
import { type FormEvent, useState } from 'react';
import { useRoles } from '../../../../platform/operator.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextAreaField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { CASE_ROUTES } from './queries.ts';
import * as texts from './texts.ts';

const getRefundableCents = ({ amount, refunded }: CasePurchase) =>
  Math.round(amount * 100) - Math.round(refunded * 100);

/** Purchases that the case is about are preselected. Others are selected by hand. */
export function useChosenSales({ purchases }: CaseView) {
  const refundable = purchases.filter(({ canRefund }) => canRefund);
  const [ids, setIds] = useState<ReadonlySet<string>>(
    () => new Set(refundable.filter(({ isForContent }) => isForContent).map(({ id }) => id)),
  );
  const chosen = refundable.filter(({ id }) => ids.has(id));
  const toggle = (id: string) =>
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { refundable, chosen, toggle };
}
export type ChosenSales = ReturnType<typeof useChosenSales>;

export function previewRefundNotice({ chosen }: ChosenSales, reason: string): string {
  const creators = [...new Set(chosen.map(({ creator }) => creator.username))];
  const sum = formatCents(chosen.reduce((cents, purchase) => cents + getRefundableCents(purchase), 0));
  return formatBuyerRefund({ sum, creator: creators.join(', @') || '…', reason });
}

export function ChooseSales({ selection: { refundable, chosen, toggle } }: { selection: ChosenSales }) {
  return (
    <fieldset>
      <legend className="case-head">{texts.refundItems}</legend>
      {refundable.map((purchase) => (
        <label key={purchase.id} className="case-choice">
          <input
            type="checkbox"
            className="box"
            checked={chosen.includes(purchase)}
            onChange={() => toggle(purchase.id)}
          />
          <span className="py-1.5">
            {formatText(texts.purchaseBetween, {
              title: purchase.title,
              buyer: purchase.buyer.username,
              creator: purchase.creator.username,
            })}
          </span>
          <span className="num">{formatCents(getRefundableCents(purchase))}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Routes a case to the operators who may refund, and from there back to its queue. */
export function RoutePanel({ view, onRouted }: { view: CaseView; onRouted: () => void }) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const roles = useRoles();
  const route = useAdminAction(routeCase, {
    invalidates: CASE_ROUTES,
    successMessage: ({ reference, queue }) => `${reference} ${queue === 'refunds' ? texts.sentToFinance : 'returned'}.`,
    onDone: () => {
      setOpen(false);
      setText('');
      onRouted();
    },
  });
  useUnsavedChanges(isOpen && text !== '', route.isPending);
  const isForRefund = view.queue !== 'refunds';
  const hasRefundable = view.purchases.some(({ canRefund }) => canRefund);
  if (
    !route.isAllowed ||
    view.state === 'closed' ||
    (isForRefund && (!hasRefundable || canOperatorDecide(roles, 'refund', false)))
  )
    return null;
  const label = isForRefund ? texts.sendToFinance : texts.returnToItsQueue;
  if (!isOpen)
    return (
      <div className="grid gap-2 border-t border-line pt-4">
        {isForRefund && <p className="text-small text-muted">{texts.refundsHandledByFinance}</p>}
        <Button className="w-fit" onClick={() => setOpen(true)}>
          {label}
        </Button>
      </div>
    );
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') route.send({ params: { id: view.id }, body: { isForRefund, text } });
  };
  return (
    <form className="grid gap-3 border-t border-line pt-4" aria-label={label} onSubmit={send}>
      <TextAreaField
        label={isForRefund ? texts.noteForFinance : texts.reason}
        hint={texts.onlyStaffCanSeeThis}
        rows={3}
        counter={CASE_LIMITS.noteLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {route.error !== undefined && <InlineError message={route.error} />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="ink"
          disabled={text.trim() === ''}
          busy={route.isPending}
          busyText={texts.sending}
        >
          {label}
        </Button>
        <Button variant="quiet" onClick={() => setOpen(false)}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
