import {
  type AffiliateTotals,
  cancelWithdrawal,
  depositReferralEarnings,
  getWithdrawal,
  requestWithdrawal,
} from '@stagedoor/contract/finance/affiliates.ts';
import type { PayoutMethod } from '@stagedoor/contract/finance/payouts.ts';
import { getTransactionHistory, getWallet } from '@stagedoor/contract/finance/wallet.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { WithdrawalId } from '@stagedoor/contract/shared/ids.ts';
import { calculatePercent, formatCents, formatUsd, toCents, usd } from '@stagedoor/contract/shared/money.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { findErrorHref } from '../../../platform/api-error.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { formatPriceInput, parsePrice } from '../../../platform/price.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { updateBalance } from '../../../platform/session.ts';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { DefinitionList, PriceSummary } from '../../../ui/definition-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { formatWithdrawalTitle, WITHDRAWAL_STATUS_LABELS } from './rows.tsx';
import * as texts from './texts.ts';

type DialogState = { open: boolean; onOpenChange: (open: boolean) => void };

function findAmountError(amount: number, min: number, max: number): string | undefined {
  if (amount < min) return formatText(texts.minimumAmount, { min: formatUsd(min) });
  return amount > max ? formatText(texts.maximumAmount, { max: formatUsd(max) }) : undefined;
}

function refetchAffiliateData(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('GET /affiliate/') });
}

type AmountDialogProps = DialogState & {
  title: string;
  lead: string;
  verb: string;
  max: number;
  terms: { minAmount: number; feePr: number };
  children?: ReactNode;
  busy: boolean;
  error: Error | null;
  onSubmitAmount: (amount: number) => void;
};

function AmountDialog({
  title,
  lead,
  verb,
  max,
  terms,
  children,
  busy,
  error,
  onSubmitAmount,
  ...dialogState
}: AmountDialogProps) {
  const { minAmount, feePr } = terms;
  const [amountText, setAmountText] = useState(() => formatPriceInput(max));
  const { usd: amount, error: parseError } = parsePrice(usd, amountText);
  const amountError = parseError ?? findAmountError(amount, minAmount, max);
  const fee = calculatePercent(toCents(amount), feePr);
  const formatAmount = (cents: number) => (amountError ? '–' : formatCents(cents));
  return (
    <Dialog {...dialogState} title={title} lead={lead} locked={busy}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!amountError && !busy) onSubmitAmount(amount);
        }}
      >
        <MoneyField
          label={texts.amount}
          value={amountText}
          onChange={(event) => setAmountText(event.currentTarget.value)}
          hint={formatText(texts.amountRange, { min: formatUsd(minAmount), max: formatUsd(max) })}
          error={amountError}
        />
        {children}
        <PriceSummary
          live
          items={[
            { name: texts.fromYourEarnings, value: formatAmount(toCents(amount)) },
            { name: `Fee, ${feePr}%`, value: formatAmount(fee) },
          ]}
          total={{ name: texts.youGet, value: formatAmount(toCents(amount) - fee) }}
        />
        <div>
          <PriceButton
            type="submit"
            size="lg"
            wide
            verb={verb}
            price={formatAmount(toCents(amount))}
            busy={busy}
            disabled={amountError !== undefined}
          />
          {error && <InlineError message={error.message} href={findErrorHref(error)} />}
        </div>
      </form>
    </Dialog>
  );
}

export function MoveDialog({ totals, ...dialogState }: DialogState & { totals: AffiliateTotals }) {
  const client = useQueryClient();
  const { affiliateId, eligibleBalance, platformFee } = totals;
  const move = useApiMutation(depositReferralEarnings, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: (balance) => {
      updateBalance(client, balance);
      for (const route of [getWallet, getTransactionHistory])
        void client.invalidateQueries({ queryKey: routeKey(route) });
      refetchAffiliateData(client);
      dialogState.onOpenChange(false);
    },
  });
  return (
    <AmountDialog
      {...dialogState}
      title={texts.moveToBalance}
      lead={texts.moveToBalanceHint}
      verb={texts.move}
      max={eligibleBalance}
      terms={platformFee.internal}
      busy={move.isPending}
      error={move.error}
      onSubmitAmount={(amount) => affiliateId && move.mutate({ params: { id: affiliateId }, body: { amount } })}
    />
  );
}

export function WithdrawDialog({
  totals,
  methods,
  ...dialogState
}: DialogState & { totals: AffiliateTotals; methods: readonly PayoutMethod[] }) {
  const client = useQueryClient();
  const [methodId, setMethodId] = useState(methods[0]?.id);
  const request = useApiMutation(requestWithdrawal, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: () => {
      refetchAffiliateData(client);
      dialogState.onOpenChange(false);
    },
  });
  return (
    <AmountDialog
      {...dialogState}
      title={texts.withdraw}
      lead={texts.withdrawHint}
      verb={texts.withdraw}
      max={totals.eligibleBalance}
      terms={totals.platformFee}
      busy={request.isPending}
      error={request.error}
      onSubmitAmount={(amount) => methodId && request.mutate({ body: { amount, methodId } })}
    >
      <SelectField
        label={texts.withdrawalDestination}
        value={methodId}
        options={methods.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setMethodId(methods.find(({ id }) => id === value)?.id);
        }}
      />
    </AmountDialog>
  );
}

function CancelRequestButton({ id }: { id: WithdrawalId }) {
  const client = useQueryClient();
  const cancel = useApiMutation(cancelWithdrawal, {
    showSuccessMessage: true,
    onSuccess: () => refetchAffiliateData(client),
  });
  return (
    <Button className="mt-5" wide busy={cancel.isPending} onClick={() => cancel.mutate({ params: { id } })}>
      {texts.cancelRequest}
    </Button>
  );
}

export function WithdrawalDialog({ id, open, onOpenChange }: DialogState & { id: string }) {
  const { data, isError, refetch } = useQuery(apiQuery(getWithdrawal, { params: { id } }));
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={data ? formatWithdrawalTitle(data) : texts.withdrawal}>
      {!data && (isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={3} />)}
      {data && (
        <>
          <PriceSummary
            items={[
              { name: texts.fromYourEarnings, value: formatUsd(data.amount) },
              { name: 'Fee', value: formatUsd(data.fee) },
            ]}
            total={{ name: texts.youGet, value: formatUsd(data.net) }}
          />
          <DefinitionList
            className="mt-4"
            items={[
              { name: 'Status', value: WITHDRAWAL_STATUS_LABELS[data.status] },
              { name: texts.fromCreators, value: formatUsd(data.creatorAmount) },
              { name: texts.fromFans, value: formatUsd(data.customerAmount) },
              { name: 'Requested', value: formatExactTime(data.createdAt) },
              ...(data.updatedAt === data.createdAt
                ? []
                : [{ name: 'Updated', value: formatExactTime(data.updatedAt) }]),
              { name: 'Reference', value: <span className="text-small break-all">{data.id}</span> },
            ]}
          />
          {data.canCancel && <CancelRequestButton id={data.id} />}
        </>
      )}
    </Dialog>
  );
}
