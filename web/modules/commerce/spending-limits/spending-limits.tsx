/** A fan's spending limits and the amount spent of each. Lower limits apply immediately, higher ones a day later. */

import type { LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import {
  cancelLimitIncrease,
  getSpendingLimits,
  type SpendingControls,
  type SpendingLimitView,
  spendingLimitAmount,
  updateSpendingLimit,
} from '@stagedoor/contract/commerce/spending-limits.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { formatDayTime, formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { calculatePeriodEnd } from '../../../platform/local-message.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Glyph, Row, Rows } from '../../../ui/rows.tsx';
import * as texts from './texts.ts';

export const spendingLimitsQuery = () => apiQuery(getSpendingLimits, {});
export const setCachedLimits = (client: QueryClient, limits: SpendingControls) =>
  client.setQueryData(spendingLimitsQuery().queryKey, limits);

const TITLES: Record<LimitPeriod, string> = { day: texts.daily, week: texts.weekly, month: texts.monthly };
const CURRENT_PERIODS: Record<LimitPeriod, string> = { day: 'today', week: texts.thisWeek, month: texts.thisMonth };
const formatLimit = (limit: number | null) => (limit === null ? texts.noLimit : formatUsd(limit));

function formatSpent({ limit, max, spent, period }: SpendingLimitView): string {
  if (limit !== null)
    return formatText(texts.spentOfLimit, {
      spent: formatUsd(spent),
      limit: formatUsd(limit),
      period: CURRENT_PERIODS[period],
    });
  const text = formatText(texts.spentInPeriod, { spent: formatUsd(spent), period: CURRENT_PERIODS[period] });
  return max === null ? text : formatText(texts.withPlatformMaximum, { spending: text, max: formatUsd(max) });
}

function LimitForm({ limit, onSaved }: { limit: SpendingLimitView; onSaved: (limits: SpendingControls) => void }) {
  const [input, setInput] = useState(limit.limit === null ? '' : limit.limit.toFixed(2));
  const save = useApiMutation(updateSpendingLimit, { showErrorMessage: false, onSuccess: onSaved });
  const usd = parseUsd(input);
  const isWrong = input !== '' && usd === undefined;
  const range = usd === undefined ? undefined : z.safeParse(spendingLimitAmount, usd);
  const error = isWrong ? texts.invalidAmountError : range?.error?.issues[0]?.message;
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
      <MoneyField
        label={formatText(texts.periodLimit, { period: TITLES[limit.period] })}
        maxLength={12}
        value={input}
        error={error}
        hint={isHigher ? texts.increaseDelayNotice : texts.limitChangeHint}
        onChange={(event) => {
          save.reset();
          setInput(event.currentTarget.value);
        }}
      />
      {save.error && <InlineError message={save.error.message} />}
      <Button type="submit" variant="primary" size="lg" wide disabled={range?.success !== true} busy={save.isPending}>
        {usd === undefined ? texts.setLimit : formatText(texts.setLimitTo, { amount: formatUsd(usd) })}
      </Button>
      {limit.limit !== null && (
        <Button variant="quiet" wide disabled={save.isPending} onClick={() => send(null)}>
          {texts.removeLimitIn24Hours}
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
            aria-label={formatText(texts.changePeriodLimit, {
              action: limit.limit === null ? texts.setAction : texts.changeAction,
              period: TITLES[period].toLowerCase(),
            })}
            onClick={onChange}
          >
            {limit.limit === null ? texts.setAction : texts.changeAction}
          </Button>
        }
      />
      {increase && (
        <Row
          lead={<Glyph icon="clock" />}
          title={
            <span className="num whitespace-normal">
              {formatText(texts.limitFromTime, {
                limit: formatLimit(increase.limit),
                startTime: formatExactTime(increase.from),
              })}
            </span>
          }
          end={
            <Button
              aria-label={formatText(texts.cancelPeriodLimitIncrease, { period: TITLES[period].toLowerCase() })}
              busy={cancelIncrease.isPending}
              onClick={() => cancelIncrease.mutate({ params: { period } })}
            >
              {texts.cancelIncrease}
            </Button>
          }
        />
      )}
    </>
  );
}

function formatSavedMessage(limits: SpendingControls, period: LimitPeriod): string {
  const limit = limits.limits.find((each) => each.period === period);
  if (limit?.increase)
    return formatText(texts.increaseNotice, {
      startTime: formatExactTime(limit.increase.from),
      limit: formatLimit(limit.increase.limit),
    });
  return formatText(texts.limitSaved, { limit: formatLimit(limit?.limit ?? null) });
}

export function SpendingLimits() {
  const client = useQueryClient();
  const { limits } = useApi(getSpendingLimits, {});
  const [period, setPeriod] = useState<LimitPeriod>();
  const [now] = useState(() => new Date().toISOString());
  const open = limits.find((limit) => limit.period === period);
  return (
    <>
      <p className="text-muted">
        {formatText(texts.spendingLimitsHint, {
          time: formatDayTime(calculatePeriodEnd('day', new Date(now)).toISOString(), now),
        })}
      </p>
      <Rows label={texts.spendingLimits} className="mt-4">
        {limits.map((limit) => (
          <LimitRow key={limit.period} limit={limit} onChange={() => setPeriod(limit.period)} />
        ))}
      </Rows>
      <Dialog
        open={open !== undefined}
        onOpenChange={(isOpen) => !isOpen && setPeriod(undefined)}
        title={open ? formatText(texts.periodLimit, { period: TITLES[open.period] }) : texts.spendingLimit}
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
