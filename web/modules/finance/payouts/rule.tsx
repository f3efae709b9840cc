/** Automatic payouts (row G6): the rule, its next date, current obstacles and why the last one failed. */

import {
  getPayoutOverview,
  getPayoutRule,
  listPayoutMethods,
  type PayoutMethod,
  type PayoutRuleView,
  updatePayoutRule,
} from '@stagedoor/contract/finance/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { RECURRENCES } from '@stagedoor/contract/shared/recurrence.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { formatDay, formatExactTime, formatFutureDay } from '../../../platform/dates.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ruleQuery } from './queries.ts';
import { findAmountError } from './request-form.tsx';
import * as texts from './texts.ts';

type PayoutRule = NonNullable<PayoutRuleView['rule']>;

const SCHEDULE_LABELS = {
  weekly: texts.everyWeek,
  monthaly: texts.everyMonth,
  yearly: texts.everyYear,
  threshold: texts.whenBalanceExceedsAmount,
} as const;
const SCHEDULES = [...RECURRENCES, 'threshold'] as const;
type Schedule = (typeof SCHEDULES)[number];

function formatNextDay(day: string, now: string): string {
  const text = formatFutureDay(day < now.slice(0, 10) ? now : day, now);
  return text === 'Today' || text === 'Tomorrow' ? text.toLowerCase() : formatText(texts.onFutureDay, { day: text });
}

function formatPastDay(day: string, now: string): string {
  const text = formatDay(day, now);
  return text === 'Today' || text === 'Yesterday' ? text : formatText(texts.onPastDay, { day: text });
}

function describeRule({ recurrence, threshold }: PayoutRule, nextOn: string | null, to: string, now: string): string {
  if (threshold !== null) return formatText(texts.thresholdRule, { threshold: formatUsd(threshold), method: to });
  const frequency = recurrence === null ? '' : SCHEDULE_LABELS[recurrence];
  const next = nextOn === null ? '' : formatText(texts.nextPayout, { nextOn: formatNextDay(nextOn, now) });
  return formatText(texts.scheduleRule, { frequency, next, method: to });
}

function useObstacle(rule: PayoutRule, nextOn: string | null, method: PayoutMethod | undefined): string | undefined {
  const { problem, available, minimum } = useApi(getPayoutOverview, {});
  if (problem !== null) return problem;
  if (!method) return texts.methodRemovedProblem;
  if (method.state === 'invalid')
    return formatText(texts.automaticPayoutsPaused, { problem: method.problem ?? texts.cannotSendToMethod });
  if (method.state === 'cooling' && (nextOn === null || method.usableAt.slice(0, 10) >= nextOn))
    return formatText(texts.methodAvailableFrom, { label: method.label, usableAt: formatExactTime(method.usableAt) });
  if (rule.threshold !== null)
    return available > rule.threshold
      ? undefined
      : formatText(texts.waitingForYourMinimum, { available: formatUsd(available) });
  const minAmount = minimum[method.kind];
  return available < minAmount
    ? formatText(texts.belowPayoutMinimum, { available: formatUsd(available), minAmount: formatUsd(minAmount) })
    : undefined;
}

function RuleSummary({ view, rule, now }: { view: PayoutRuleView; rule: PayoutRule; now: string }) {
  const { data: methods } = useApi(listPayoutMethods, {});
  const method = methods.find(({ id }) => id === rule.methodId);
  const obstacle = useObstacle(rule, view.nextOn, method);
  const { lastFailure } = view;
  return (
    <>
      <p className="wrap-anywhere">{describeRule(rule, view.nextOn, method?.label ?? texts.aRemovedMethod, now)}</p>
      {obstacle !== undefined && <p className="pt-2 text-small text-muted">{obstacle}</p>}
      {lastFailure && (
        <div className="pt-3">
          <Banner kind="warn" inline>
            {formatText(texts.noPayoutRequested, {
              day: formatPastDay(lastFailure.on, now),
              reason: lastFailure.reason,
            })}
          </Banner>
        </div>
      )}
    </>
  );
}

type RuleDraft = { schedule: Schedule; threshold: string; methodId: PayoutMethod['id'] };

