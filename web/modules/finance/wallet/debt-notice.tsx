import type { Wallet } from '@stagedoor/contract/finance/wallet.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useId } from 'react';
import { useContactMail } from '../../../platform/contact-mail.ts';
import { formatDay } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import * as texts from './texts.ts';

export type WalletDebt = Pick<Wallet, 'owed' | 'parts' | 'blocked'>;

export function formatDebtTitle({ owed, blocked }: WalletDebt): string | undefined {
  if (owed > 0)
    return formatText(texts.outstandingBalance, {
      owed: formatUsd(owed),
      pausedNote: blocked === null ? '' : texts.spendingIsPausedNote,
    });
  return blocked === null ? undefined : texts.spendingIsPaused;
}

export function formatDebtMessage({ owed, blocked }: WalletDebt): string {
  if (owed === 0) return texts.spendingPausedExplanation;
  const explanation = texts.debtExplanation;
  if (blocked === 'debt') return formatText(texts.debtBlockedMessage, { explanation });
  if (blocked === 'operator') return formatText(texts.operatorBlockedMessage, { explanation });
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
            {texts.payOutstandingBalance}
          </Button>
        )}
        <Button
          variant={canSettle ? 'quiet' : 'line'}
          icon="mail"
          href={`mailto:${mail}?subject=Spending%20is%20paused`}
        >
          {texts.contactSupport}
        </Button>
      </div>
    </section>
  );
}
