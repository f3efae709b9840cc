/**
 * Controls faults, reversals, renewals and the clock of the sandbox: `/sandbox/ccbill/control`, in development and tests
 * only.
 */

import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { formatArizonaDay, parseArizonaDay, parseCents } from '../values.ts';
import { RECURRING_EVENTS, REVERSAL_EVENTS } from '../webhook-body.ts';
import { reverseSale } from './datalink.ts';
import { DEFAULT_BEHAVIOUR } from './delivery.ts';
import { findCharge } from './journal.ts';
import { NO_FLAWS } from './messages.ts';
import { changeRecurring, getSubscriptionTime, isRecurringSale, runDueRenewals } from './recurring.ts';
import type { Sandbox } from './state.ts';

const DAY_MS = 24 * 60 * 60_000;
const flag = z._default(z.boolean(), false);
const instructions = z.object({
  behaviour: z.optional(
    z.object({
      duplicates: z._default(z.number().check(z.int(), z.gte(0), z.lte(20)), 0),
      delayMs: z._default(z.number().check(z.int(), z.gte(0), z.lte(600_000)), 0),
      dropFirst: z._default(z.number().check(z.int(), z.gte(0), z.lte(20)), 0),
      reorder: flag,
      wrongAmount: flag,
      wrongDigest: flag,
      echoDigest: flag,
      wrongCurrency: flag,
      wrongAccount: flag,
      declineRenewals: flag,
      cancelUnanswered: flag,
    }),
  ),
  /**
   * Reverses a payment or changes a subscription, whatever its state, by the CCBill id or our id. The last payment is
   * reversed unless `transactionId` names another one. `amount` defaults to the amount that is not reversed yet.
   */
  trigger: z.optional(
    z.object({
      event: z.enum([...REVERSAL_EVENTS, ...RECURRING_EVENTS]),
      subscriptionId: z.optional(z.string()),
      orderId: z.optional(z.string()),
      transactionId: z.optional(z.string()),
      /** A day in Arizona time, for example 2026-03-31. */
      nextRenewalDate: z.optional(z.string()),
      amount: z.optional(z.string()),
      /** Allows more than is left, as CCBill does when a void and a refund overlap. */
      isForced: flag,
    }),
  ),
  /** Moves the clock of renewals forward and runs the renewals that are due. */
  clock: z.optional(z.object({ advanceDays: z.number().check(z.gt(0), z.lte(3_700)) })),
  release: flag,
});

const findReversalEvent = (event: string) => REVERSAL_EVENTS.find((one) => one === event);
const findRecurringEvent = (event: string) => RECURRING_EVENTS.find((one) => one === event);

function triggerEvent(sandbox: Sandbox, trigger: NonNullable<z.output<typeof instructions>['trigger']>): void {
  const sale = [...sandbox.sales.values()].find(
    ({ id, orderId }) => id === trigger.subscriptionId || orderId === trigger.orderId,
  );
  if (!sale) throw createFieldError('trigger', 'No such payment in this sandbox.');
  const recurringEvent = findRecurringEvent(trigger.event);
  if (recurringEvent) {
    if (!isRecurringSale(sale)) throw createFieldError('trigger', 'This payment does not renew.');
    const at = getSubscriptionTime(sandbox, sale.recurring);
    const nextRenewalAt = parseArizonaDay(trigger.nextRenewalDate);
    changeRecurring(sandbox, sale, { eventType: recurringEvent, at, nextRenewalAt });
    return;
  }
  const reversalEvent = findReversalEvent(trigger.event);
  const lastId = sale.recurring?.charges.at(-1)?.id ?? sale.id;
  const charge = findCharge(sale, trigger.transactionId ?? lastId);
  if (!charge || !reversalEvent) throw createFieldError('trigger', 'No such payment in this sandbox.');
  if (trigger.isForced) charge.reversedCents = 0;
  const remaining = charge.priceCents - charge.reversedCents;
  const amountCents = trigger.amount === undefined ? remaining : parseCents(trigger.amount);
  if (amountCents === undefined || reverseSale(sandbox, sale, reversalEvent, { charge, amountCents }) !== '1')
    throw createFieldError('trigger.amount', 'This is more than is left to reverse.');
}

function presentState({ delivery, flaws, sales, aheadMs, isDecliningRenewals, isCancelUnanswered }: Sandbox) {
  return {
    behaviour: { ...delivery.behaviour, ...flaws, isDecliningRenewals, isCancelUnanswered },
    aheadDays: aheadMs / DAY_MS,
    pending: delivery.pending(),
    payments: [...sales.values()].map(({ id, orderId, priceCents, reversedCents, recurring }) => ({
      subscriptionId: id,
      orderId,
      price: priceCents / 100,
      reversed: reversedCents / 100,
      ...(recurring && {
        recurring: {
          status: recurring.status,
          nextRenewalDate: formatArizonaDay(recurring.nextRenewalAt),
          renewals: recurring.charges.map((charge) => charge.id),
        },
      }),
    })),
  };
}

export function registerControl(scope: FastifyInstance, sandbox: Sandbox): void {
  scope.get('/control', async () => presentState(sandbox));
  scope.post('/control', async (request) => {
    const parsed = z.safeParse(instructions, request.body ?? {});
    if (!parsed.success)
      throw createFieldError(parsed.error.issues[0]?.path.join('.') ?? 'body', parsed.error.issues[0]?.message ?? '');
    const { behaviour, trigger, clock, release } = parsed.data;
    if (behaviour) {
      const { duplicates, delayMs, dropFirst, reorder } = behaviour;
      sandbox.delivery.behaviour = { ...DEFAULT_BEHAVIOUR, duplicates, delayMs, dropFirst, isReordered: reorder };
      sandbox.flaws = {
        ...NO_FLAWS,
        isWrongAmount: behaviour.wrongAmount,
        isWrongDigest: behaviour.wrongDigest,
        isEchoedDigest: behaviour.echoDigest,
        isWrongCurrency: behaviour.wrongCurrency,
        isWrongAccount: behaviour.wrongAccount,
      };
      sandbox.isDecliningRenewals = behaviour.declineRenewals;
      sandbox.isCancelUnanswered = behaviour.cancelUnanswered;
    }
    if (trigger) triggerEvent(sandbox, trigger);
    if (clock) {
      sandbox.moveClock(clock.advanceDays * DAY_MS);
      runDueRenewals(sandbox);
    }
    if (release) sandbox.delivery.release();
    return presentState(sandbox);
  });
}
