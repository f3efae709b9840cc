/** Moving earnings into the balance, with what is withheld of them before it is pressed; and one withdrawal in its parts. */
import { type AffiliateTotals, depositFromReferrals, withdrawalDetail } from '@stagedoor/contract/affiliates.ts';
import { formatUsd, percentOf, toCents, toUsd, usd } from '@stagedoor/contract/atoms/money.ts';
import { getWallet, transactionHistory } from '@stagedoor/contract/wallet.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hrefOf } from '../../kernel/api-error.ts';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { readPrice, writePrice } from '../../kernel/price.ts';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { takeBalance } from '../../kernel/session.ts';
import { PriceButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList, Sum } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { WITHDRAWAL_WORDS, withdrawalTitle } from './rows.tsx';

type Shown = { open: boolean; onOpenChange: (open: boolean) => void };

/** What is wrong with a sum, said before it is sent. */
function complaintOf(amount: number, least: number, most: number): string | undefined {
  if (amount < least) return `From ${formatUsd(least)}`;
  return amount > most ? `You may take up to ${formatUsd(most)} now` : undefined;
}

export function MoveDialog({ totals, open, onOpenChange }: Shown & { totals: AffiliateTotals }) {
  const client = useQueryClient();
  const { affiliateId, eligibleBalance, platformFee } = totals;
  const { minAmount, feePr } = platformFee.internal;
  const [typed, setTyped] = useState(() => writePrice(eligibleBalance));
  const move = useApiMutation(depositFromReferrals, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: (moved) => {
      takeBalance(client, moved);
      for (const route of [getWallet, transactionHistory]) void client.invalidateQueries({ queryKey: routeKey(route) });
      void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('GET /affiliate/') });
      onOpenChange(false);
    },
  });
  const { usd: amount, complaint: unread } = readPrice(usd, typed);
  const complaint = unread ?? complaintOf(amount, minAmount, eligibleBalance);
  const fee = toUsd(percentOf(toCents(amount), feePr));
  const gets = formatUsd(toUsd(toCents(amount) - toCents(fee)));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Move to balance"
      lead="It is yours to spend at once."
      locked={move.isPending}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!complaint && affiliateId && !move.isPending)
            move.mutate({ params: { id: affiliateId }, body: { amount } });
        }}
      >
        <TextField
          label="Amount"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          hint={`From ${formatUsd(minAmount)} to ${formatUsd(eligibleBalance)}`}
          error={complaint}
        />
        <Sum
          live
          lines={[
            { name: 'Taken of your earnings', value: complaint ? '–' : formatUsd(amount) },
            { name: `Fee, ${feePr}%`, value: complaint ? '–' : formatUsd(fee) },
          ]}
          total={{ name: 'You get', value: complaint ? '–' : gets }}
        />
        <div>
          <PriceButton
            type="submit"
            size="lg"
            wide
            verb="Move"
            price={complaint ? '' : formatUsd(amount)}
            busy={move.isPending}
            disabled={complaint !== undefined}
          />
          {move.error && <Refusal message={move.error.message} href={hrefOf(move.error)} />}
        </div>
      </form>
    </Dialog>
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
              { name: 'Taken of your earnings', value: formatUsd(data.amount) },
              { name: 'Fee', value: formatUsd(data.fee) },
            ]}
            total={{ name: 'You get', value: formatUsd(data.net) }}
          />
          <FactList
            className="mt-4"
            facts={[
              { name: 'State', value: WITHDRAWAL_WORDS[data.status] },
              { name: 'Of creators', value: formatUsd(data.ofCreators) },
              { name: 'Of customers', value: formatUsd(data.ofCustomers) },
              { name: 'Asked', value: formatExact(data.createdAt) },
              ...(data.updatedAt === data.createdAt ? [] : [{ name: 'Changed', value: formatExact(data.updatedAt) }]),
              { name: 'Number', value: <span className="text-small break-all">{data.id}</span> },
            ]}
          />
        </>
      )}
    </Dialog>
  );
}
