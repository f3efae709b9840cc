/** A fan's spending limits and the amount spent of each. Lower limits apply immediately, higher ones a day later. */

import {
  cancelLimitIncrease,
  getSpendingLimits,
  type LimitPeriod,
  type SpendingControls,
  type SpendingLimitView,
  spendingLimitAmount,
  updateSpendingLimit,
} from '@stagedoor/contract/commerce/spending-limits.ts';
import { formatUsd, parseUsd } from '@stagedoor/contract/shared/money.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Glyph, Row, Rows } from '../../../ui/rows.tsx';

export const spendingLimitsQuery = () => apiQuery(getSpendingLimits, {});
export const setCachedLimits = (client: QueryClient, limits: SpendingControls) =>
  client.setQueryData(spendingLimitsQuery().queryKey, limits);

const TITLES: Record<LimitPeriod, string> = { day: 'Daily', week: 'Weekly', month: 'Monthly' };
const CURRENT_PERIODS: Record<LimitPeriod, string> = { day: 'today', week: 'this week', month: 'this month' };
const formatLimit = (limit: number | null) => (limit === null ? 'no limit' : formatUsd(limit));

function formatSpent({ limit, max, spent, period }: SpendingLimitView): string {
  if (limit !== null) return `${formatUsd(spent)} of ${formatUsd(limit)} spent ${CURRENT_PERIODS[period]}`;
  const text = `${formatUsd(spent)} spent ${CURRENT_PERIODS[period]}`;
  return max === null ? text : `${text}; platform maximum ${formatUsd(max)}`;
}

function LimitForm({ limit, onSaved }: { limit: SpendingLimitView; onSaved: (limits: SpendingControls) => void }) {
  const [input, setInput] = useState(limit.limit === null ? '' : limit.limit.toFixed(2));
  const save = useApiMutation(updateSpendingLimit, { showErrorMessage: false, onSuccess: onSaved });
  const usd = parseUsd(input);
  const isWrong = input !== '' && usd === undefined;
  const range = usd === undefined ? undefined : z.safeParse(spendingLimitAmount, usd);
  const error = isWrong ? 'Please enter valid amount' : range?.error?.issues[0]?.message;
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
        value={input}
        error={error}
        hint={isHigher ? 'Increases take effect in 24 hours.' : 'Decreases apply now, increases in 24 hours.'}
        onChange={(event) => {
          save.reset();
          setInput(event.currentTarget.value);
        }}
      />
      {save.error && <InlineError message={save.error.message} />}
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

function LimitRow({ limit, onChange }: { limit: SpendingLimitView; onChange: () => void }) {
  const client = useQueryClient();
  const cancelIncrease = useApiMutation(cancelLimitIncrease, {
    onSuccess: (limits) => setCachedLimits(client, limits),
  });
  const { increase, period } = limit;
  return (
    <>
      <Row
        lead={<Glyph icon="wallet" />}
        title={TITLES[period]}
        sub={<span className="num whitespace-normal">{formatSpent(limit)}</span>}
        end={
          <Button
            aria-label={`${limit.limit === null ? 'Set' : 'Change'} ${TITLES[period].toLowerCase()} limit`}
            onClick={onChange}
          >
            {limit.limit === null ? 'Set' : 'Change'}
          </Button>
        }
      />
      {increase && (
        <Row
          lead={<Glyph icon="clock" />}
          title={
            <span className="num whitespace-normal">{`${formatLimit(increase.limit)} from ${formatExactTime(increase.from)}`}</span>
          }
          end={
            <Button
              aria-label={`Cancel increase, ${TITLES[period].toLowerCase()} limit`}
              busy={cancelIncrease.isPending}
              onClick={() => cancelIncrease.mutate({ params: { period } })}
            >
              Cancel increase
            </Button>
          }
        />
      )}
    </>
  );
}

function formatSavedMessage(limits: SpendingControls, period: LimitPeriod): string {
  const limit = limits.limits.find((each) => each.period === period);
  if (limit?.increase) return `From ${formatExactTime(limit.increase.from)}: ${formatLimit(limit.increase.limit)}.`;
  return `Your limit is now ${formatLimit(limit?.limit ?? null)}.`;
}

export function SpendingLimits() {
  const client = useQueryClient();
  const { limits } = useApi(getSpendingLimits, {});
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
              setCachedLimits(client, saved);
              setPeriod(undefined);
              void showToast(formatSavedMessage(saved, open.period), 'success');
            }}
          />
        )}
      </Dialog>
    </>
  );
}
