/** What happens to renewals that fell due while subscriptions were stopped, with their number and sum. */
import { MISSED_RENEWALS, type MissedRenewals } from '@stagedoor/contract/admin/kill-switches.ts';
import { getSubscriptionOverview } from '@stagedoor/contract/admin/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { RadioRows } from '../../../../ui/choice.tsx';
import * as texts from './texts.ts';

const LABELS: Readonly<Record<MissedRenewals, { title: string; sub: string }>> = {
  charge: { title: texts.chargeOnce, sub: texts.chargeOnceHint },
  waive: { title: texts.waive, sub: texts.waiveHint },
};

export function MissedRenewalsChoice({
  value,
  onChange,
}: {
  value: MissedRenewals;
  onChange: (value: MissedRenewals) => void;
}) {
  const id = useId();
  const { data } = useQuery({ ...apiQuery(getSubscriptionOverview, {}), staleTime: 0 });
  return (
    <div>
      <p id={id} className="field__label">
        {texts.missedRenewals}
      </p>
      {data?.paused && (
        <p className="num pb-2 text-small text-muted">
          {formatText(texts.missedCount, {
            count: formatCount(data.paused.count, 'renewal'),
            amount: formatUsd(data.paused.amount),
            time: formatExactTime(data.paused.since),
          })}
        </p>
      )}
      <RadioRows
        plain
        name="missedRenewals"
        labelledBy={id}
        value={value}
        choices={MISSED_RENEWALS.map((each) => ({ value: each, ...LABELS[each] }))}
        onValueChange={(chosen) => onChange(MISSED_RENEWALS.find((each) => each === chosen) ?? 'charge')}
      />
    </div>
  );
}
