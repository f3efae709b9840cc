import {
  type decidePayoutWebhook,
  type listPayoutWebhooks,
  PAYOUT_WEBHOOK_DECISIONS,
  PAYOUT_WEBHOOK_STATES,
  type payoutWebhook,
} from '@stagedoor/contract/admin/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { payoutId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import * as webhookStore from './paypal-webhook-store.ts';
import { webhookJob } from './paypal-webhooks.ts';
import { formatPayoutNumber } from './present.ts';
import * as texts from './texts.ts';

type PayPalWebhookView = z.input<typeof payoutWebhook>;

async function presentWebhooks(
  { db }: Pick<Context, 'db'>,
  webhooks: readonly webhookStore.PayPalWebhookRow[],
): Promise<PayPalWebhookView[]> {
  const [payouts, decisions] = await Promise.all([
    webhookStore.listPayoutsByIds(
      db,
      webhooks.flatMap(({ payout_ref: ref }) => payoutId.safeParse(ref).data ?? []),
    ),
    webhookStore.listPayPalDecisions(
      db,
      webhooks.map(({ id }) => id),
    ),
  ]);
  const users = await findUserSummaries(db, [
    ...payouts.map(({ user_id: id }) => id),
    ...decisions.map(({ actor_id: id }) => id),
  ]);
  return webhooks.map((webhook) => {
    const named = payouts.find(({ id }) => id === webhook.payout_ref);
    const user = named && users.get(named.user_id);
    return {
      id: webhook.id,
      eventType: webhook.event_type,
      receivedAt: webhook.received_at.toISOString(),
      receivedCount: webhook.received_count,
      state: z.parse(z.enum(PAYOUT_WEBHOOK_STATES), webhook.state),
      reason: webhook.reason,
      batchRef: webhook.batch_ref,
      itemRef: webhook.item_ref,
      payout:
        named && user
          ? {
              id: z.parse(payoutId, named.id),
              number: formatPayoutNumber(named),
              net: toUsd(named.amount_cents - named.fee_cents),
              user: { username: user.username, name: user.name },
            }
          : null,
      decisions: decisions
        .filter(({ webhook_id: decidedId }) => decidedId === webhook.id)
        .map(({ decision, reason, decided_at: at, actor_id: actorId }) => ({
          decision: z.parse(z.enum(PAYOUT_WEBHOOK_DECISIONS), decision),
          reason,
          decidedAt: at.toISOString(),
          operator: users.get(actorId)?.username ?? actorId,
        })),
    };
  });
}

export async function viewPayPalWebhooks(
  ctx: Pick<Context, 'db'>,
  { state, limit, offset }: QueryOf<typeof listPayoutWebhooks>,
): Promise<ResponseInputOf<typeof listPayoutWebhooks>> {
  const skip = parseSkip(offset);
  const { rows, total } = await webhookStore.listPayPalWebhooks(ctx.db, state, { limit, skip });
  return toOffsetPage(await presentWebhooks(ctx, rows), { limit, skip, total });
}

/** Throws NOT_FOUND, CONFLICT (it is not quarantined, or no longer). */
export async function decidePayPalWebhook(
  ctx: Pick<Context, 'clock' | 'db' | 'jobs'>,
  operatorId: string,
  id: string,
  { decision, reason }: BodyOf<typeof decidePayoutWebhook>,
): Promise<PayPalWebhookView> {
  const row = await ctx.db.transaction(async (tx) => {
    const webhook = await webhookStore.lockWebhook(tx, id);
    if (!webhook) throw new AppError('NOT_FOUND');
    if (webhook.state !== 'quarantined') throw new AppError('CONFLICT', { message: texts.webhookAlreadyDecided });
    await webhookStore.savePayPalDecision(tx, {
      webhookId: id,
      actorId: operatorId,
      decision,
      reason,
      at: ctx.clock.now(),
    });
    const isRetry = decision === 'retry';
    const decided = await webhookStore.moveWebhook(tx, id, {
      from: 'quarantined',
      to: isRetry ? 'received' : 'dismissed',
      reason,
    });
    if (isRetry) await ctx.jobs.add(tx, webhookJob, { webhookId: id }, { key: `payouts.processWebhook:${id}` });
    await logAction(ctx, tx, {
      operatorId,
      action: `payoutWebhook.${decision}`,
      subjectKind: 'payoutWebhook',
      subjectId: id,
      details: { reason },
    });
    return decided;
  });
  const [view] = row ? await presentWebhooks(ctx, [row]) : [];
  if (!view) throw new Error('a row that is locked has its view');
  return view;
}
