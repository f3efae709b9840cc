/** Sales at the processor that were never credited here. Their status depends on all webhooks of the sale. */
import { asCents, formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { findUser } from '../accounts/index.ts';
import { type Fields, REVERSAL_EVENTS } from './ccbill/post.ts';
import { centsOf } from './ccbill/values.ts';
import { lockDepositByOrder, lockDepositsBySale } from './deposits-store.ts';
import { type EventRow, settleEvent, siblingsOf } from './events-store.ts';

export function textsOf(json: unknown): Fields {
  if (typeof json !== 'object' || json === null) return {};
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

export function centsIn({ fields }: Pick<EventRow, 'fields'>): number | undefined {
  const { billedInitialPrice, amount } = textsOf(fields);
  return centsOf(billedInitialPrice) ?? centsOf(amount);
}

export const isSale = ({ event_type: type }: EventRow) => type === 'NewSaleSuccess';
export const isReversal = ({ event_type: type }: EventRow) => REVERSAL_EVENTS.some((reversal) => reversal === type);
const isGoingBack = ({ state }: EventRow) => state === 'refunding' || state === 'refunded';

/** Returns why a sale may not be credited because its money is returned. Requires the lock on the sale. */
export async function whyNotCredited(tx: Transaction, event: EventRow): Promise<string | undefined> {
  const others = (await siblingsOf(tx, event)).filter(isSale);
  return others.some(isGoingBack) ? 'its money went back, or is on its way' : undefined;
}

/** Returns why a refund of a sale may not be requested from the processor. Requires the lock on the sale. */
export async function whyNotRefunded(tx: Transaction, event: EventRow): Promise<string | undefined> {
  const ids = [event.processor_subscription_id, event.processor_transaction_id].filter((id) => id !== null);
  if (!isSale(event) || event.processor_subscription_id === null || (centsIn(event) ?? 0) === 0)
    return 'Only a payment can be refunded.';
  if ((await lockDepositsBySale(tx, event.provider, ids)).length > 0)
    return 'This payment was credited. It can’t be refunded here.';
  const others = await siblingsOf(tx, event);
  if (others.filter(isSale).some(isGoingBack)) return 'This payment was already refunded or is being refunded.';
  if (others.some(isReversal)) return 'The processor reported that this payment was already refunded.';
  return undefined;
}

/** Notifies the payer that an uncredited payment is refunded. The mail does not say what the payment was for. */
export async function tellPayer(ctx: Pick<Context, 'mailer'>, tx: Transaction, event: EventRow): Promise<void> {
  const order = await lockDepositByOrder(tx, event.provider, textsOf(event.fields)['X-orderId'] ?? '');
  const fan = order && (await findUser(tx, order.fan_id));
  if (!fan) return;
  const cents = centsIn(event) ?? 0;
  await tx.emit('payment.returned', { fanId: fan.id, eventId: event.id, cents });
  await ctx.mailer.send(tx, {
    to: fan.email,
    subject: 'Your payment was refunded',
    text: `Hello ${fan.username},

Your payment of ${formatCents(asCents(cents))} couldn’t be added to your balance, so we refunded your card. It can take a few days to show. No action
needed.
`,
  });
}

export type TakenBack = 'settled' | 'unknown' | 'part' | 'again';

export async function takeBackUncredited(ctx: Context, tx: Transaction, event: EventRow): Promise<TakenBack> {
  const others = await siblingsOf(tx, event);
  const sales = others.filter((other) => isSale(other) && other.state !== 'processed' && other.state !== 'ignored');
  const [sale] = sales;
  // A sale that is still being processed may be credited yet.
  if (!sale || sales.some(({ state }) => state === 'received' || state === 'waiting')) return 'unknown';
  if (others.some((other) => isReversal(other) && other.state === 'processed')) return 'again';
  if (centsIn(event) !== centsIn(sale)) return 'part';
  const isNews = !sales.some(({ state }) => state === 'refunded');
  const at = ctx.clock.now();
  for (const { id, state } of sales)
    if (state !== 'refunded') await settleEvent(tx, id, { state: 'refunded', reason: 'its money went back', at });
  if (isNews) await tellPayer(ctx, tx, sale);
  return 'settled';
}
