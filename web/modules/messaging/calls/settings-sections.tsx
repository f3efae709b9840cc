/** The prices of calls and the rule who may call, as parts of the call settings. */
import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { CALLER_RULES, type CallerRule } from '@stagedoor/contract/messaging/caller-rules.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, calculatePercent, formatCents } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { MoneyField } from '../../../platform/money-field.tsx';
import { apiQuery } from '../../../platform/query.ts';
import { findOptionTierId, useSubscriberOptions } from '../../../platform/subscriber-options.ts';
import { RadioRows, Switch } from '../../../ui/choice.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { SectionHead } from '../../../ui/label.tsx';
import { type CallSettingsDraft, formatRateLimits } from './settings-draft.ts';
import * as texts from './texts.ts';

const DEFAULT_RATE = 2;

function CreatorShare({ typed }: { typed: string }) {
  const fees = useQuery(apiQuery(getCreatorFees, {})).data;
  const cents = Math.round((parseUsd(typed) ?? 0) * 100);
  if (!fees || cents <= 0) return null;
  const gross = asCents(cents);
  return (
    <p className="num pt-1 text-small whitespace-normal! text-muted">
      {formatNodes(texts.creatorShareHint, {
        price: formatCents(gross),
        share: <strong className="text-ink">{formatCents(gross - calculatePercent(gross, fees.effectiveFee))}</strong>,
      })}
    </p>
  );
}

export function RateField({
  label,
  value,
  limit,
  error,
  onChange,
}: {
  label: string;
  value: string | null;
  limit: PriceLimit;
  error: string | undefined;
  onChange: (value: string | null) => void;
}) {
  return (
    <div className="border-t border-line">
      <Switch
        row
        label={formatText(texts.callsOfKind, { callKind: label })}
        hint={value === null ? texts.notOffered : undefined}
        checked={value !== null}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked ? Math.min(Math.max(DEFAULT_RATE, limit.min), limit.max).toFixed(2) : null,
          )
        }
      />
      {value !== null && (
        <div className="pb-4">
          <MoneyField
            label={formatText(texts.kindPerMinute, { callKind: label })}
            maxLength={8}
            value={value}
            hint={error === undefined ? formatRateLimits(limit) : undefined}
            error={error}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {!error && <CreatorShare typed={value} />}
        </div>
      )}
    </div>
  );
}

const RULE_TEXTS: Readonly<Record<CallerRule, { title: string; sub: string }>> = {
  everyone: { title: texts.everyone, sub: texts.everyoneHint },
  conversations: { title: texts.openConversations, sub: texts.openConversationsHint },
  followers: { title: texts.followers, sub: texts.followersHint },
  buyers: { title: texts.buyers, sub: texts.buyersHint },
  subscribers: { title: texts.subscribers, sub: texts.subscribersHint },
};

export function CallerSection({
  rule,
  tierId,
  change,
}: {
  rule: CallerRule;
  tierId: CallSettingsDraft['callerTierId'];
  change: (part: Partial<CallSettingsDraft>) => void;
}) {
  const id = useId();
  const options = useSubscriberOptions();
  // Without tiers there are no subscribers, so the rule is only shown while it is set.
  const rules = CALLER_RULES.filter((each) => each !== 'subscribers' || options.length > 0 || rule === each);
  return (
    <section aria-labelledby={id} className="pt-10">
      <SectionHead id={id} title={texts.whoCanCallYou} />
      <RadioRows
        plain
        name="callerRule"
        label={texts.whoCanCallYou}
        value={rule}
        choices={rules.map((value) => ({ value, ...RULE_TEXTS[value] }))}
        onValueChange={(value) => {
          const callerRule = CALLER_RULES.find((each) => each === value);
          if (callerRule) change({ callerRule, callerTierId: null });
        }}
      />
      {rule === 'subscribers' && options.length > 0 && (
        <SelectField
          className="pt-4"
          label={texts.whichSubscribers}
          options={options}
          value={tierId ?? ''}
          onChange={(event) => change({ callerTierId: findOptionTierId(options, event.currentTarget.value) })}
        />
      )}
      <p className="mt-4 text-note text-muted">{texts.declinedFansHint}</p>
    </section>
  );
}
