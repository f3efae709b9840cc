/** Controls faults and reversals of the sandbox: `/sandbox/ccbill/control`, in development and tests only. */

import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { parseCents } from '../values.ts';
import { REVERSAL_EVENTS } from '../webhook-body.ts';
import { reverseSale } from './datalink.ts';
import { DEFAULT_BEHAVIOUR } from './delivery.ts';
import { NO_FLAWS } from './messages.ts';
import type { Sandbox } from './state.ts';

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
    }),
  ),
  /** Reverses a payment by the CCBill id or our id. `amount` is optional and defaults to all that is left. */
  trigger: z.optional(
    z.object({
      event: z.enum(REVERSAL_EVENTS),
      subscriptionId: z.optional(z.string()),
      orderId: z.optional(z.string()),
      amount: z.optional(z.string()),
      /** Allows more than is left, as CCBill does when a void and a refund overlap. */
      isForced: flag,
    }),
  ),
  release: flag,
});

function triggerReversal(sandbox: Sandbox, trigger: NonNullable<z.output<typeof instructions>['trigger']>): void {
  const sale = [...sandbox.sales.values()].find(
    ({ id, orderId }) => id === trigger.subscriptionId || orderId === trigger.orderId,
  );
  if (!sale) throw createFieldError('trigger', 'No such payment in this sandbox.');
  if (trigger.isForced) sale.reversedCents = 0;
  const amountCents = trigger.amount === undefined ? sale.priceCents - sale.reversedCents : parseCents(trigger.amount);
  if (amountCents === undefined || reverseSale(sandbox, sale, trigger.event, amountCents) !== '1')
    throw createFieldError('trigger.amount', 'That is not left to take back.');
}

function presentState({ delivery, flaws, sales }: Sandbox) {
  return {
    behaviour: { ...delivery.behaviour, ...flaws },
    pending: delivery.pending(),
    payments: [...sales.values()].map(({ id, orderId, priceCents, reversedCents }) => ({
      subscriptionId: id,
      orderId,
      price: priceCents / 100,
      reversed: reversedCents / 100,
    })),
  };
}

export function registerControl(scope: FastifyInstance, sandbox: Sandbox): void {
  scope.get('/control', async () => presentState(sandbox));
  scope.post('/control', async (request) => {
    const parsed = z.safeParse(instructions, request.body ?? {});
    if (!parsed.success)
      throw createFieldError(parsed.error.issues[0]?.path.join('.') ?? 'body', parsed.error.issues[0]?.message ?? '');
    const { behaviour, trigger, release } = parsed.data;
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
    }
    if (trigger) triggerReversal(sandbox, trigger);
    if (release) sandbox.delivery.release();
    return presentState(sandbox);
  });
}
