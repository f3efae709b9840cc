/**
 * The unlock button of a locked message. The purchase is never shown before the server confirms it. An unlocked message
 * keeps its height so that nothing moves under the finger that pressed.
 */

import { getTransactionHistory, getWallet } from '@stagedoor/contract/finance/wallet.ts';
import { purchaseChatMedia } from '@stagedoor/contract/messaging/chat.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addFundsHref } from '../../../../platform/address.ts';
import { findErrorHref } from '../../../../platform/api-error.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { routeKey } from '../../../../platform/query.ts';
import { useLeavingLinkProps } from '../../../../platform/running-call.ts';
import { updateBalance, useViewer } from '../../../../platform/session.ts';
import { useFeatureDisabledMessage } from '../../../../platform/site-status.ts';
import { SpendingBoundNote, usePurchaseObstacle } from '../../../../platform/spending-bound.tsx';
import { Button, PriceButton } from '../../../../ui/button.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { OwnedDot } from '../../../../ui/label.tsx';
import { applyMessage } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import * as texts from '../texts.ts';

export function isLocked(message: Message, isOwn: boolean): boolean {
  return !isOwn && message.price > 0 && !message.isPurchased && !message.isRemoved;
}

export function UnlockedSummary({ message, open }: { message: Message; open: ReactNode }) {
  const viewer = useViewer();
  const label = <OwnedDot>{formatText(texts.unlockedFor, { price: formatUsd(message.price) })}</OwnedDot>;
  return (
    <div>
      {open || <p className="num flex min-h-11 items-center text-small">{label}</p>}
      <p className="num flex justify-between pt-2 text-small text-muted">
        <span>{formatText(texts.balanceAmount, { balance: formatUsd(viewer?.deposit ?? 0) })}</span>
        {open && label}
      </p>
      {message.isViewOnce && <ViewOnceNote />}
    </div>
  );
}

function ViewOnceNote() {
  return <p className="pt-2 text-small text-muted">{texts.viewOnceNotice}</p>;
}

export function UnlockMessageButton({ message, isNewest }: { message: Message; isNewest: boolean }) {
  const client = useQueryClient();
  const viewer = useViewer();
  const { base } = useChatContext();
  const disabledMessage = useFeatureDisabledMessage('tips');
  const buy = useApiMutation(purchaseChatMedia, {
    showErrorMessage: false,
    onSuccess: ({ data, ...balance }) => {
      applyMessage(client, data);
      updateBalance(client, balance);
      for (const route of [getWallet, getTransactionHistory])
        void client.invalidateQueries({ queryKey: routeKey(route) });
    },
  });
  const { price } = message;
  const { bound, obstacle } = usePurchaseObstacle(price, viewer?.deposit ?? price, buy.error);
  const leavingLink = useLeavingLinkProps();
  if (viewer?.type !== 'customer') return null;
  const balanceAfter = Math.round((viewer.deposit - price) * 100) / 100;
  const variant = isNewest ? 'primary' : 'line';
  return (
    <div>
      {disabledMessage !== undefined ? (
        <Button variant="line" wide disabled>
          {formatText(texts.unlockFor, { price: formatUsd(price) })}
        </Button>
      ) : obstacle === 'balance' ? (
        <Button
          variant={variant}
          wide
          href={addFundsHref(-balanceAfter, `${base}/${message.conversationId}`)}
          {...leavingLink}
        >
          {texts.addFundsToUnlock}
        </Button>
      ) : (
        <PriceButton
          wide
          variant={variant}
          verb={texts.unlock}
          price={formatUsd(price)}
          busy={buy.isPending}
          disabled={obstacle === 'limit'}
          onClick={() => buy.mutate({ params: { id: message.id }, body: { price } })}
        />
      )}
      {disabledMessage !== undefined && <p className="pt-2 text-small">{disabledMessage}</p>}
      <p className="num flex justify-between pt-2 text-small text-muted">
        <span>{formatText(texts.balanceAmount, { balance: formatUsd(viewer.deposit) })}</span>
        <span>
          {obstacle
            ? formatText(texts.priceLabel, { price: formatUsd(price) })
            : formatText(texts.balanceAfterPurchase, { balance: formatUsd(balanceAfter) })}
        </span>
      </p>
      {message.isViewOnce && <ViewOnceNote />}
      {disabledMessage === undefined && obstacle === 'limit' && bound && <SpendingBoundNote bound={bound} />}
      {buy.error && !obstacle && <InlineError message={buy.error.message} href={findErrorHref(buy.error)} />}
    </div>
  );
}
