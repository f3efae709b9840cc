/**
 * Subscriptions of the sandbox. Renewals are charged by a clock that the control route moves, so that tests do not wait for
 * them.
 */
import { type RecurringTerms, UNLIMITED_REBILLS } from '../flexforms.ts';
import { getMerchant } from '../merchant.ts';
import type { RecurringEventType } from '../webhook-body.ts';
import { type RecurringSale, type SandboxRecurring, type SandboxSale, toRecurringMessage } from './messages.ts';
import type { Sandbox } from './state.ts';

const DAY_MS = 24 * 60 * 60_000;
/** CCBill tries a declined card again after some days. */
const RETRY_DAYS = 3;

export const isRecurringSale = (sale: SandboxSale): sale is RecurringSale => sale.recurring !== undefined;

const addDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);

export function startRecurring(
  { aheadMs: startAheadMs }: Sandbox,
  terms: RecurringTerms,
  first: { days: number; at: Date },
): SandboxRecurring {
  return { ...terms, status: 'active', nextRenewalAt: addDays(first.at, first.days), startAheadMs, charges: [] };
}

/** Returns the current time of a subscription: by the clock as it was moved since the sale. */
export function getSubscriptionTime({ ctx, aheadMs }: Sandbox, { startAheadMs }: SandboxRecurring): Date {
  return new Date(ctx.clock.now().getTime() + aheadMs - startAheadMs);
}

/** Changes a subscription by an event, whatever its state, and sends the webhook. */
export function changeRecurring(
  sandbox: Sandbox,
  sale: RecurringSale,
  { eventType, at, nextRenewalAt }: { eventType: RecurringEventType; at: Date; nextRenewalAt?: Date | undefined },
): void {
  const { recurring } = sale;
  const isCharge = eventType === 'RenewalSuccess' || eventType === 'RenewalFailure';
  const charge = isCharge
    ? { id: sandbox.nextId(), priceCents: recurring.priceCents, soldAt: at, reversedCents: 0 }
    : undefined;
  switch (eventType) {
    case 'RenewalSuccess':
      if (charge) recurring.charges.push(charge);
      recurring.nextRenewalAt = addDays(at, recurring.periodDays);
      break;
    case 'RenewalFailure':
      recurring.nextRenewalAt = addDays(at, RETRY_DAYS);
      break;
    case 'Cancellation':
      recurring.status = 'canceled';
      recurring.canceledAt = at;
      break;
    case 'Expiration':
      recurring.status = 'expired';
      break;
    case 'UserReactivation':
      recurring.status = 'active';
      recurring.canceledAt = undefined;
      break;
    case 'BillingDateChange':
      break;
  }
  if (nextRenewalAt) recurring.nextRenewalAt = nextRenewalAt;
  sandbox.storeRecurring(sale, toRecurringMessage(sale, getMerchant(sandbox.ctx.config), { eventType, at, charge }));
}

function runNextEvent(sandbox: Sandbox, sale: RecurringSale): void {
  const { recurring } = sale;
  const at = recurring.nextRenewalAt;
  const isLast = recurring.rebills !== UNLIMITED_REBILLS && recurring.charges.length >= recurring.rebills;
  if (recurring.status === 'canceled' || isLast) changeRecurring(sandbox, sale, { eventType: 'Expiration', at });
  else {
    const eventType = sandbox.isDecliningRenewals ? 'RenewalFailure' : 'RenewalSuccess';
    changeRecurring(sandbox, sale, { eventType, at });
  }
}

/** Charges, declines or expires the subscriptions that are due by the moved clock, earliest first. */
export function runDueRenewals(sandbox: Sandbox): void {
  const isDue = ({ recurring }: RecurringSale) =>
    recurring.status !== 'expired' && recurring.nextRenewalAt <= getSubscriptionTime(sandbox, recurring);
  for (;;) {
    const [next] = [...sandbox.sales.values()]
      .filter(isRecurringSale)
      .filter(isDue)
      .sort((a, b) => a.recurring.nextRenewalAt.getTime() - b.recurring.nextRenewalAt.getTime());
    if (!next) return;
    runNextEvent(sandbox, next);
  }
}
