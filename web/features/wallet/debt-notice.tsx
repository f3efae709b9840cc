import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Wallet } from '@stagedoor/contract/wallet.ts';
import { useId } from 'react';
import { useContactMail } from '../../kernel/contact.ts';
import { formatDay } from '../../kernel/dates.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/facts.tsx';

export type Debt = Pick<Wallet, 'owed' | 'parts' | 'blocked'>;

export function debtTitle({ owed, blocked }: Debt): string | undefined {
  if (owed > 0) return `You owe ${formatUsd(owed)}${blocked === null ? '' : '. Spending is blocked'}`;
  return blocked === null ? undefined : 'Spending is blocked';
}

export function debtWords({ owed, blocked }: Debt): string {
  if (owed === 0) return 'We have blocked spending on this account. Your balance stays yours. Please write to us.';
  const why = 'A payment was taken back after its balance had been spent. What you add goes there first';
  if (blocked === 'debt') return `${why}; with the last of it you can spend again.`;
  if (blocked === 'person') return `${why}. We have also blocked spending on this account: please write to us.`;
  return `${why}.`;
}

export type DebtNoticeProps = {
  debt: Debt;
  settleHref: string;
  /** An ISO timestamp. */
  now: string;
};

export function DebtNotice({ debt, settleHref, now }: DebtNoticeProps) {
  const id = useId();
  const mail = useContactMail();
  const title = debtTitle(debt);
  if (title === undefined) return null;
  const canSettle = debt.owed > 0 && debt.blocked !== 'person';
  return (
    <section aria-labelledby={id} className="mb-7 max-w-[620px] border-t-2 border-ink pt-4">
      <h2 id={id} className="display d4">
        {title}
      </h2>
      <p className="pt-2 pb-3">{debtWords(debt)}</p>
      {debt.parts.length > 0 && (
        <FactList
          facts={debt.parts.map(({ title: name, at, amount }) => ({
            name: `${name}, ${formatDay(at, now)}`,
            value: formatUsd(amount),
          }))}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-3">
        {canSettle && (
          <Button href={settleHref} aria-haspopup="dialog">
            Add what is owed
          </Button>
        )}
        <Button
          variant={canSettle ? 'quiet' : 'line'}
          icon="mail"
          href={`mailto:${mail}?subject=Spending%20is%20blocked`}
        >
          Write to us
        </Button>
      </div>
    </section>
  );
}
