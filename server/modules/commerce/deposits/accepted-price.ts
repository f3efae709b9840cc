import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import * as texts from './texts.ts';

/** Renewals need DataLink, which confirms and cancels them. */
export function canPaySubscriptions({ config }: Pick<Context, 'config'>): boolean {
  return config.payments.hasSubscriptions && config.payments.dataLink !== undefined;
}

/** Throws FORBIDDEN beyond the limits of the card processor. `payableCents` includes the fee. */
export function requireAcceptedPrice({ config, log }: Pick<Context, 'config' | 'log'>, payableCents: number): void {
  const { maxCents, minCents } = config.payments;
  if (payableCents > maxCents) {
    log.warn(
      { payableCents, maxCents },
      'a payment was refused: its price is above the card processor’s maximum; ask CCBill to raise the maximum, then set CCBILL_MAX_USD',
    );
    throw new AppError('FORBIDDEN', {
      message: formatText(texts.paymentAboveMaximum, { max: formatCents(asCents(maxCents)) }),
    });
  }
  if (payableCents < minCents) {
    throw new AppError('FORBIDDEN', {
      message: formatText(texts.paymentBelowMinimum, { min: formatCents(asCents(minCents)) }),
    });
  }
}
