import { callReceiptPath } from '@stagedoor/contract/addresses.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Transaction } from '@stagedoor/contract/wallet.ts';
import { isolated } from '../../kernel/bidi.ts';
import { formatDayTime, formatTalk } from '../../kernel/dates.ts';
import { FactList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { UiLink } from '../../ui/link.tsx';
import { AmountRow, Glyph, Rows } from '../../ui/rows.tsx';
import { amountText, amountWord, receiptHref } from './money-words.ts';

type Call = NonNullable<Transaction['call']>;

const KIND_WORDS = { video: 'Video call', audio: 'Voice call' } as const;

function sumOf({ isOver, held, charged, givenBack }: Call): { amount: string; word: string } {
  if (!isOver) return { amount: formatUsd(-held, { sign: true }), word: 'Held' };
  return charged === 0
    ? { amount: formatUsd(0), word: 'Free' }
    : { amount: formatUsd(-charged, { sign: true }), word: givenBack === charged ? 'Refunded' : 'Paid' };
}

function lengthOf({ isOver, seconds, rate }: Call): string {
  if (!isOver) return `In progress at ${formatRate(rate)}`;
  return seconds > 0 ? `${formatTalk(seconds)} at ${formatRate(rate)}` : 'Not connected';
}

export function CallRow({ call, movements, now }: { call: Call; movements: readonly Transaction[]; now: string }) {
  const [last] = movements;
  const { amount, word } = sumOf(call);
  const name = last?.counterpart?.name;
  return (
    <li>
      <details className="group">
        <summary className="row cursor-pointer">
          <Glyph icon={call.kind === 'video' ? 'video' : 'phone'} />
          <span className="min-w-0">
            <bdi className="row__title one-line">
              {KIND_WORDS[call.kind]}
              {name && ` with ${isolated(name)}`}
            </bdi>
            <span className="row__sub">
              {lengthOf(call)}
              {last && ` · ${formatDayTime(last.createdAt, now)}`}
            </span>
          </span>
          <span className="row__end num">
            <span>{amount}</span>
            <small>
              {word} <Icon name="chevron-down" size={14} className="inline group-open:rotate-180" />
            </small>
          </span>
        </summary>
        <div className="pb-4 md:pl-[58px]">
          <FactList
            facts={[
              { name: 'Held', value: formatUsd(call.held) },
              { name: 'Charged', value: formatUsd(call.charged) },
              { name: 'Released', value: formatUsd(call.released) },
              ...(call.givenBack > 0 ? [{ name: 'Refunded', value: formatUsd(call.givenBack) }] : []),
            ]}
          />
          <UiLink href={callReceiptPath('fan', call.id)} className="link inline-flex min-h-11 items-center">
            Call receipt
          </UiLink>
          <Rows label="Call transactions">
            {movements.map((each) => (
              <AmountRow
                key={each.id}
                title={each.type === 'call' ? `Charged ${formatUsd(call.charged)}, rest released` : each.title}
                sub={formatDayTime(each.createdAt, now)}
                amount={amountText(each)}
                word={amountWord(each)}
                href={receiptHref(each.id)}
              />
            ))}
          </Rows>
        </div>
      </details>
    </li>
  );
}
