import {
  type AffiliateTotals,
  cancelWithdrawal,
  depositFromReferrals,
  withdrawalDetail,
  withdrawOutside,
} from '@stagedoor/contract/affiliates.ts';
import type { WithdrawalId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, formatUsd, percentOf, toCents, usd } from '@stagedoor/contract/atoms/money.ts';
import type { PayoutMethod } from '@stagedoor/contract/payouts.ts';
import { getWallet, transactionHistory } from '@stagedoor/contract/wallet.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { hrefOf } from '../../kernel/api-error.ts';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { readPrice, writePrice } from '../../kernel/price.ts';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { takeBalance } from '../../kernel/session.ts';
import { Button, PriceButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList, Sum } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { WITHDRAWAL_WORDS, withdrawalTitle } from './rows.tsx';

type Shown = { open: boolean; onOpenChange: (open: boolean) => void };

function complaintOf(amount: number, least: number, most: number): string | undefined {
  if (amount < least) return `Minimum ${formatUsd(least)}`;
  return amount > most ? `Maximum ${formatUsd(most)}` : undefined;
}

function askAgain(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('GET /affiliate/') });
}

type TakingProps = Shown & {
  title: string;
  lead: string;
  verb: string;
  most: number;
  terms: { minAmount: number; feePr: number };
  children?: ReactNode;
  busy: boolean;
  error: Error | null;
  onTake: (amount: number) => void;
};

function Taking({ title, lead, verb, most, terms, children, busy, error, onTake, ...shown }: TakingProps) {
  const { minAmount, feePr } = terms;
  const [typed, setTyped] = useState(() => writePrice(most));
  const { usd: amount, complaint: unread } = readPrice(usd, typed);
  const complaint = unread ?? complaintOf(amount, minAmount, most);
  const fee = percentOf(toCents(amount), feePr);
  const written = (cents: number) => (complaint ? '–' : formatCents(cents));
  return (
    <Dialog {...shown} title={title} lead={lead} locked={busy}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!complaint && !busy) onTake(amount);
        }}
      >
        <TextField
          label="Amount"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          hint={`From ${formatUsd(minAmount)} to ${formatUsd(most)}`}
          error={complaint}
        />
        {children}
        <Sum
          live
          lines={[
            { name: 'From your earnings', value: written(toCents(amount)) },
            { name: `Fee, ${feePr}%`, value: written(fee) },
          ]}
          total={{ name: 'You get', value: written(toCents(amount) - fee) }}
        />
        <div>
          <PriceButton
            type="submit"
            size="lg"
            wide
            verb={verb}
            price={written(toCents(amount))}
            busy={busy}
            disabled={complaint !== undefined}
          />
          {error && <Refusal message={error.message} href={hrefOf(error)} />}
        </div>
      </form>
    </Dialog>
  );
}

export function MoveDialog({ totals, ...shown }: Shown & { totals: AffiliateTotals }) {
  const client = useQueryClient();
  const { affiliateId, eligibleBalance, platformFee } = totals;
  const move = useApiMutation(depositFromReferrals, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: (moved) => {
      takeBalance(client, moved);
      for (const route of [getWallet, transactionHistory]) void client.invalidateQueries({ queryKey: routeKey(route) });
      askAgain(client);
      shown.onOpenChange(false);
    },
  });
  return (
    <Taking
      {...shown}
      title="Move to balance"
      lead="Available to spend right away."
      verb="Move"
      most={eligibleBalance}
      terms={platformFee.internal}
      busy={move.isPending}
      error={move.error}
      onTake={(amount) => affiliateId && move.mutate({ params: { id: affiliateId }, body: { amount } })}
    />
  );
}

export function WithdrawDialog({
  totals,
  methods,
  ...shown
}: Shown & { totals: AffiliateTotals; methods: readonly PayoutMethod[] }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState(methods[0]?.id);
  const request = useApiMutation(withdrawOutside, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: () => {
      askAgain(client);
      shown.onOpenChange(false);
    },
  });
  return (
    <Taking
      {...shown}
      title="Withdraw"
      lead="We review every request. You can cancel until it’s approved."
      verb="Withdraw"
      most={totals.eligibleBalance}
      terms={totals.platformFee}
      busy={request.isPending}
      error={request.error}
      onTake={(amount) => chosen && request.mutate({ body: { amount, methodId: chosen } })}
    >
      <SelectField
        label="To"
        value={chosen}
        options={methods.map(({ id, words }) => ({ value: id, label: words }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setChosen(methods.find(({ id }) => id === value)?.id);
        }}
      />
    </Taking>
  );
}

function TakeBack({ id }: { id: WithdrawalId }) {
  const client = useQueryClient();
  const cancel = useApiMutation(cancelWithdrawal, { showSuccessMessage: true, onSuccess: () => askAgain(client) });
  return (
    <Button className="mt-5" wide busy={cancel.isPending} onClick={() => cancel.mutate({ params: { id } })}>
      Cancel request
    </Button>
  );
}

export function WithdrawalDialog({ id, open, onOpenChange }: Shown & { id: string }) {
  const { data, isError, refetch } = useQuery(apiQuery(withdrawalDetail, { params: { id } }));
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={data ? withdrawalTitle(data) : 'Withdrawal'}>
      {!data && (isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={3} />)}
      {data && (
        <>
          <Sum
            lines={[
              { name: 'From your earnings', value: formatUsd(data.amount) },
              { name: 'Fee', value: formatUsd(data.fee) },
            ]}
            total={{ name: 'You get', value: formatUsd(data.net) }}
          />
          <FactList
            className="mt-4"
            facts={[
              { name: 'Status', value: WITHDRAWAL_WORDS[data.status] },
              { name: 'From creators', value: formatUsd(data.ofCreators) },
              { name: 'From fans', value: formatUsd(data.ofCustomers) },
              { name: 'Requested', value: formatExact(data.createdAt) },
              ...(data.updatedAt === data.createdAt ? [] : [{ name: 'Updated', value: formatExact(data.updatedAt) }]),
              { name: 'Reference', value: <span className="text-small break-all">{data.id}</span> },
            ]}
          />
          {data.canCancel && <TakeBack id={data.id} />}
        </>
      )}
    </Dialog>
  );
}
