/** Automatic payouts (row G6): the rule, its next date, current obstacles and why the last one failed. */
import { formatUsd, readUsd } from '@stagedoor/contract/atoms/money.ts';
import {
  getPayoutRule,
  listPayoutMethods,
  type PayoutMethod,
  type PayoutRuleView,
  payoutOverview,
  RECURRENCES,
  setPayoutRule,
} from '@stagedoor/contract/payouts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { formatComingDay, formatDay, formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Banner } from '../../ui/states.tsx';
import { ruleQuery } from './queries.ts';
import { amountComplaint } from './request-form.tsx';

type Rule = NonNullable<PayoutRuleView['rule']>;

const WHEN = {
  weekly: 'Every week',
  monthaly: 'Every month',
  yearly: 'Every year',
  above: 'When my balance exceeds an amount',
} as const;
const CHOICES = [...RECURRENCES, 'above'] as const;
type When = (typeof CHOICES)[number];

function comingDay(day: string, now: string): string {
  const words = formatComingDay(day < now.slice(0, 10) ? now : day, now);
  return words === 'Today' || words === 'Tomorrow' ? words.toLowerCase() : `on ${words}`;
}

function pastDay(day: string, now: string): string {
  const words = formatDay(day, now);
  return words === 'Today' || words === 'Yesterday' ? words : `On ${words}`;
}

function plan({ recurrence, above }: Rule, nextOn: string | null, to: string, now: string): string {
  if (above !== null)
    return `When your balance exceeds ${formatUsd(above)}, we request a payout of your full balance to ${to}.`;
  const often = recurrence === null ? '' : WHEN[recurrence];
  const next = nextOn === null ? '' : `, next ${comingDay(nextOn, now)}`;
  return `${often}${next}, we request a payout of your full balance to ${to}.`;
}

function useObstacle(rule: Rule, nextOn: string | null, method: PayoutMethod | undefined): string | undefined {
  const { problem, available, minimum } = useApi(payoutOverview, {});
  if (problem !== null) return problem;
  if (!method) return 'The payout method was removed. Choose another.';
  if (method.state === 'invalid')
    return `${method.problem ?? 'We can’t send money to this method.'} Automatic payouts are paused.`;
  if (method.state === 'cooling' && (nextOn === null || method.usableAt.slice(0, 10) >= nextOn))
    return `${method.words} is available from ${formatExact(method.usableAt)}.`;
  if (rule.above !== null)
    return available > rule.above ? undefined : `${formatUsd(available)} is available now. Waiting for your minimum.`;
  const least = minimum[method.kind];
  return available < least ? `${formatUsd(available)} is available now. Minimum ${formatUsd(least)}.` : undefined;
}

function Present({ view, rule, now }: { view: PayoutRuleView; rule: Rule; now: string }) {
  const { data: methods } = useApi(listPayoutMethods, {});
  const method = methods.find(({ id }) => id === rule.methodId);
  const obstacle = useObstacle(rule, view.nextOn, method);
  const { refused } = view;
  return (
    <>
      <p className="wrap-anywhere">{plan(rule, view.nextOn, method?.words ?? 'a removed method', now)}</p>
      {obstacle !== undefined && <p className="pt-2 text-small text-muted">{obstacle}</p>}
      {refused && (
        <div className="pt-3">
          <Banner kind="warn" inline>
            {pastDay(refused.on, now)} no payout was requested. {refused.why}
          </Banner>
        </div>
      )}
    </>
  );
}

type Draft = { when: When; above: string; methodId: PayoutMethod['id'] };

function RuleForm({
  rule,
  methods,
  onDone,
}: {
  rule: Rule | null;
  methods: readonly PayoutMethod[];
  onDone: () => void;
}) {
  const client = useQueryClient();
  const { minimum } = useApi(payoutOverview, {});
  const [first] = methods;
  const [draft, setDraft] = useState<Draft | undefined>(
    first && {
      when: rule?.recurrence ?? (rule ? 'above' : 'monthaly'),
      above: rule?.above?.toFixed(2) ?? '',
      methodId: rule?.methodId ?? first.id,
    },
  );
  const save = useApiMutation(setPayoutRule, {
    showErrorMessage: false,
    onSuccess: (view) => {
      client.setQueryData(ruleQuery().queryKey, view);
      onDone();
    },
  });
  const method = methods.find(({ id }) => id === draft?.methodId) ?? first;
  if (!draft || !method) return null;
  const least = minimum[method.kind];
  const change = (part: Partial<Draft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const isAbove = draft.when === 'above';
  const complaint =
    isAbove && draft.above !== '' ? amountComplaint(draft.above, Number.POSITIVE_INFINITY, least) : undefined;
  const above = isAbove ? (readUsd(draft.above) ?? null) : null;
  const canSave = !isAbove || (above !== null && complaint === undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSave || save.isPending) return;
    const recurrence = draft.when === 'above' ? null : draft.when;
    save.mutate({ body: { rule: { methodId: method.id, recurrence, above } } });
  };
  return (
    <form noValidate className="form grid gap-4" onSubmit={submit} aria-label="Automatic payouts">
      <SelectField
        label="When"
        value={draft.when}
        options={CHOICES.map((value) => ({ value, label: WHEN[value] }))}
        hint={isAbove ? undefined : `Starting today. Minimum ${formatUsd(least)}.`}
        onChange={(event) => change({ when: oneOf(CHOICES, event.currentTarget.value) ?? draft.when })}
      />
      {isAbove && (
        <TextField
          label="More than"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={draft.above}
          hint={complaint === undefined ? `At least ${formatUsd(least)}` : undefined}
          error={complaint}
          onChange={(event) => change({ above: event.currentTarget.value })}
        />
      )}
      <SelectField
        label="To"
        value={method.id}
        options={methods.map(({ id, words }) => ({ value: id, label: words }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change({ methodId: methods.find(({ id }) => id === value)?.id ?? draft.methodId });
        }}
      />
      {save.error && <Refusal message={save.error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!canSave} busy={save.isPending} busyText="Saving…">
          Save
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        {rule && (
          <Button variant="quiet" disabled={save.isPending} onClick={() => save.mutate({ body: { rule: null } })}>
            Turn off automatic payouts
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
  const kept = methods.filter(({ state }) => state !== 'invalid');
  const { rule } = view;
  return (
    <section aria-labelledby="automatic">
      <SectionHead id="automatic" title="Automatic payouts" />
      {isOpen ? (
        <RuleForm rule={rule} methods={kept} onDone={() => setOpen(false)} />
      ) : (
        <>
          {rule ? (
            <Present view={view} rule={rule} now={now} />
          ) : (
            <p className="text-muted">
              {kept.length > 0 ? 'Automatic payouts are off.' : 'Add a payout method to turn on automatic payouts.'}
            </p>
          )}
          {kept.length > 0 && (
            <Button className="mt-4" onClick={() => setOpen(true)}>
              {rule ? 'Change' : 'Set up'}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
