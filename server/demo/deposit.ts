/** A deposit in the past: the order through the wallet, then the processor's post about it, as CCBill's documents give it. */
import { createHash } from 'node:crypto';
import { depositFunds } from '@stagedoor/contract/payments.ts';
import type { Act } from './history.ts';
import { operationOf, type Past } from './past.ts';

const CARD = { cardType: 'VISA', last4: '1111' };
const CREDIT_USD = 10;
const MOUNTAIN_TIME_MS = 7 * 60 * 60_000;

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Digits that stand for a text, in the form of the processor's ids. */
function processorId(key: string): string {
  const digits = BigInt(`0x${operationOf(`processor ${key}`).replaceAll('-', '')}`) % 10n ** 15n;
  return `0117${String(digits).padStart(15, '0')}`;
}

/** Pays (or fails to pay) that many USD into a fan's wallet. */
export async function deposit(past: Past, act: Extract<Act, { kind: 'deposit' }>): Promise<void> {
  const { account, subaccount, salt, webhookSecret } = past.ctx.config.payments;
  const body = { paymentProvider: 'ccbill', amount: act.usd, credits: act.usd / CREDIT_USD };
  const { paymentUrl } = await past.call(depositFunds, { as: act.who, key: act.key, body });
  const order = new URL(paymentUrl).searchParams;
  const id = processorId(act.key);
  const shared = {
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: new Date(act.at.getTime() - MOUNTAIN_TIME_MS).toISOString().slice(0, 19).replace('T', ' '),
    'X-orderId': order.get('orderId') ?? '',
    ...CARD,
  };
  const [eventType, fields] = act.isDeclined
    ? [
        'NewSaleFailure',
        {
          ...shared,
          failureCode: 'BE-900',
          failureReason: 'Declined',
          dynamicPricingValidationDigest: md5(`${id}0${salt}`),
        },
      ]
    : [
        'NewSaleSuccess',
        {
          ...shared,
          subscriptionId: id,
          billedInitialPrice: order.get('initialPrice') ?? '',
          billedRecurringPrice: '0.00',
          billedCurrencyCode: order.get('currencyCode') ?? '',
          dynamicPricingValidationDigest: md5(`${id}1${salt}`),
        },
      ];
  const status = await past.post(`/api/webhook/ccbill/${webhookSecret}?eventType=${eventType}`, fields);
  if (status !== 200) throw new Error(`the deposit ${act.key} was answered with ${status}`);
  // The money must be there before the fan spends it.
  await past.ctx.events.settle();
}
