/**
 * Processes stored webhooks: checks each against its order and then credits, fails, reverses or quarantines it.
 * Webhooks may come in any order and repeatedly, and each takes effect once.
 */
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { EventPayload } from '../../kernel/events.ts';
import { keptMs } from '../../kernel/retention.ts';
import { creditDeposit, lockWallet, reverseDeposit, type WalletBalance } from '../ledger/index.ts';
import { besides } from './beside.ts';
import { merchantOf } from './ccbill/ours.ts';
import { type Fields, IGNORED_EVENTS, REVERSAL_EVENTS, type ReversalEvent } from './ccbill/post.ts';
import { centsOf } from './ccbill/values.ts';
import { failureWords, saleFinding, wrongAccount, wrongFailure, wrongReversal, wrongSale } from './ccbill/verify.ts';
import { askProcessor } from './confirm.ts';
import {
  addReversed,
  type DepositRow,
  failExpired,
  lockDepositByOrder,
  lockDepositsBySale,
  markFailed,
  markPaid,
} from './deposits-store.ts';
import { decisionsOf } from './desk-store.ts';
import { sendFailed, sendReceipt, sendTakenBack } from './receipt.ts';
import { dataLinkOf } from './reconcile.ts';
import './events.ts';
import {
  type EventRow,
  type EventState,
  eventsWaitingFor,
  forgetRaw,
  lockEventOfSale,
  openEvents,
  settleEvent,
  siblingsOf,
} from './events-store.ts';
import { isSale, type TakenBack, takeBackUncredited, textsOf, whyNotCredited } from './uncredited.ts';

type Verdict = { state: EventState; reason?: string; depositId?: string };

const UNPROVEN = 'waiting for the processor to confirm it';

/** Reversals of unknown sales and unconfirmed sales are quarantined after this time. */
const LONGEST_WAIT_MS = 3 * 24 * 60 * 60 * 1000;
/** Webhooks are processed immediately. Older unprocessed ones were left by a crash or are waiting for confirmation. */
const STALE_MS = 60_000;
const SWEEP = 200;
const KEEP_UNREADABLE_MS = keptMs('unreadableEvents');

const quarantined = (reason: string, depositId?: string): Verdict => ({
  state: 'quarantined',
  reason,
  ...(depositId && { depositId }),
});
const ignored = (reason: string, depositId?: string): Verdict => ({
  state: 'ignored',
  reason,
  ...(depositId && { depositId }),
});

/** Unique for each webhook that may move money. A conflicting webhook that an operator retried has a key of its own. */
export function eventKey(event: EventRow): string {
  const part = event.told_at === '' ? '' : `:${event.told_at}`;
  const key = `${event.event_type}:${event.processor_transaction_id}${part}`;
  return event.is_conflicting ? `${key}:${event.body_hash.toString('hex').slice(0, 16)}` : key;
}

export async function tellDeposit(
  tx: Transaction,
  deposit: Pick<DepositRow, 'id' | 'fan_id'>,
  change: EventPayload<'deposit.changed'>['change'],
  moved: (WalletBalance & { transactionId: string }) | undefined,
): Promise<void> {
  // Locks the wallet until the commit, so that events of later movements are emitted after this one.
  const { balanceCents, balanceLine } = moved ?? (await lockWallet(tx, deposit.fan_id));
  await tx.emit('deposit.changed', {
    depositId: deposit.id,
    fanId: deposit.fan_id,
    status: change === 'failed' || change === 'expired' ? 'failed' : 'success',
    change,
    balanceCents,
    balanceLine,
    transactionId: moved?.transactionId ?? null,
  });
}

function cardOf(fields: Fields): { cardBrand: string | null; cardLast4: string | null } {
  const last4 = fields.last4 ?? '';
  return { cardBrand: fields.cardType?.slice(0, 20) || null, cardLast4: /^\d{4}$/.test(last4) ? last4 : null };
}

/**
 * A webhook can be forged by anyone who saw the payment form, so the sale is confirmed with the processor before it is
 * credited.
 */
async function askFirst(ctx: Context, tx: Transaction, event: EventRow, depositId: string): Promise<Verdict> {
  if (!dataLinkOf(ctx)) return quarantined('it can’t be confirmed with the processor, because DataLink is not set up');
  if (event.state === 'received') await askProcessor(ctx, tx, event.id);
  return { state: 'waiting', reason: UNPROVEN, depositId };
}

