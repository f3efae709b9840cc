import type { Subscriber } from '@stagedoor/contract/finance/subscription-figures.ts';

export const COLUMNS = [
  'Name',
  'Username',
  'Tier',
  'Period',
  'Price',
  'Offer',
  'Paid by',
  'Status',
  'Since (UTC)',
  'Paid until (UTC)',
  'Canceled (UTC)',
  'Ended (UTC)',
  'Reason',
  'Total paid',
];
export const weekly = 'Weekly';
export const monthly = 'Monthly';
export const yearly = 'Yearly';
export const canceledState = 'Canceled';
export const PAYMENT_SOURCES: Readonly<Record<Subscriber['paymentSource'], string>> = {
  balance: 'Balance',
  card: 'Card',
};
export const STATES: Readonly<Record<Subscriber['state'], string>> = {
  trial: 'Trial',
  active: 'Active',
  pastDue: 'Payment failed',
  ended: 'Ended',
};
export const END_REASONS: Readonly<Record<NonNullable<Subscriber['endReason']>, string>> = {
  canceled: 'Canceled',
  giftOver: 'Gift is over',
  unpaid: 'Payment failed',
  priceChange: 'New price not accepted',
  tierDeleted: 'Tier deleted',
  refunded: 'Refunded',
  other: 'Other',
};
