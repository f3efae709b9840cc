/** What other modules report and a subscription depends on. Each handler reads the current state under the row's lock. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { StepState } from '../../../platform/events/event-handlers.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { runThrottledStep } from '../../../platform/jobs/batch-throttle.ts';
import { findSale, requireSellerEligible } from '../../commerce/sales/index.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { getSpendingStatus } from '../../ledger/ledger/index.ts';
import { isFree } from '../entitlements/index.ts';
import { endSubscription, endWithRefund } from './endings.ts';
import { isGiftPeriod } from './gift-periods.ts';
import {
  mailEnd,
  mailFailedRenewal,
  mailGift,
  mailNewPrice,
  mailReminder,
  mailTierDeleted,
  mailWaivedPeriod,
} from './mails.ts';
import { findPeriodOwner } from './periods.ts';
import { applyTierPrices } from './price-changes.ts';
import { changeNextRunning, changeRunning } from './running.ts';
import { stopRenewing } from './stopping.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { stopDeletedTier, updateCreatorGrants } from './tier-changes.ts';

async function isUnavailable(ctx: Context, tx: DbTransaction, creatorId: string): Promise<boolean> {
  const creator = await findUser(tx, creatorId);
  if (!creator || creator.is_blocked) return true;
  try {
    await requireSellerEligible(ctx, tx, creatorId, { subject: texts.subscriptions });
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_VERIFIED') return true;
    throw error;
  }
}

function endForUnavailableCreator(ctx: Context, creatorId: string, after: string | null): Promise<string | null> {
  return changeNextRunning(ctx, { side: 'creator', ownerId: creatorId, after }, async (tx, row) => {
    if (await isUnavailable(ctx, tx, creatorId))
      await endWithRefund(ctx, tx, row, {
        actorId: creatorId,
        reason: 'creatorUnavailable',
        refundReason: texts.creatorUnavailableReason,
      });
  });
}

/** A fan who cannot log in must not be charged. */
function stopForBlockedFan(ctx: Context, fanId: string, after: string | null): Promise<string | null> {
  return changeNextRunning(ctx, { side: 'fan', ownerId: fanId, after }, async (tx, row) => {
    const fan = await findUser(tx, fanId);
    if (fan?.is_blocked) await stopRenewing(tx, row, { reason: 'canceled', at: ctx.clock.now() });
  });
}

/** Cancels what the processor would charge during a spending break, because it cannot pause a subscription. */
function stopCardsForSpendingBreak(
  ctx: Context,
  { fanId, until }: EventPayload<'spending.paused'>,
  after: string | null,
): Promise<string | null> {
  return changeNextRunning(ctx, { side: 'fan', ownerId: fanId, after }, async (tx, row) => {
    const chargedAt = row.next_charge_at ?? row.paid_until;
    if (row.payment_source === 'card' && chargedAt && chargedAt <= new Date(until))
      await stopRenewing(tx, row, { reason: 'canceled', at: ctx.clock.now() });
  });
}

/** The processor would charge the card, but the money could not be spent. */
function stopCardsForSpendingBlock(ctx: Context, fanId: string, after: string | null): Promise<string | null> {
  return changeNextRunning(ctx, { side: 'fan', ownerId: fanId, after }, async (tx, row) => {
    if (row.payment_source === 'card' && (await getSpendingStatus(tx, fanId)).isBlocked)
      await stopRenewing(tx, row, { reason: 'canceled', at: ctx.clock.now() });
  });
}

/**
 * A block by the creator ends the subscription and refunds the rest of the period. A block by the fan cancels it; unblocking
 * restores access until the period ends.
 */