async function succeed(ctx: Context, tx: Transaction, event: EventRow, fields: Fields): Promise<Verdict> {
  const deposit = await lockDepositByOrder(tx, event.provider, fields['X-orderId'] ?? '');
  if (!deposit) return quarantined('it matches no order');
  const { transactionId = '', subscriptionId = '' } = fields;
  if (deposit.status === 'success') {
    return deposit.processor_transaction_id === transactionId
      ? ignored('it was already credited', deposit.id)
      : quarantined('its order was already paid by another transaction', deposit.id);
  }
  const order = {
    payableCents: deposit.payable_cents,
    currencyCode: deposit.currency_code,
    createdAt: deposit.created_at,
    expiresAt: deposit.expires_at,
  };
  const problem = wrongSale(fields, order, merchantOf(ctx.config), event.received_at);
  if (problem) return quarantined(problem, deposit.id);
  if ((await lockDepositsBySale(tx, event.provider, [subscriptionId, transactionId])).length > 0)
    return quarantined('its transaction already paid another order', deposit.id);

  const refusal = await whyNotCredited(tx, event);
  if (refusal) return quarantined(refusal, deposit.id);
  if (saleFinding(fields, order, merchantOf(ctx.config)) !== 'proof' && event.confirmed_at === null)
    return askFirst(ctx, tx, event, deposit.id);

  const card = cardOf(fields);
  const at = ctx.clock.now();
  const credited = await creditDeposit(tx, {
    fanId: deposit.fan_id,
    amountCents: deposit.amount_cents,
    feeCents: deposit.fee_cents,
    provider: event.provider,
    ref: transactionId,
    eventKey: eventKey(event),
    metadata: { depositId: deposit.id, last4: card.cardLast4 },
    at,
  });
  for (const beside of besides(ctx)) await beside.credited(tx, { fanId: deposit.fan_id, at });
  await markPaid(tx, deposit.id, {
    subscriptionId,
    transactionId,
    ...card,
    ledgerTransactionId: credited.transactionId,
    keptCents: credited.keptCents,
    at,
  });
  await tellDeposit(tx, deposit, 'paid', credited);
  await sendReceipt(ctx, tx, deposit, { ...card, keptCents: credited.keptCents, at });
  for (const eventId of await eventsWaitingFor(tx, event.provider, [subscriptionId, transactionId]))
    await tx.emit('processor.received', { eventId });
  return { state: 'processed', depositId: deposit.id };
}

async function fail(ctx: Context, tx: Transaction, event: EventRow, fields: Fields): Promise<Verdict> {
  const deposit = await lockDepositByOrder(tx, event.provider, fields['X-orderId'] ?? '');
  if (!deposit) return quarantined('it matches no order');
  const order = {
    payableCents: deposit.payable_cents,
    currencyCode: deposit.currency_code,
    createdAt: deposit.created_at,
    expiresAt: deposit.expires_at,
  };
  const problem = wrongFailure(fields, order, merchantOf(ctx.config));
  if (problem) return quarantined(problem, deposit.id);
  if (deposit.status === 'success') return ignored('another payment for the same order succeeded', deposit.id);
  await markFailed(tx, deposit.id, { reason: failureWords(fields), ...cardOf(fields), at: ctx.clock.now() });
  await tellDeposit(tx, deposit, 'failed', undefined);
  if (deposit.status !== 'failed') await sendFailed(ctx, tx, deposit, failureWords(fields));
  return { state: 'processed', depositId: deposit.id };
}

export const REVERSALS = {
  Refund: { kind: 'refund', words: 'Refunded to your card.' },
  Chargeback: { kind: 'chargeback', words: 'Charged back by your bank.' },
  Void: { kind: 'void', words: 'The payment was canceled.' },
  Return: { kind: 'return', words: 'Returned by your bank.' },
} as const satisfies Record<ReversalEvent, unknown>;

const UNKNOWN_SALE: Verdict = { state: 'waiting', reason: 'its sale has not been received yet' };

const UNCREDITED = {
  settled: { state: 'processed', reason: 'it reverses a payment that was never credited' },
  unknown: UNKNOWN_SALE,
  part: quarantined('it reverses part of a payment that was never credited'),
  again: quarantined('more was reversed than was paid'),
} as const satisfies Record<TakenBack, Verdict>;

