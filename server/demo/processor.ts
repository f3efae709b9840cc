/** What the card processor reports, as CCBill documents it. */
import { calculateApprovalDigest, formatArizonaTime } from '../modules/commerce/ccbill/index.ts';
import { type PastApp, toOperationId } from './past-app.ts';

export const CARD = { cardType: 'VISA', last4: '1111' };

export function toProcessorId(key: string): string {
  const digits = BigInt(`0x${toOperationId(`processor ${key}`).replaceAll('-', '')}`) % 10n ** 15n;
  return `0117${String(digits).padStart(15, '0')}`;
}

export async function postWebhook(
  pastApp: PastApp,
  key: string,
  eventType: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const { webhookSecret } = pastApp.ctx.config.payments;
  const status = await pastApp.post(`/api/webhook/ccbill/${webhookSecret}?eventType=${eventType}`, fields);
  if (status !== 200) throw new Error(`${eventType} of ${key} was answered with ${status}`);
  // The money must be credited before the fan spends it.
  await pastApp.waitUntilIdle();
}

/** Pays the order of a subscription by card. */
export async function payCardOrder(
  pastApp: PastApp,
  { key, at, paymentUrl }: { key: string; at: Date; paymentUrl: string },
): Promise<void> {
  const { account, subaccount, salt } = pastApp.ctx.config.payments;
  const order = new URL(paymentUrl).searchParams;
  const get = (name: string) => order.get(name) ?? '';
  const id = toProcessorId(key);
  await postWebhook(pastApp, key, 'NewSaleSuccess', {
    ...{ transactionId: id, subscriptionId: id, clientAccnum: account, clientSubacc: subaccount, ...CARD },
    ...{ timestamp: formatArizonaTime(at), 'X-orderId': get('orderId'), billedCurrencyCode: get('currencyCode') },
    ...{ billedInitialPrice: get('initialPrice'), billedRecurringPrice: get('recurringPrice') },
    ...{ initialPeriod: get('initialPeriod'), recurringPeriod: get('recurringPeriod'), rebills: get('numRebills') },
    dynamicPricingValidationDigest: calculateApprovalDigest(id, salt),
  });
}
