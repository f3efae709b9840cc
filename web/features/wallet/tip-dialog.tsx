import { TIP_NOTE_LENGTH } from '@stagedoor/contract/atoms/limits.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { getGoal } from '@stagedoor/contract/goals.ts';
import { getWallet, sendTip, transactionHistory } from '@stagedoor/contract/wallet.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addFundsHref } from '../../kernel/address.ts';
import { ApiError, hrefOf } from '../../kernel/api-error.ts';
import { isolated } from '../../kernel/bidi.ts';
import { useStopped } from '../../kernel/house.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { readPrice } from '../../kernel/price.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { usePriceRule } from '../../kernel/price-rule.ts';
import { routeKey } from '../../kernel/query.ts';
import { takeBalance } from '../../kernel/session.ts';
import { Button, PriceButton } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chips.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Banner } from '../../ui/states.tsx';
import type { TipTarget } from './tip-button.tsx';

const READY = [5, 10, 20, 50] as const;

export type TipDialogProps = {
  target: TipTarget;
  balance: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export function TipDialog({ target, balance, open, onOpenChange }: TipDialogProps) {
  const limit = usePriceLimit('tip');
  const offered = READY.filter((each) => each >= limit.min && each <= limit.max);
  const [chosen, setReady] = useState<number>(10);
  const ready = offered.find((each) => each === chosen) ?? offered[0] ?? limit.min;
  // Separate from the suggested amount, because 7.77 typed after a prefilled "10" would become 107.77.
  const [own, setOwn] = useState('');
  const [note, setNote] = useState('');
  const client = useQueryClient();
  const stopped = useStopped('tips');
  const tip = useApiMutation(sendTip, {
    showErrorMessage: false,
    onSuccess: ({ transactionId, ...balance }, { body }) => {
      takeBalance(client, balance);
      for (const route of [getWallet, transactionHistory, getGoal])
        void client.invalidateQueries({ queryKey: routeKey(route) });
      // In a thread the tip appears as a message. The id prevents a second toast after a double click.
      if (target.type !== 'chat')
        void showToast(`You tipped ${isolated(target.creatorName)} ${formatUsd(body.amount)}.`, 'success', {
          id: `tip:${transactionId}`,
        });
      setNote('');
      onOpenChange(false);
    },
  });
  const { usd: amount, complaint } = readPrice(usePriceRule('tip'), own === '' ? String(ready) : own);
  const left = Math.round((balance - amount) * 100) / 100;
  const isShort = left < 0 || (tip.error instanceof ApiError && tip.error.code === 'INSUFFICIENT_FUNDS');
  const send = () =>
    tip.mutate({
      params: { creatorId: target.creatorId },
      body: {
        amount,
        type: target.type,
        note,
        ...(target.postId && { postId: target.postId }),
        ...(target.goal && { goalId: target.goal.id }),
      },
    });

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Tip ${isolated(target.creatorName)}`}
      locked={tip.isPending}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (stopped === undefined && !complaint && !isShort && !tip.isPending) send();
        }}
      >
        {target.goal && <p className="text-muted wrap-anywhere">Toward “{isolated(target.goal.title)}”</p>}
        <Chips label="Amount" wrap>
          {offered.map((each) => (
            <Chip
              key={each}
              pressed={amount === each}
              onClick={() => {
                setReady(each);
                setOwn('');
              }}
            >
              {formatUsd(each)}
            </Chip>
          ))}
        </Chips>
        <TextField
          label="Custom amount"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
          hint={`From ${formatUsd(limit.min)} to ${formatUsd(limit.max)}`}
          error={complaint}
        />
        <TextField
          label="Add a message"
          value={note}
          maxLength={TIP_NOTE_LENGTH}
          onChange={(event) => setNote(event.currentTarget.value)}
          hint={`Only ${isolated(target.creatorName)} sees it.`}
        />
        <div>
          {stopped !== undefined ? (
            <Banner kind="warn" inline>
              {stopped}
            </Banner>
          ) : isShort && !complaint ? (
            <Button variant="primary" size="lg" wide href={addFundsHref(-left, target.returnTo)}>
              Add funds to tip
            </Button>
          ) : complaint ? (
            <Button type="submit" variant="primary" size="lg" wide disabled>
              Tip
            </Button>
          ) : (
            <PriceButton type="submit" wide size="lg" verb="Tip" price={formatUsd(amount)} busy={tip.isPending} />
          )}
          <p className="num flex justify-between pt-3 text-small text-muted">
            <span>Balance {formatUsd(balance)}</span>
            {!complaint && <span>{isShort ? 'Not enough funds' : `Balance after: ${formatUsd(left)}`}</span>}
          </p>
          {tip.error && !isShort && <Refusal message={tip.error.message} href={hrefOf(tip.error)} />}
        </div>
      </form>
    </Dialog>
  );
}
