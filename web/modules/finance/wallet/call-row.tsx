import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import type { CallEndReason } from '@stagedoor/contract/messaging/call-states.ts';
import { getCallLog } from '@stagedoor/contract/messaging/calls.ts';
import { callReceiptPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCallDuration, formatDayTime } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { AmountRow, Glyph, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { toReceiptHref } from './money-labels.ts';
import * as texts from './texts.ts';

type Call = NonNullable<WalletTransaction['call']>;

const CALL_TITLE = MONEY_KINDS.call?.title;
const REFUND_TITLE = MONEY_KINDS.sale_refund?.title;
const KIND_LABELS = { video: texts.videoCall, audio: texts.voiceCall } as const;

function toAmount({ isOver, held, charged, refunded }: Call): { amount: string; status: string } {
  if (!isOver) return { amount: formatUsd(-held, { sign: true }), status: texts.held };
  return charged === 0
    ? { amount: formatUsd(0), status: texts.free }
    : { amount: formatUsd(-charged, { sign: true }), status: refunded === charged ? texts.refunded : texts.paid };
}

const UNANSWERED_LABELS: Partial<Record<CallEndReason, string>> = {
  cancelled: texts.canceled,
  noAnswer: texts.noAnswer,
  offline: texts.noAnswer,
  unavailable: texts.noAnswer,
  busy: texts.busy,
};

export function formatCallLength({ isOver, seconds, rate, reason }: Call): string {
  if (!isOver) return formatText(texts.inProgressAtRate, { rate: formatRate(rate) });
  return seconds > 0
    ? formatText(texts.durationAtRate, { duration: formatCallDuration(seconds), rate: formatRate(rate) })
    : (UNANSWERED_LABELS[reason ?? 'notConnected'] ?? texts.notConnected);
}

/** The amounts that were held, released and refunded are read when the row opens. */
function CallEntries({ id, charged, now }: { id: string; charged: number; now: string }) {
  const { data, isError, isFetching, refetch } = useQuery(apiQuery(getCallLog, { params: { id } }));
  if (!data) {
    if (isError && !isFetching) return <ErrorState onRetry={() => void refetch()} />;
    return <SkeletonRows count={2} />;
  }
  return (
    <Rows label={texts.callTransactions}>
      {data.entries.map((entry) => (
        <AmountRow
          key={entry.id}
          title={
            entry.title === CALL_TITLE
              ? formatText(texts.chargedRestReleased, { amount: formatUsd(charged) })
              : entry.title
          }
          sub={formatDayTime(entry.createdAt, now)}
          amount={formatUsd(entry.amount, { sign: true })}
          status={entry.amount < 0 ? texts.held : entry.title === REFUND_TITLE ? texts.refunded : texts.released}
          href={toReceiptHref(entry.id)}
        />
      ))}
    </Rows>
  );
}

export function CallRow({
  call,
  transaction,
  now,
}: {
  call: Call;
  transaction: Pick<WalletTransaction, 'otherUser' | 'createdAt'>;
  now: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const { amount, status } = toAmount(call);
  const name = transaction.otherUser?.name;
  return (
    <li>
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="row cursor-pointer">
          <Glyph icon={call.kind === 'video' ? 'video' : 'phone'} />
          <span className="min-w-0">
            <bdi className="row__title one-line">
              {KIND_LABELS[call.kind]}
              {name && formatText(texts.withUser, { name: isolateText(name) })}
            </bdi>
            <span className="row__sub">
              {formatCallLength(call)} · {formatDayTime(transaction.createdAt, now)}
            </span>
          </span>
          <span className="row__end num">
            <span>{amount}</span>
            <small>
              {status} <Icon name="chevron-down" size={14} className="inline group-open:rotate-180" />
            </small>
          </span>
        </summary>
        <div className="pb-4 md:pl-[58px]">
          <DefinitionList
            items={[
              { name: 'Held', value: formatUsd(call.held) },
              { name: 'Charged', value: formatUsd(call.charged) },
              { name: 'Released', value: formatUsd(call.released) },
              ...(call.refunded > 0 ? [{ name: 'Refunded', value: formatUsd(call.refunded) }] : []),
            ]}
          />
          <UiLink href={callReceiptPath('fan', call.id)} className="link inline-flex min-h-11 items-center">
            {texts.callReceipt}
          </UiLink>
          {isOpen && <CallEntries id={call.id} charged={call.charged} now={now} />}
        </div>
      </details>
    </li>
  );
}
