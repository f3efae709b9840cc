/** Stores each webhook. Processing follows the commit. */
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { storeCardFingerprint } from '../../../identity/accounts/index.ts';
import { CCBILL, type ParsedWebhook, type WebhookSender } from '../../ccbill/index.ts';
import { findFanByOrder } from '../store.ts';
import { storeWebhook } from './store.ts';

/**
 * Records the card of a sale to recognize a returning card holder. This moves no money, so it does not wait for
 * confirmation.
 */
async function recordCard(ctx: Context, tx: DbTransaction, { eventType, fields, card }: ParsedWebhook): Promise<void> {
  if (eventType !== 'NewSaleSuccess' || card === undefined) return;
  const fanId = await findFanByOrder(tx, CCBILL, fields['X-orderId'] ?? '');
  if (fanId !== undefined) await storeCardFingerprint(ctx, tx, fanId, card);
}

export async function receiveWebhook(ctx: Context, webhook: ParsedWebhook, sender: WebhookSender): Promise<void> {
  const stored = await ctx.db.transaction(async (tx) => {
    const saved = await storeWebhook(tx, { provider: CCBILL, webhook, ...sender, at: ctx.clock.now() });
    if (saved.state === 'received' || saved.state === 'waiting')
      await tx.emit('processor.received', { webhookId: saved.id });
    if (saved.isNew) await recordCard(ctx, tx, webhook);
    return saved;
  });
  if (stored.isNew && stored.problem !== undefined) {
    ctx.log.warn(
      { webhookId: stored.id, eventType: webhook.eventType, reason: stored.problem },
      'a webhook of the payment processor needs a decision by an operator',
    );
  }
}
