import { getWallet } from '@stagedoor/contract/finance/wallet.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { apiQuery } from '../../../platform/query.ts';
import { updateBalance, useViewer } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { DebtNotice } from './debt-notice.tsx';
import * as texts from './texts.ts';

/** The response also updates the viewer's balance. */
export const walletQuery = () =>
  apiQuery(getWallet, {}, (wallet, client) => {
    updateBalance(client, { deposit: wallet.available, depositRevision: wallet.depositRevision });
    return wallet;
  });

function BigBalance({ amount }: { amount: number }) {
  const text = formatUsd(amount);
  const signs: CSSProperties & { '--signs': number } = { '--signs': text.length };
  return (
    <p
      style={signs}
      className="display num text-[min(clamp(56px,6.5vw,92px),(100vw-2*var(--edge))*1.65/var(--signs))] leading-none tracking-[-0.045em]"
    >
      {text}
    </p>
  );
}

/** The balance is what is available and what is held for a call. Every page that names it shows all three. */
export function WalletFigures() {
  const viewer = useViewer();
  const wallet = useQuery(walletQuery()).data;
  const available = viewer?.deposit ?? 0;
  const held = wallet?.held ?? 0;
  return (
    <>
      <BigBalance amount={Math.round((available + held) * 100) / 100} />
      <p className="num flex flex-wrap gap-x-6 pt-3 text-small text-muted">
        <span>{formatText(texts.availableBalance, { amount: formatUsd(available) })}</span>
        <span>{formatText(texts.heldBalance, { amount: formatUsd(held) })}</span>
      </p>
    </>
  );
}

export type BalanceHeadProps = {
  creditsHref: string;
  dollarsHref: string;
  /** An ISO timestamp. */
  now: string;
};

export function BalanceHead({ creditsHref, dollarsHref, now }: BalanceHeadProps) {
  const wallet = useQuery(walletQuery()).data;
  return (
    <header className="pt-7 lg:pt-12">
      <h1 className="display d4 mb-2">{texts.wallet}</h1>
      <div className="pb-6">
        <WalletFigures />
      </div>
      {wallet && <DebtNotice debt={wallet} settleHref={dollarsHref} now={now} />}
      {wallet?.blocked !== 'operator' && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button variant="ink" href={creditsHref} aria-haspopup="dialog">
            {texts.addFunds}
          </Button>
          <Button variant="quiet" className="whitespace-normal" href={dollarsHref} aria-haspopup="dialog">
            {texts.customAmountInDollars}
          </Button>
        </div>
      )}
    </header>
  );
}
