import { getTipGoal } from '@stagedoor/contract/finance/tip-goals.ts';
import { getTransactionHistory, getWallet, sendTip } from '@stagedoor/contract/finance/wallet.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { TIP_NOTE_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addFundsHref } from '../../../platform/address.ts';
import { ApiError, findErrorHref } from '../../../platform/api-error.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { useCallFunds } from '../../../platform/call-funds.ts';
import { showToast } from '../../../platform/feedback.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { parsePrice } from '../../../platform/price.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { usePriceSchema } from '../../../platform/price-schema.ts';
import { routeKey } from '../../../platform/query.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { updateBalance } from '../../../platform/session.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { findFundsObstacle, SpendingBoundNote, useSpendingBound } from '../../../platform/spending-bound.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { Chip, Chips } from '../../../ui/chips.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import {
  deletePendingTip,
  findPendingTip,
  resumeTipHref,
  savePendingTip,
  type TipDraft,
  type TipTarget,
} from './pending-tip.ts';
import * as texts from './texts.ts';

const SUGGESTED_AMOUNTS = [5, 10, 20, 50] as const;
const DEFAULT_AMOUNT = 10;

export type TipDialogProps = {
  target: TipTarget;
  /** What is available in the wallet, in USD. In a call with the creator, held money counts as well. */
  balance: number;
  /** What the fan had typed before adding funds. */
  draft?: TipDraft | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Stores what is typed while the dialog is open. Without it a way to another page, or a reload, would lose it. */
function usePendingTip(isOpen: boolean, target: TipTarget, { selected, customAmount, note }: TipDraft): void {
  useEffect(() => {
    if (!isOpen) return;
    if (selected === DEFAULT_AMOUNT && customAmount === '' && note === '') deletePendingTip(target);
    else savePendingTip(target, { selected, customAmount, note });
  }, [isOpen, target, selected, customAmount, note]);
}

export function TipDialog({ target, balance: available, draft, open, onOpenChange }: TipDialogProps) {
  const callFunds = useCallFunds(target.creatorId);
  const balance = callFunds?.usd ?? available;
  const limitBound = useSpendingBound(open && !callFunds);
  const bound = callFunds?.bound ?? limitBound;
  const leavingLink = useLeavingLinkProps();
  const limit = usePriceLimit('tip');
  const suggestions = SUGGESTED_AMOUNTS.filter((each) => each >= limit.min && each <= limit.max);
  const [start] = useState(() => draft ?? findPendingTip(target));
  const [selected, setSelected] = useState<number>(start?.selected ?? DEFAULT_AMOUNT);
  const suggested = suggestions.find((each) => each === selected) ?? suggestions[0] ?? limit.min;
  // Separate from the suggested amount, because 7.77 typed after a prefilled "10" would become 107.77.
  const [customAmount, setCustomAmount] = useState(start?.customAmount ?? '');
  const [note, setNote] = useState(start?.note ?? '');
  usePendingTip(open, target, { selected, customAmount, note });
  const client = useQueryClient();
  const disabledMessage = useFeatureDisabledMessage('tips');
  const tip = useApiMutation(sendTip, {
    showErrorMessage: false,
    onSuccess: ({ transactionId, ...balance }, { body }) => {
      updateBalance(client, balance);
      for (const route of [getWallet, getTransactionHistory, getTipGoal])
        void client.invalidateQueries({ queryKey: routeKey(route) });
      // In a thread the tip appears as a message. The id prevents a second toast after a double click.
      if (target.type !== 'chat')
        void showToast(
          formatText(texts.tipSentToast, {
            creatorName: isolateText(target.creatorName),
            amount: formatUsd(body.amount),
          }),
          'success',
          {
            id: `tip:${transactionId}`,
          },
        );
      deletePendingTip(target);
      setNote('');
      onOpenChange(false);
    },
  });
  const { usd: amount, error } = parsePrice(
    usePriceSchema('tip'),
    customAmount === '' ? String(suggested) : customAmount,
  );
  const remaining = Math.round((balance - amount) * 100) / 100;
  const isRefused = tip.error instanceof ApiError && tip.error.code === 'INSUFFICIENT_FUNDS';
  const obstacle = findFundsObstacle(amount, balance, bound) ?? (isRefused ? 'balance' : undefined);
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
      title={formatText(texts.tipCreator, { creatorName: isolateText(target.creatorName) })}
      locked={tip.isPending}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (disabledMessage === undefined && !error && !obstacle && !tip.isPending) send();
        }}
      >
        {target.goal && (
          <p className="text-muted wrap-anywhere">
            {formatText(texts.towardGoal, { goalTitle: isolateText(target.goal.title) })}
          </p>
        )}
        <Chips label={texts.amountLabel} wrap>
          {suggestions.map((each) => (
            <Chip
              key={each}
              pressed={amount === each}
              onClick={() => {
                setSelected(each);
                setCustomAmount('');
              }}
            >
              {formatUsd(each)}
            </Chip>
          ))}
        </Chips>
        <MoneyField
          label={texts.customAmount}
          value={customAmount}
          onChange={(event) => setCustomAmount(event.currentTarget.value)}
          hint={formatText(texts.tipLimits, { min: formatUsd(limit.min), max: formatUsd(limit.max) })}
          error={error}
        />
        <TextField
          label={texts.addAMessage}
          value={note}
          maxLength={TIP_NOTE_LENGTH}
          onChange={(event) => setNote(event.currentTarget.value)}
          hint={formatText(texts.messageHint, { creatorName: isolateText(target.creatorName) })}
        />
        <div>
          {disabledMessage !== undefined ? (
            <Banner kind="warn" inline>
              {disabledMessage}
            </Banner>
          ) : obstacle === 'balance' && !error ? (
            <Button
              variant="primary"
              size="lg"
              wide
              // During a call the dialog stays as it is, and the new tab returns to the page without it.
              href={addFundsHref(-remaining, leavingLink.target ? target.returnTo : resumeTipHref(target, amount))}
              {...leavingLink}
            >
              {texts.addFundsToTip}
            </Button>
          ) : error || obstacle ? (
            <Button type="submit" variant="primary" size="lg" wide disabled>
              {texts.tip}
            </Button>
          ) : (
            <PriceButton type="submit" wide size="lg" verb={texts.tip} price={formatUsd(amount)} busy={tip.isPending} />
          )}
          <p className="num flex justify-between pt-3 text-small text-muted">
            <span>
              {formatText(callFunds === undefined ? texts.availableBalance : texts.leftInCall, {
                amount: formatUsd(balance),
              })}
            </span>
            {!error && (
              <span>
                {obstacle === 'limit'
                  ? texts.overSpendingLimit
                  : obstacle
                    ? texts.notEnoughFunds
                    : formatText(texts.remainingBalance, { amount: formatUsd(remaining) })}
              </span>
            )}
          </p>
          {callFunds !== undefined && <p className="pt-1 text-small text-muted">{texts.callFundsHint}</p>}
          {obstacle === 'limit' && !error && bound && <SpendingBoundNote bound={bound} />}
          {tip.error && !obstacle && <InlineError message={tip.error.message} href={findErrorHref(tip.error)} />}
        </div>
      </form>
    </Dialog>
  );
}
