/** Settlements of the card processor, booked by operators. They reduce what the processor owes. */
import * as z from 'zod/mini';
import { createDaySchema } from '../shared/days.ts';
import { instant, settlementId, transactionId } from '../shared/ids.ts';
import { signedUsd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

/** Platform totals exceed the limit of requests. */
export const settlementAmount = signedUsd.check(
  z.gte(0, 'Please enter valid amount'),
  z.lte(100_000_000, 'Please enter valid amount'),
);
/** Spaces and case are ignored in comparisons. */
const settlementReference = z.string().check(
  z.trim(),
  z.overwrite((text) => text.replace(/ +/g, ' ')),
  z.minLength(1, 'Enter the reference.'),
  z.maxLength(60, 'At most 60 characters'),
  z.regex(/^[\x20-\x7e]*$/, 'Use only letters, digits and symbols'),
);
const ledgerAmount = z.number();

export const settlement = z.object({
  id: settlementId,
  reference: z.string(),
  day: z.string(),
  bank: ledgerAmount,
  fees: ledgerAmount,
  chargebackFees: ledgerAmount,
  /** The processor's debt decreases by this sum. */
  gross: ledgerAmount,
  transactionId,
  bookedAt: instant,
  operator: z.string(),
  reversal: z.nullable(z.object({ at: instant, reason: z.string(), operator: z.string(), transactionId })),
});
export type Settlement = z.infer<typeof settlement>;

export const listSettlements = route({
  method: 'GET',
  path: '/admin/settlements',
  summary: 'List settlements of the card processor, newest first, with the amount it owes and the bank balance',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: z.extend(toPageSchema(settlement), {
    owed: ledgerAmount,
    bank: ledgerAmount,
    today: z.string(),
  }),
});
export const bookSettlement = route({
  method: 'POST',
  path: '/admin/settlements',
  summary: 'Record a settlement; fails with VALIDATION if its reference is already used with other values',
  auth: 'operator',
  rate: 'sensitive',
  body: z.object({
    reference: settlementReference,
    day: createDaySchema('2000-01-01', 'Enter the date.'),
    bank: settlementAmount,
    fees: settlementAmount,
    chargebackFees: settlementAmount,
  }),
  response: settlement,
});
export const reverseSettlement = route({
  method: 'POST',
  path: '/admin/settlements/:id/reversal',
  summary: 'Reverse a settlement; its reference can then be used again',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: settlementId }),
  body: z.object({ reason }),
  response: settlement,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
