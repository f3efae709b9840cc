import type { Wallet } from '@stagedoor/contract/finance/wallet.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useId } from 'react';
import { useContactMail } from '../../../platform/contact-mail.ts';
import { formatDay } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';

export type WalletDebt = Pick<Wallet, 'owed' | 'parts' | 'blocked'>;

export function formatDebtTitle({ owed, blocked }: WalletDebt): string | undefined {
  if (owed > 0) return `Outstanding balance: ${formatUsd(owed)}${blocked === null ? '' : '. Spending is paused'}`;
  return blocked === null ? undefined : 'Spending is paused';
}

export function formatDebtMessage({ owed, blocked }: WalletDebt): string {
  if (owed === 0) return 'We’ve paused spending on this account. Your balance is safe. Contact support.';
  const explanation = 'A payment was reversed after you spent it. Funds you add pay this off first.';
  if (blocked === 'debt') return `${explanation} You can spend again once it’s paid off.`;
  if (blocked === 'operator') return `${explanation} We’ve also paused spending on this account. Contact support.`;
  return explanation;
}

export type DebtNoticeProps = {
  debt: WalletDebt;
  settleHref: string;
  /** An ISO timestamp. */
  now: string;
};

export function DebtNotice({ debt, settleHref, now }: DebtNoticeProps) {
  const id = useId();
  const mail = useContactMail();
  const title = formatDebtTitle(debt);
  if (title === undefined) return null;
  const canSettle = debt.owed > 0 && debt.blocked !== 'operator';
  return (
    <section aria-labelledby={id} className="mb-7 max-w-[620px] border-t-2 border-ink pt-4">
      <h2 id={id} className="display d4">
        {title}
      </h2>
      <p className="pt-2 pb-3">{formatDebtMessage(debt)}</p>
      {debt.parts.length > 0 && (
        <DefinitionList
          items={debt.parts.map(({ title: name, at, amount }) => ({
            name: `${name}, ${formatDay(at, now)}`,
            value: formatUsd(amount),
          }))}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-3">
        {canSettle && (
          <Button href={settleHref} aria-haspopup="dialog">
            Pay outstanding balance
          </Button>
        )}
        <Button
          variant={canSettle ? 'quiet' : 'line'}
          icon="mail"
          href={`mailto:${mail}?subject=Spending%20is%20paused`}
        >
          Contact support
        </Button>
      </div>
    </section>
  );
}
