import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { cancelPayout, type Payout } from '@stagedoor/contract/payouts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime, formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { Entries, Entry } from '../../ui/entry.tsx';
import { Sum } from '../../ui/facts.tsx';
import { Glyph } from '../../ui/rows.tsx';
import { forgetPayouts, payoutQuery, STATE_WORDS } from './queries.ts';

function Track({ id }: { id: Payout['id'] }) {
  const query = useQuery(payoutQuery(id));
  if (query.isError)
    return (
      <p className="proof">
        <span>Couldn’t load payout status.</span>
        <Button variant="quiet" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </p>
    );
  if (!query.data) return <p className="proof text-muted">Loading…</p>;
  const { track, reference } = query.data;
  return (
    <>
      <ol className="track" aria-label="Status">
        {track.map(({ moment, words, at }, index) => (
          <li key={`${moment} ${at}`} aria-current={index === track.length - 1 ? 'step' : undefined}>
            <span>{words}</span>
            <span className="track__when num">{formatExact(at)}</span>
          </li>
        ))}
      </ol>
      {reference !== null && <p className="pt-2 text-small wrap-anywhere text-muted">Reference {reference}</p>}
    </>
  );
}

function Cancel({ payout }: { payout: Payout }) {
  const client = useQueryClient();
  const cancel = useApiMutation(cancelPayout, {
    onSuccess: async ({ amount }) => {
      forgetPayouts(client);
      await showToast(`${formatUsd(amount)} is available again.`, 'success');
    },
    onError: () => forgetPayouts(client),
  });
  return (
    <Button
      wide
      className="mt-4"
      busy={cancel.isPending}
      busyText="Canceling…"
      onClick={() => cancel.mutate({ params: { id: payout.id } })}
    >
      Cancel request
    </Button>
  );
}

function Line({ payout, now }: { payout: Payout; now: string }) {
  const [isOpened, setOpened] = useState(false);
  const { amount, fee, net, method, status, isAutomatic, reason, canCancel } = payout;
  return (
    <Entry
      lead={<Glyph icon="wallet" />}
      title={method.words}
      sub={[formatDayTime(payout.createdAt, now), isAutomatic && 'automatic'].filter(Boolean).join(' · ')}
      amount={formatUsd(amount)}
      word={STATE_WORDS[status]}
      void={status === 'rejected' || status === 'cancel'}
      onOpen={() => setOpened(true)}
    >
      <Sum
        lines={[
          { name: 'Requested', value: formatUsd(amount) },
          ...(fee > 0 ? [{ name: 'Fee', value: formatUsd(-fee) }] : []),
        ]}
        total={{ name: 'You receive', value: formatUsd(net) }}
      />
      {reason !== null && <p className="py-3 text-small">{reason}</p>}
      {isOpened && <Track id={payout.id} />}
      {canCancel && <Cancel payout={payout} />}
    </Entry>
  );
}

/** `now` is an ISO timestamp. */
export function Payouts({ payouts, now }: { payouts: readonly Payout[]; now: string }) {
  return (
    <Entries label="Payouts">
      {payouts.map((payout) => (
        <Line key={payout.id} payout={payout} now={now} />
      ))}
    </Entries>
  );
}