async function handleBlock(ctx: Context, { fanId, creatorId, isByCreator }: EventPayload<'chat.blocked'>) {
  const current = await store.findCurrent(ctx.db, fanId, creatorId);
  if (!current) return;
  await changeRunning(ctx, current.id, async (tx, row) => {
    if (!(await isBlockedPair(tx, fanId, creatorId))) return;
    if (isByCreator === false) await stopRenewing(tx, row, { reason: 'canceled', at: ctx.clock.now() });
    else
      await endWithRefund(ctx, tx, row, {
        actorId: creatorId,
        reason: 'blocked',
        refundReason: texts.blockedReason,
      });
  });
}

/** Also called for refunds of this module, which have stored and ended everything already. */
async function handleRefund(ctx: Context, { transactionId, subjectId }: EventPayload<'sale.refunded'>) {
  const owner = subjectId === null ? undefined : await findPeriodOwner(ctx.db, subjectId);
  if (!owner || subjectId === null) return;
  await ctx.db.transaction(async (tx) => {
    const row = await store.lockSubscription(tx, owner.subscriptionId);
    const sale = await findSale(tx, transactionId);
    if (!row || !sale) return;
    await store.setRefunded(tx, subjectId, sale.reversedCents);
    const isWhole = sale.reversedCents >= sale.grossCents;
    if (isWhole && row.period_number === owner.number)
      await endSubscription(tx, row, {
        reason: 'refunded',
        at: ctx.clock.now(),
        refund: async () => sale.reversedCents,
      });
  });
}

/** Money that paid for the subscriptions was charged back, and the balance did not cover it. */
function endForIndebtedFan(
  ctx: Context,
  side: 'fan' | 'payer',
  fanId: string,
  after: string | null,
): Promise<string | null> {
  return changeNextRunning(ctx, { side, ownerId: fanId, after }, async (tx, row) => {
    const { isBlocked, owedCents } = await getSpendingStatus(tx, fanId);
    const isPaidByFan = isGiftPeriod(row) === (side === 'payer');
    if (isBlocked && owedCents > 0 && isPaidByFan && !isFree(row.price_cents))
      await endSubscription(tx, row, { reason: 'chargeback', at: ctx.clock.now() });
  });
}

/** Runs `step` in batches. The queue stores the cursor, so that an interrupted job continues. */
const runInBatches = ({ previous, signal }: StepState, step: (after: string | null) => Promise<string | null>) =>
  runThrottledStep(signal, () => step(previous));

const toSubject = (id: string) => `subscriptions:${id}`;
const fanOptions = { subject: ({ fanId }: { fanId: string }) => toSubject(fanId) };
const userOptions = { queue: 'bulk', subject: ({ userId }: { userId: string }) => toSubject(userId) } as const;
const creatorOptions = {
  queue: 'bulk',
  subject: ({ creatorId }: { creatorId: string }) => toSubject(creatorId),
} as const;

