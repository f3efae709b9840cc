import { cancelPayout, type Payout } from '@stagedoor/contract/finance/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime, formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../ui/expandable-row.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { invalidatePayouts, PAYOUT_STATUS_LABELS, payoutQuery } from './queries.ts';
import * as texts from './texts.ts';

function Timeline({ id }: { id: Payout['id'] }) {
  const query = useQuery(payoutQuery(id));
  if (query.isError)
    return (
      <p className="proof">
        <span>{texts.couldntLoadPayoutStatus}</span>
        <Button variant="quiet" onClick={() => void query.refetch()}>
          {texts.tryAgain}
        </Button>
      </p>
    );
  if (!query.data) return <p className="proof text-muted">{texts.loading}</p>;
  const { timeline, reference } = query.data;
  return (
    <>
      <ol className="track" aria-label={texts.status}>
        {timeline.map(({ event, label, at }, index) => (
          <li key={`${event} ${at}`} aria-current={index === timeline.length - 1 ? 'step' : undefined}>
            <span>{label}</span>
            <span className="track__when num">{formatExactTime(at)}</span>
          </li>
        ))}
      </ol>
      {reference !== null && (
        <p className="pt-2 text-small wrap-anywhere text-muted">{formatText(texts.reference, { reference })}</p>
      )}
    </>
  );
}

function CancelButton({ payout }: { payout: Payout }) {
  const client = useQueryClient();
  const cancel = useApiMutation(cancelPayout, {
    onSuccess: async ({ amount }) => {
      invalidatePayouts(client);
      await showToast(formatText(texts.amountAvailableAgain, { amount: formatUsd(amount) }), 'success');
    },
    onError: () => invalidatePayouts(client),
  });
  return (
    <Button
      wide
      className="mt-4"
      busy={cancel.isPending}
      busyText={texts.canceling}
      onClick={() => cancel.mutate({ params: { id: payout.id } })}
    >
      {texts.cancelRequest}
    </Button>
  );
}

function PayoutRow({ payout, now }: { payout: Payout; now: string }) {
  const [isOpened, setOpened] = useState(false);
  const { amount, fee, net, method, status, isAutomatic, reason, canCancel } = payout;
  return (
    <ExpandableRow
      lead={<Glyph icon="wallet" />}
      title={method.label}
      sub={[formatDayTime(payout.createdAt, now), isAutomatic && 'automatic'].filter(Boolean).join(' · ')}
      amount={formatUsd(amount)}
      status={PAYOUT_STATUS_LABELS[status]}
      void={status === 'rejected' || status === 'cancel'}
      onOpen={() => setOpened(true)}
    >
      <PriceSummary
        items={[
          { name: 'Requested', value: formatUsd(amount) },
          ...(fee > 0 ? [{ name: 'Fee', value: formatUsd(-fee) }] : []),
        ]}
        total={{ name: texts.youReceive, value: formatUsd(net) }}
      />
      {reason !== null && <p className="py-3 text-small">{reason}</p>}
      {isOpened && <Timeline id={payout.id} />}
      {canCancel && <CancelButton payout={payout} />}
    </ExpandableRow>
  );
}

/** `now` is an ISO timestamp. */
export function PayoutList({ payouts, now }: { payouts: readonly Payout[]; now: string }) {
  return (
    <ExpandableRows label={texts.payouts}>
      {payouts.map((payout) => (
        <PayoutRow key={payout.id} payout={payout} now={now} />
      ))}
    </ExpandableRows>
  );
}
