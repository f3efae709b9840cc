import { formatCents, readUsd, toCents } from '@stagedoor/contract/atoms/money.ts';
import { MONEY_KINDS } from '@stagedoor/contract/money-kinds.ts';
import { useState } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { Segmented } from '../../ui/choice.tsx';
import { Sum } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { netOf, priceFor } from './reckon.ts';

const PRICES = { call: 'callRate', chat: 'chatMedia', tip: 'tip', post: 'post' } as const;
const KINDS = ['call', 'chat', 'tip', 'post'] as const;
type Kind = (typeof KINDS)[number];
type Side = 'price' | 'net';

const written = (cents: number) => (cents / 100).toFixed(2);

export function readSide(
  side: Side,
  typed: string,
  { min, max }: { min: number; max: number },
  percent: number,
): { priceCents: number; complaint?: undefined } | { priceCents?: undefined; complaint: string } {
  const usd = readUsd(typed);
  if (usd === undefined) return { complaint: 'Please enter valid amount' };
  const cents = Math.round(usd * 100);
  const [least, most] = side === 'price' ? [min, max] : [netOf(min, percent), netOf(max, percent)];
  if (cents < least || cents > most) return { complaint: `Between ${formatCents(least)} and ${formatCents(most)}` };
  return { priceCents: side === 'price' ? cents : priceFor(cents, percent) };
}

export function Calculator({ percent }: { percent: number }) {
  const [kind, setKind] = useState<Kind>('post');
  const [entry, setEntry] = useState<{ side: Side; typed: string }>({ side: 'price', typed: '12.00' });
  const limit = usePriceLimit(PRICES[kind]);
  const [min, max] = [toCents(limit.min), toCents(limit.max)];
  const { priceCents, complaint } = readSide(entry.side, entry.typed, { min, max }, percent);
  const shown = (side: Side) => {
    if (side === entry.side) return entry.typed;
    if (priceCents === undefined) return '';
    return written(side === 'price' ? priceCents : netOf(priceCents, percent));
  };
  const field = (side: Side, label: string) => (
    <TextField
      className="min-w-0"
      label={label}
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      maxLength={9}
      value={shown(side)}
      error={side === entry.side ? complaint : undefined}
      onChange={(event) => setEntry({ side, typed: event.currentTarget.value })}
    />
  );
  return (
    <section aria-labelledby="calculator">
      <SectionHead id="calculator" title="Price calculator" />
      <Segmented
        name="kind"
        label="Type"
        className="mb-4"
        value={kind}
        options={KINDS.map((value) => ({ value, label: MONEY_KINDS[value]?.title ?? value }))}
        onValueChange={(value) => setKind(oneOf(KINDS, value) ?? kind)}
      />
      <div className="grid grid-cols-2 gap-3 pb-4">
        {field('price', kind === 'call' ? 'Fan pays per minute' : 'Fan pays')}
        {field('net', 'You want to earn')}
      </div>
      <p className="pb-3 text-small text-muted">
        Allowed: {formatCents(min)} to {formatCents(max)}. Enter either amount.
      </p>
      {priceCents !== undefined && (
        <Sum
          live
          lines={[
            { name: kind === 'call' ? 'Fan pays per minute' : 'Fan pays', value: formatCents(priceCents) },
            { name: `Platform fee, ${percent}%`, value: formatCents(netOf(priceCents, percent) - priceCents) },
          ]}
          total={{ name: 'You earn', value: formatCents(netOf(priceCents, percent)) }}
        />
      )}
    </section>
  );
}