function registerEndings(ctx: Context): void {
  ctx.events.addJobHandler(
    'account.blocked',
    'subscriptions.endOfCreator',
    { ...userOptions, filter: ({ type }) => type === 'creator' },
    ({ payload: { userId } }, step) => runInBatches(step, (after) => endForUnavailableCreator(ctx, userId, after)),
  );
  ctx.events.addJobHandler(
    'account.blocked',
    'subscriptions.stopOfFan',
    { ...userOptions, filter: ({ type }) => type === 'customer' },
    ({ payload: { userId } }, step) => runInBatches(step, (after) => stopForBlockedFan(ctx, userId, after)),
  );
  ctx.events.addJobHandler(
    'verification.changed',
    'subscriptions.endOfCreator',
    { ...creatorOptions, filter: ({ status }) => status === 'failed' || status === 'declined' },
    ({ payload: { creatorId } }, step) =>
      runInBatches(step, (after) => endForUnavailableCreator(ctx, creatorId, after)),
  );
  ctx.events.addJobHandler(
    'spending.paused',
    'subscriptions.stopCards',
    { ...fanOptions, queue: 'quick' },
    ({ payload }, step) => runInBatches(step, (after) => stopCardsForSpendingBreak(ctx, payload, after)),
  );
  const owedOptions = {
    ...fanOptions,
    queue: 'bulk',
    filter: ({ change }: EventPayload<'debt.changed'>) => change === 'owed' || change === 'notWon',
  } as const;
  ctx.events.addJobHandler(
    'debt.changed',
    'subscriptions.stopCardsOfBlocked',
    { ...fanOptions, queue: 'bulk', filter: ({ change }) => change === 'blocked' },
    ({ payload: { fanId } }, step) => runInBatches(step, (after) => stopCardsForSpendingBlock(ctx, fanId, after)),
  );
  ctx.events.addJobHandler('debt.changed', 'subscriptions.endOfFrozenFan', owedOptions, ({ payload }, step) =>
    runInBatches(step, (after) => endForIndebtedFan(ctx, 'fan', payload.fanId, after)),
  );
  ctx.events.addJobHandler('debt.changed', 'subscriptions.endGiftsOfFrozenFan', owedOptions, ({ payload }, step) =>
    runInBatches(step, (after) => endForIndebtedFan(ctx, 'payer', payload.fanId, after)),
  );
  ctx.events.addJobHandler(
    'chat.blocked',
    'subscriptions.endOfPair',
    { ...fanOptions, queue: 'quick' },
    ({ payload }) => handleBlock(ctx, payload),
  );
  ctx.events.addJobHandler(
    'sale.refunded',
    'subscriptions.endRefunded',
    { ...fanOptions, queue: 'money', filter: ({ kind }) => kind === 'subscription' },
    ({ payload }) => handleRefund(ctx, payload),
  );
}

function registerTierHandlers(ctx: Context): void {
  ctx.events.addJobHandler(
    'subscriptionTier.deleted',
    'subscriptions.stopDeletedTier',
    creatorOptions,
    ({ payload: { tierId } }, step) => runInBatches(step, (after) => stopDeletedTier(ctx, tierId, after)),
  );
  ctx.events.addJobHandler(
    'subscriptionTier.repriced',
    'subscriptions.applyPrices',
    creatorOptions,
    ({ payload: { tierId } }, step) => runInBatches(step, (after) => applyTierPrices(ctx, tierId, after)),
  );
  ctx.events.addJobHandler(
    'subscriptionTiers.changed',
    'subscriptions.updateGrants',
    creatorOptions,
    ({ payload: { creatorId } }, step) => runInBatches(step, (after) => updateCreatorGrants(ctx, creatorId, after)),
  );
}

function registerMails(ctx: Context): void {
  const options = {
    queue: 'quick',
    subject: ({ subscriptionId }: { subscriptionId: string }) => `subscription-mails:${subscriptionId}`,
  } as const;
  ctx.events.addJobHandler('subscription.renewalFailed', 'subscriptions.mail', options, ({ payload }) =>
    mailFailedRenewal(ctx, payload),
  );
  ctx.events.addJobHandler('subscription.reminded', 'subscriptions.mail', options, ({ payload }) =>
    mailReminder(ctx, payload),
  );
  ctx.events.addJobHandler('subscription.repriced', 'subscriptions.mail', options, ({ payload }) =>
    mailNewPrice(ctx, payload),
  );
  ctx.events.addJobHandler('subscription.tierDeleted', 'subscriptions.mail', options, ({ payload }) =>
    mailTierDeleted(ctx, payload),
  );
  ctx.events.addJobHandler('subscription.waived', 'subscriptions.mail', options, ({ payload }) =>
    mailWaivedPeriod(ctx, payload),
  );
  ctx.events.addJobHandler('subscription.gifted', 'subscriptions.mail', options, ({ payload }) =>
    mailGift(ctx, payload),
  );
  ctx.events.addJobHandler('subscription.ended', 'subscriptions.mail', options, ({ payload }) => mailEnd(ctx, payload));
}

export function registerEventHandlers(ctx: Context): void {
  registerEndings(ctx);
  registerTierHandlers(ctx);
  registerMails(ctx);
}
