/** A fan's spending limits and the amount spent of each. Lower limits apply immediately, higher ones a day later. */
import { formatUsd, readUsd } from '@stagedoor/contract/atoms/money.ts';
import {
  getOwnLimits,
  type LimitPeriod,
  type OwnLimit,
  type OwnLimits,
  ownLimitAmount,
  setOwnLimit,
  withdrawRaise,
} from '@stagedoor/contract/own-limits.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Glyph, Row, Rows } from '../../ui/rows.tsx';

export const ownLimitsQuery = () => apiQuery(getOwnLimits, {});
export const keepLimits = (client: QueryClient, limits: OwnLimits) =>
  client.setQueryData(ownLimitsQuery().queryKey, limits);

const TITLES: Record<LimitPeriod, string> = { day: 'Daily', week: 'Weekly', month: 'Monthly' };
const NOW: Record<LimitPeriod, string> = { day: 'today', week: 'this week', month: 'this month' };
const sum = (limit: number | null) => (limit === null ? 'no limit' : formatUsd(limit));

function spentWords({ limit, most, spent, period }: OwnLimit): string {
  if (limit !== null) return `${formatUsd(spent)} of ${formatUsd(limit)} spent ${NOW[period]}`;
  const words = `${formatUsd(spent)} spent ${NOW[period]}`;
  return most === null ? words : `${words}; platform maximum ${formatUsd(most)}`;
}

function LimitForm({ limit, onSaved }: { limit: OwnLimit; onSaved: (limits: OwnLimits) => void }) {
  const [typed, setTyped] = useState(limit.limit === null ? '' : limit.limit.toFixed(2));
  const save = useApiMutation(setOwnLimit, { showErrorMessage: false, onSuccess: onSaved });
  const usd = readUsd(typed);
  const isWrong = typed !== '' && usd === undefined;
  const range = usd === undefined ? undefined : z.safeParse(ownLimitAmount, usd);
  const complaint = isWrong ? 'Please enter valid amount' : range?.error?.issues[0]?.message;
  const isHigher = usd !== undefined && limit.limit !== null && usd > limit.limit;
  const send = (amount: number | null) => save.mutate({ params: { period: limit.period }, body: { limit: amount } });
  return (
    <form
      noValidate
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (range?.success && !save.isPending) send(range.data);
      }}
    >
      <TextField
        label={`${TITLES[limit.period]} limit`}
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        value={typed}
        error={complaint}
        hint={isHigher ? 'Increases take effect in 24 hours.' : 'Decreases apply now, increases in 24 hours.'}
        onChange={(event) => {
          save.reset();
          setTyped(event.currentTarget.value);
        }}
      />
      {save.error && <Refusal message={save.error.message} />}
      <Button type="submit" variant="primary" size="lg" wide disabled={range?.success !== true} busy={save.isPending}>
        {usd === undefined ? 'Set limit' : `Set limit · ${formatUsd(usd)}`}
      </Button>
      {limit.limit !== null && (
        <Button variant="quiet" wide disabled={save.isPending} onClick={() => send(null)}>
          Remove limit in 24 hours
        </Button>
      )}
    </form>
  );
}

function LimitRow({ limit, onChange }: { limit: OwnLimit; onChange: () => void }) {
  const client = useQueryClient();
  const keep = useApiMutation(withdrawRaise, { onSuccess: (limits) => keepLimits(client, limits) });
  const { raise, period } = limit;
  return (
    <>
      <Row
        lead={<Glyph icon="wallet" />}
        title={TITLES[period]}
        sub={<span className="num whitespace-normal">{spentWords(limit)}</span>}
        end={
          <Button
            aria-label={`${limit.limit === null ? 'Set' : 'Change'} ${TITLES[period].toLowerCase()} limit`}
            onClick={onChange}
          >
            {limit.limit === null ? 'Set' : 'Change'}
          </Button>
        }
      />
      {raise && (
        <Row
          lead={<Glyph icon="clock" />}
          title={<span className="num whitespace-normal">{`${sum(raise.limit)} from ${formatExact(raise.from)}`}</span>}
          end={
            <Button
              aria-label={`Cancel increase, ${TITLES[period].toLowerCase()} limit`}
              busy={keep.isPending}
              onClick={() => keep.mutate({ params: { period } })}
            >
              Cancel increase
            </Button>
          }
        />
      )}
    </>
  );
}

function savedWords(limits: OwnLimits, period: LimitPeriod): string {
  const limit = limits.limits.find((each) => each.period === period);
  if (limit?.raise) return `From ${formatExact(limit.raise.from)}: ${sum(limit.raise.limit)}.`;
  return `Your limit is now ${sum(limit?.limit ?? null)}.`;
}

export function SpendingLimits() {
  const client = useQueryClient();
  const { limits } = useApi(getOwnLimits, {});
  const [period, setPeriod] = useState<LimitPeriod>();
  const open = limits.find((limit) => limit.period === period);
  return (
    <>
      <p className="text-muted">
        Covers tips, unlocks, calls and chat. Resets in UTC. Anything above your limit is declined before you’re
        charged.
      </p>
      <Rows label="Spending limits" className="mt-4">
        {limits.map((limit) => (
          <LimitRow key={limit.period} limit={limit} onChange={() => setPeriod(limit.period)} />
        ))}
      </Rows>
      <Dialog
        open={open !== undefined}
        onOpenChange={(isOpen) => !isOpen && setPeriod(undefined)}
        title={open ? `${TITLES[open.period]} limit` : 'Spending limit'}
      >
        {open && (
          <LimitForm
            key={open.period}
            limit={open}
            onSaved={(saved) => {
              keepLimits(client, saved);
              setPeriod(undefined);
              void showToast(savedWords(saved, open.period), 'success');
            }}
          />
        )}
      </Dialog>
    </>
  );
}
