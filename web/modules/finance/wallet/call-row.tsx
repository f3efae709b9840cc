import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { callReceiptPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCallDuration, formatDayTime } from '../../../platform/dates.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { AmountRow, Glyph, Rows } from '../../../ui/rows.tsx';
import { formatMovement, toMovementLabel, toReceiptHref } from './money-labels.ts';
import * as texts from './texts.ts';

type Call = NonNullable<WalletTransaction['call']>;

const KIND_LABELS = { video: texts.videoCall, audio: texts.voiceCall } as const;

function toAmount({ isOver, held, charged, refunded }: Call): { amount: string; status: string } {
  if (!isOver) return { amount: formatUsd(-held, { sign: true }), status: texts.held };
  return charged === 0
    ? { amount: formatUsd(0), status: texts.free }
    : { amount: formatUsd(-charged, { sign: true }), status: refunded === charged ? texts.refunded : texts.paid };
}

function formatLength({ isOver, seconds, rate }: Call): string {
  if (!isOver) return formatText(texts.inProgressAtRate, { rate: formatRate(rate) });
  return seconds > 0
    ? formatText(texts.durationAtRate, { duration: formatCallDuration(seconds), rate: formatRate(rate) })
    : texts.notConnected;
}

export function CallRow({
  call,
  movements,
  now,
}: {
  call: Call;
  movements: readonly WalletTransaction[];
  now: string;
}) {
  const [last] = movements;
  const { amount, status } = toAmount(call);
  const name = last?.otherUser?.name;
  return (
    <li>
      <details className="group">
        <summary className="row cursor-pointer">
          <Glyph icon={call.kind === 'video' ? 'video' : 'phone'} />
          <span className="min-w-0">
            <bdi className="row__title one-line">
              {KIND_LABELS[call.kind]}
              {name && formatText(texts.withUser, { name: isolateText(name) })}
            </bdi>
            <span className="row__sub">
              {formatLength(call)}
              {last && ` · ${formatDayTime(last.createdAt, now)}`}
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
          <Rows label={texts.callTransactions}>
            {movements.map((movement) => (
              <AmountRow
                key={movement.id}
                title={
                  movement.type === 'call'
                    ? formatText(texts.chargedRestReleased, { amount: formatUsd(call.charged) })
                    : movement.title
                }
                sub={formatDayTime(movement.createdAt, now)}
                amount={formatMovement(movement)}
                status={toMovementLabel(movement)}
                href={toReceiptHref(movement.id)}
              />
            ))}
          </Rows>
        </div>
      </details>
    </li>
  );
}
