import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { formatCents, parseUsd, toCents } from '@stagedoor/contract/shared/money.ts';
import { useState } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { Segmented } from '../../../ui/choice.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { calculateNet, calculatePrice } from './price-calculation.ts';

const PRICE_KIND_BY_SALE = { call: 'callRate', chat: 'chatMedia', tip: 'tip', post: 'post' } as const;
const KINDS = ['call', 'chat', 'tip', 'post'] as const;
type Kind = (typeof KINDS)[number];
type CalculatorSide = 'price' | 'net';

const formatInput = (cents: number) => (cents / 100).toFixed(2);

export function parseSide(
  side: CalculatorSide,
  text: string,
  { min, max }: { min: number; max: number },
  percent: number,
): { priceCents: number; error?: undefined } | { priceCents?: undefined; error: string } {
  const usd = parseUsd(text);
  if (usd === undefined) return { error: 'Please enter valid amount' };
  const cents = Math.round(usd * 100);
  const [minCents, maxCents] = side === 'price' ? [min, max] : [calculateNet(min, percent), calculateNet(max, percent)];
  if (cents < minCents || cents > maxCents)
    return { error: `Between ${formatCents(minCents)} and ${formatCents(maxCents)}` };
  return { priceCents: side === 'price' ? cents : calculatePrice(cents, percent) };
}

export function Calculator({ percent }: { percent: number }) {
  const [kind, setKind] = useState<Kind>('post');
  const [entry, setEntry] = useState<{ side: CalculatorSide; text: string }>({ side: 'price', text: '12.00' });
  const limit = usePriceLimit(PRICE_KIND_BY_SALE[kind]);
  const [min, max] = [toCents(limit.min), toCents(limit.max)];
  const { priceCents, error } = parseSide(entry.side, entry.text, { min, max }, percent);
  const getText = (side: CalculatorSide) => {
    if (side === entry.side) return entry.text;
    if (priceCents === undefined) return '';
    return formatInput(side === 'price' ? priceCents : calculateNet(priceCents, percent));
  };
  const field = (side: CalculatorSide, label: string) => (
    <TextField
      className="min-w-0"
      label={label}
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      maxLength={9}
      value={getText(side)}
      error={side === entry.side ? error : undefined}
      onChange={(event) => setEntry({ side, text: event.currentTarget.value })}
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
        onValueChange={(value) => setKind(parseOption(KINDS, value) ?? kind)}
      />
      <div className="grid grid-cols-2 gap-3 pb-4">
        {field('price', kind === 'call' ? 'Fan pays per minute' : 'Fan pays')}
        {field('net', 'You want to earn')}
      </div>
      <p className="pb-3 text-small text-muted">
        Allowed: {formatCents(min)} to {formatCents(max)}. Enter either amount.
      </p>
      {priceCents !== undefined && (
        <PriceSummary
          live
          items={[
            { name: kind === 'call' ? 'Fan pays per minute' : 'Fan pays', value: formatCents(priceCents) },
            { name: `Platform fee, ${percent}%`, value: formatCents(calculateNet(priceCents, percent) - priceCents) },
          ]}
          total={{ name: 'You earn', value: formatCents(calculateNet(priceCents, percent)) }}
        />
      )}
    </section>
  );
}