async function takeBack(
  ctx: Context,
  tx: Transaction,
  event: EventRow,
  type: ReversalEvent,
  fields: Fields,
): Promise<Verdict> {
  const ids = [fields.subscriptionId, fields.transactionId].filter((id) => id !== undefined);
  const [deposit, another] = await lockDepositsBySale(tx, event.provider, ids);
  if (another) return quarantined('its IDs match two different sales');
  if (!deposit?.transaction_id) return UNCREDITED[await takeBackUncredited(ctx, tx, event)];
  const isElsewhere = ({ processor_subscription_id: id }: EventRow) => id !== deposit.processor_subscription_id;
  if ((await siblingsOf(tx, event)).some((other) => isSale(other) && isElsewhere(other)))
    return quarantined('its IDs match two different sales');
  const order = { payableCents: deposit.payable_cents, currencyCode: deposit.currency_code };
  const problem = wrongReversal(fields, order);
  if (problem) return quarantined(problem, deposit.id);

  const { kind, words } = REVERSALS[type];
  const askedCents = centsOf(fields.amount) ?? 0;
  const at = ctx.clock.now();
  const reversed = await reverseDeposit(tx, {
    depositTransactionId: deposit.transaction_id,
    kind,
    cardCents: askedCents,
    provider: event.provider,
    ref: event.processor_transaction_id ?? '',
    eventKey: eventKey(event),
    metadata: { depositId: deposit.id },
    at,
  });
  const { transactionId, cardCents, amountCents, shortfallCents, balanceCents, balanceLine } = reversed;
  if (transactionId === null || reversed.isReplayed)
    return ignored('the payment was already fully reversed', deposit.id);
  await addReversed(tx, deposit.id, { payableCents: cardCents, amountCents, reason: words, at });
  if (shortfallCents > 0) {
    for (const beside of besides(ctx)) await beside.owed(tx, { fanId: deposit.fan_id, cents: shortfallCents, at });
    ctx.log.warn(
      { depositId: deposit.id, shortfallCents },
      'the balance did not cover a reversed payment: the fan owes the rest, and spending is blocked',
    );
  }
  await tellDeposit(tx, deposit, 'reversed', { transactionId, balanceCents, balanceLine });
  if (shortfallCents === 0) await sendTakenBack(ctx, tx, deposit, { words, amountCents, cardCents });
  const reason = cardCents < askedCents ? 'only the remaining amount was reversed' : undefined;
  return { state: 'processed', depositId: deposit.id, ...(reason && { reason }) };
}

async function decide(ctx: Context, tx: Transaction, event: EventRow): Promise<Verdict> {
  const fields = textsOf(event.fields);
  if (IGNORED_EVENTS.some((type) => type === event.event_type))
    return ignored('subscriptions and upgrades are not supported');
  const problem = wrongAccount(textsOf(event.query), fields, merchantOf(ctx.config));
  if (problem) return quarantined(problem);
  if (event.event_type === 'NewSaleSuccess') return succeed(ctx, tx, event, fields);
  if (event.event_type === 'NewSaleFailure') return fail(ctx, tx, event, fields);
  const reversal = REVERSAL_EVENTS.find((type) => type === event.event_type);
  return reversal ? takeBack(ctx, tx, event, reversal, fields) : quarantined('its event type is unknown');
}

async function waitingSince(tx: Transaction, { id, received_at: receivedAt }: EventRow): Promise<Date> {
  return (await decisionsOf(tx, [id])).at(-1)?.decided_at ?? receivedAt;
}

export async function processEvent(ctx: Context, eventId: string): Promise<void> {
  const settled = await ctx.db.transaction(async (tx) => {
    const event = await lockEventOfSale(tx, eventId);
    if (!event || (event.state !== 'received' && event.state !== 'waiting')) return undefined;
    const at = ctx.clock.now();
    let verdict = await decide(ctx, tx, event);
    if (verdict.state === 'waiting' && at.getTime() - (await waitingSince(tx, event)).getTime() > LONGEST_WAIT_MS)
      verdict = quarantined(
        event.event_type === 'NewSaleSuccess'
          ? 'the processor did not confirm it'
          : 'the sale it reverses was never received',
      );
    await settleEvent(tx, event.id, {
      state: verdict.state,
      reason: verdict.reason ?? null,
      depositId: verdict.depositId,
      at,
    });
    return { eventType: event.event_type, ...verdict };
  });
  if (settled?.state === 'quarantined') {
    ctx.log.warn(
      { eventId, eventType: settled.eventType, reason: settled.reason },
      'a webhook of the payment processor needs a decision by an operator',
    );
  }
}

export async function sweepEvents(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - STALE_MS);
  for (const { id } of await openEvents(ctx.db, before, SWEEP)) {
    try {
      await processEvent(ctx, id);
    } catch (error) {
      ctx.log.error({ err: error, eventId: id }, 'a webhook of the payment processor could not be processed');
    }
  }
}

/** Fails orders that were not paid in time. A payment that was made in time is credited even if its webhook is late. */
export async function expireOrders(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  // One order per transaction, so that at most one wallet is locked at a time.
  const failNext = async (tx: Transaction): Promise<boolean> => {
    const expired = await failExpired(tx, now, 'The payment timed out.');
    if (expired) await tellDeposit(tx, expired, 'expired', undefined);
    return expired !== undefined;
  };
  for (let failed = 0; failed < SWEEP; failed += 1) if (!(await ctx.db.transaction(failNext))) return;
}

export async function forgetUnreadable(ctx: Context): Promise<void> {
  await forgetRaw(ctx.db, new Date(ctx.clock.now().getTime() - KEEP_UNREADABLE_MS));
}
