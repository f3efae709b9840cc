import { DEPOSIT_STATES, type deposit } from '@stagedoor/contract/commerce/deposits.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type * as z from 'zod/mini';
import type { DepositRow } from './store.ts';
import * as texts from './texts.ts';

const BRANDS: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'American Express',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  DINERS: 'Diners Club',
};

export function formatCardLabel({
  card_brand: brand,
  card_last4: last4,
}: Pick<DepositRow, 'card_brand' | 'card_last4'>): string | null {
  const name = brand === null ? undefined : (BRANDS[brand.toUpperCase()] ?? brand);
  if (last4 === null) return name ?? null;
  return formatText(texts.cardEndingIn, { brand: name ?? 'Card', lastDigits: last4 });
}

export function presentDeposit(row: DepositRow): z.input<typeof deposit> {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status: DEPOSIT_STATES.find((state) => state === row.status) ?? 'pending',
    amount: toUsd(row.amount_cents),
    fee: toUsd(row.fee_cents),
    paid: toUsd(asCents(row.payable_cents)),
    credits: row.credits,
    card: formatCardLabel(row),
    reason: row.reason,
    reversed: toUsd(row.reversed_cents),
    debtPaid: toUsd(asCents(row.debt_paid_cents)),
    returnPath: row.return_path,
    isSubscription: row.recurring_payment_id !== null,
    isUnused: row.is_unused,
  };
}
