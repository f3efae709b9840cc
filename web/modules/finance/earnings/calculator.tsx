import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents, toCents } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { useState } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { Segmented } from '../../../ui/choice.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { calculateNet, calculatePrice } from './price-calculation.ts';
import * as texts from './texts.ts';

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
  if (usd === undefined) return { error: texts.validAmountRequired };
  const cents = Math.round(usd * 100);
  const [minCents, maxCents] = side === 'price' ? [min, max] : [calculateNet(min, percent), calculateNet(max, percent)];
  if (cents < minCents || cents > maxCents)
    return {
      error: formatText(texts.amountRangeError, { minimum: formatCents(minCents), maximum: formatCents(maxCents) }),
    };
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
    <MoneyField
      className="min-w-0"
      label={label}
      maxLength={9}
      value={getText(side)}
      error={side === entry.side ? error : undefined}
      onChange={(event) => setEntry({ side, text: event.currentTarget.value })}
    />
  );
  return (
    <section aria-labelledby="calculator">
      <SectionHead id="calculator" title={texts.priceCalculator} />
      <Segmented
        name="kind"
        label={texts.typeLabel}
        className="mb-4"
        value={kind}
        options={KINDS.map((value) => ({ value, label: MONEY_KINDS[value]?.title ?? value }))}
        onValueChange={(value) => setKind(parseOption(KINDS, value) ?? kind)}
      />
      <div className="grid grid-cols-2 gap-3 pb-4">
        {field('price', kind === 'call' ? texts.fanPaysPerMinute : texts.fanPays)}
        {field('net', texts.youWantToEarn)}
      </div>
      <p className="pb-3 text-small text-muted">
        {formatText(texts.amountHint, { minimum: formatCents(min), maximum: formatCents(max) })}
      </p>
      {priceCents !== undefined && (
        <PriceSummary
          live
          items={[
            { name: kind === 'call' ? texts.fanPaysPerMinute : texts.fanPays, value: formatCents(priceCents) },
            { name: `Platform fee, ${percent}%`, value: formatCents(calculateNet(priceCents, percent) - priceCents) },
          ]}
          total={{ name: texts.youEarn, value: formatCents(calculateNet(priceCents, percent)) }}
        />
      )}
    </section>
  );
}