function RuleForm({
  rule,
  methods,
  onDone,
}: {
  rule: PayoutRule | null;
  methods: readonly PayoutMethod[];
  onDone: () => void;
}) {
  const client = useQueryClient();
  const { minimum } = useApi(getPayoutOverview, {});
  const [first] = methods;
  const [draft, setDraft] = useState<RuleDraft | undefined>(
    first && {
      schedule: rule?.recurrence ?? (rule ? 'threshold' : 'monthaly'),
      threshold: rule?.threshold?.toFixed(2) ?? '',
      methodId: rule?.methodId ?? first.id,
    },
  );
  const save = useApiMutation(updatePayoutRule, {
    showErrorMessage: false,
    onSuccess: (view) => {
      client.setQueryData(ruleQuery().queryKey, view);
      onDone();
    },
  });
  const method = methods.find(({ id }) => id === draft?.methodId) ?? first;
  if (!draft || !method) return null;
  const minAmount = minimum[method.kind];
  const change = (part: Partial<RuleDraft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const isAbove = draft.schedule === 'threshold';
  const error =
    isAbove && draft.threshold !== ''
      ? findAmountError(draft.threshold, Number.POSITIVE_INFINITY, minAmount)
      : undefined;
  const threshold = isAbove ? (parseUsd(draft.threshold) ?? null) : null;
  const canSave = !isAbove || (threshold !== null && error === undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSave || save.isPending) return;
    const recurrence = draft.schedule === 'threshold' ? null : draft.schedule;
    save.mutate({ body: { rule: { methodId: method.id, recurrence, threshold } } });
  };
  return (
    <form noValidate className="form grid gap-4" onSubmit={submit} aria-label={texts.automaticPayouts}>
      <SelectField
        label={texts.when}
        value={draft.schedule}
        options={SCHEDULES.map((value) => ({ value, label: SCHEDULE_LABELS[value] }))}
        hint={isAbove ? undefined : formatText(texts.startingTodayMinimum, { minAmount: formatUsd(minAmount) })}
        onChange={(event) => change({ schedule: parseOption(SCHEDULES, event.currentTarget.value) ?? draft.schedule })}
      />
      {isAbove && (
        <MoneyField
          label={texts.moreThan}
          maxLength={12}
          value={draft.threshold}
          hint={error === undefined ? formatText(texts.atLeastMinimum, { minimum: formatUsd(minAmount) }) : undefined}
          error={error}
          onChange={(event) => change({ threshold: event.currentTarget.value })}
        />
      )}
      <SelectField
        label={texts.toMethod}
        value={method.id}
        options={methods.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change({ methodId: methods.find(({ id }) => id === value)?.id ?? draft.methodId });
        }}
      />
      {save.error && <InlineError message={save.error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!canSave} busy={save.isPending} busyText={texts.saving}>
          {texts.save}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {texts.cancel}
        </Button>
        {rule && (
          <Button variant="quiet" disabled={save.isPending} onClick={() => save.mutate({ body: { rule: null } })}>
            {texts.turnOffAutomaticPayouts}
          </Button>
        )}
      </div>
    </form>
  );
}

/** `now` is an ISO timestamp. */
export function AutomaticPayouts({ now }: { now: string }) {
  const view = useApi(getPayoutRule, {});
  const { data: methods } = useApi(listPayoutMethods, {});
  const [isOpen, setOpen] = useState(false);
  const validMethods = methods.filter(({ state }) => state !== 'invalid');
  const { rule } = view;
  return (
    <section aria-labelledby="automatic">
      <SectionHead id="automatic" title={texts.automaticPayouts} />
      {isOpen ? (
        <RuleForm rule={rule} methods={validMethods} onDone={() => setOpen(false)} />
      ) : (
        <>
          {rule ? (
            <RuleSummary view={view} rule={rule} now={now} />
          ) : (
            <p className="text-muted">
              {validMethods.length > 0 ? texts.automaticPayoutsAreOff : texts.addMethodForAutomaticHint}
            </p>
          )}
          {validMethods.length > 0 && (
            <Button className="mt-4" onClick={() => setOpen(true)}>
              {rule ? texts.change : texts.setUp}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
