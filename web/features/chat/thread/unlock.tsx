/**
 * The unlock button of a locked message. The purchase is never shown before the server confirms it. An unlocked message
 * keeps its height so that nothing moves under the finger that pressed.
 */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { purchaseChatMedia } from '@stagedoor/contract/chat.ts';
import type { Message } from '@stagedoor/contract/messages.ts';
import { getWallet, transactionHistory } from '@stagedoor/contract/wallet.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addFundsHref } from '../../../kernel/address.ts';
import { ApiError, hrefOf } from '../../../kernel/api-error.ts';
import { useStopped } from '../../../kernel/house.ts';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { routeKey } from '../../../kernel/query.ts';
import { takeBalance, useViewer } from '../../../kernel/session.ts';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { YoursDot } from '../../../ui/label.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { takeMessage } from '../cache.ts';
import { useParts } from '../parts.ts';

export function isLocked(message: Message, isOwn: boolean): boolean {
  return !isOwn && message.price > 0 && !message.isPurchased && !message.isRemoved;
}

export function Unlocked({ message, open }: { message: Message; open: ReactNode }) {
  const viewer = useViewer();
  const words = <YoursDot>{`Unlocked · ${formatUsd(message.price)}`}</YoursDot>;
  return (
    <div>
      {open || <p className="num flex min-h-11 items-center text-small">{words}</p>}
      <p className="num flex justify-between pt-2 text-small text-muted">
        <span>Balance {formatUsd(viewer?.deposit ?? 0)}</span>
        {open && words}
      </p>
      {message.isViewOnce && <OnceLine />}
    </div>
  );
}

function OnceLine() {
  return <p className="pt-2 text-small text-muted">You can view this once.</p>;
}

export function Unlock({ message, isNewest }: { message: Message; isNewest: boolean }) {
  const client = useQueryClient();
  const viewer = useViewer();
  const { base } = useParts();
  const stopped = useStopped('tips');
  const buy = useApiMutation(purchaseChatMedia, {
    showErrorMessage: false,
    onSuccess: ({ data, ...balance }) => {
      takeMessage(client, data);
      takeBalance(client, balance);
      for (const route of [getWallet, transactionHistory]) void client.invalidateQueries({ queryKey: routeKey(route) });
    },
  });
  if (viewer?.type !== 'customer') return null;
  const { price } = message;
  const left = Math.round((viewer.deposit - price) * 100) / 100;
  const isShort = left < 0 || (buy.error instanceof ApiError && buy.error.code === 'INSUFFICIENT_FUNDS');
  const variant = isNewest ? 'primary' : 'line';
  return (
    <div>
      {stopped !== undefined ? (
        <Button variant="line" wide disabled>
          Unlock · {formatUsd(price)}
        </Button>
      ) : isShort ? (
        <Button variant={variant} wide href={addFundsHref(-left, `${base}/${message.conversationId}`)}>
          Add funds to unlock
        </Button>
      ) : (
        <PriceButton
          wide
          variant={variant}
          verb="Unlock"
          price={formatUsd(price)}
          busy={buy.isPending}
          onClick={() => buy.mutate({ params: { id: message.id }, body: { price } })}
        />
      )}
      {stopped !== undefined && <p className="pt-2 text-small">{stopped}</p>}
      <p className="num flex justify-between pt-2 text-small text-muted">
        <span>Balance {formatUsd(viewer.deposit)}</span>
        <span>{isShort ? `Price ${formatUsd(price)}` : `Balance after: ${formatUsd(left)}`}</span>
      </p>
      {message.isViewOnce && <OnceLine />}
      {buy.error && !isShort && <Refusal message={buy.error.message} href={hrefOf(buy.error)} />}
    </div>
  );
}
