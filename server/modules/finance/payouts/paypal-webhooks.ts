/**
 * The PayPal webhook for payouts (docs/adr/0020). A request is stored once PayPal verified its signature. What is
 * booked is the current status at PayPal, so webhooks may arrive late, repeatedly and in any order.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { payoutId } from '@stagedoor/contract/shared/ids.ts';
import type { FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import { requireNotLimited } from '../../../platform/limits/rate-limit.ts';
import * as webhookStore from './paypal-webhook-store.ts';
import * as store from './store.ts';
import { findProvider, recordAccepted, settleBatch, settleItem } from './submit.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';

export const webhookJob = defineJob('payouts.processWebhook', z.object({ webhookId: z.string() }));

const BODY_LIMIT = 64 * 1024;
/** Each request causes a query to PayPal, so the rate is limited. */
const WEBHOOK_LIMIT = { name: 'payouts.webhooks', max: 1_200, windowMs: 60_000, isFixed: true } as const;

const ref = z.optional(z.string().check(z.minLength(1), z.maxLength(100)));
const webhookSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  event_type: z.string().check(z.maxLength(100)),
  resource: z.object({
    payout_item_id: ref,
    payout_batch_id: ref,
    payout_item: z.optional(z.object({ sender_item_id: ref })),
    batch_header: z.optional(
      z.object({
        payout_batch_id: ref,
        sender_batch_header: z.optional(z.object({ sender_batch_id: ref })),
      }),
    ),
  }),
});

function parseWebhook(body: string): webhookStore.PayPalWebhook | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { success, data } = z.safeParse(webhookSchema, parsed);
  if (!success) return undefined;
  const { id, event_type: eventType, resource } = data;
  return {
    id,
    eventType,
    batchRef: resource.payout_batch_id ?? resource.batch_header?.payout_batch_id ?? null,
    itemRef: resource.payout_item_id ?? null,
    payoutRef: resource.payout_item?.sender_item_id ?? null,
  };
}

type Verdict = { state: 'booked' | 'ignored' | 'quarantined'; reason: string | null };
const toQuarantined = (reason: string): Verdict => ({ state: 'quarantined', reason });
const BOOKED: Verdict = { state: 'booked', reason: null };

/** Links a PayPal batch whose response was lost. It is ours if PayPal confirms that it was sent with our id. */
async function linkBatch(ctx: Context, batchId: string, batchRef: string): Promise<void> {
  if ((await findProvider(ctx)?.findBatchKey(batchRef)) === batchId) await recordAccepted(ctx, batchId, batchRef);
}

async function bookItem(ctx: Context, { batchRef, itemRef, payoutRef }: webhookStore.PayPalWebhook): Promise<Verdict> {
  const id = payoutId.safeParse(payoutRef);
  const payout = id.success ? await store.findPayout(ctx.db, id.data) : undefined;
  const batch = payout?.batch_id ? await transfers.findBatch(ctx.db, payout.batch_id) : undefined;
  if (payout?.refused_batch_id) return toQuarantined(texts.payoutBatchPreviouslyRefused);
  if (!payout || batch?.rail !== 'paypal' || itemRef === null) return toQuarantined('it refers to an unknown payout');
  if (batch.state === 'refused') return toQuarantined(texts.payoutBatchRefused);
  if (batch.provider_ref === null && batchRef !== null) await linkBatch(ctx, batch.id, batchRef);
  const known = await transfers.findBatch(ctx.db, batch.id);
  if (batchRef === null || known?.provider_ref !== batchRef)
    return toQuarantined('its payout was sent with another batch');
  const outcome = await findProvider(ctx)?.fetch(itemRef);
  if (!outcome || outcome.state === 'unknown') throw new Error(`PayPal was queried for ${itemRef} and did not respond`);
  try {
    await settleItem(ctx, { id: payout.id, batchId: batch.id }, outcome);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return toQuarantined(formatText(texts.paypalMessage, { state: outcome.state, message: error.message }));
  }
  return BOOKED;
}

async function bookBatch(ctx: Context, { batchRef }: webhookStore.PayPalWebhook): Promise<Verdict> {
  const batch = batchRef === null ? undefined : await transfers.findBatchByRef(ctx.db, batchRef);
  if (!batch) return toQuarantined('it names no batch of ours');
  await settleBatch(ctx, batch);
  return BOOKED;
}

function bookWebhook(ctx: Context, webhook: webhookStore.PayPalWebhook): Promise<Verdict> {
  if (webhook.eventType.startsWith('PAYMENT.PAYOUTS-ITEM.')) return bookItem(ctx, webhook);
  if (webhook.eventType.startsWith('PAYMENT.PAYOUTSBATCH.')) return bookBatch(ctx, webhook);
  return Promise.resolve({ state: 'ignored', reason: 'it is not about payouts' });
}

async function processWebhook(ctx: Context, id: string): Promise<void> {
  const webhook = await webhookStore.findReceivedWebhook(ctx.db, id);
  if (!webhook) return;
  const verdict = await bookWebhook(ctx, webhook);
  const { state: to, reason } = verdict;
  const isMoved = await webhookStore.moveWebhook(ctx.db, id, { from: 'received', to, reason });
  if (isMoved && to === 'quarantined')
    ctx.log.error(
      { ...webhook, reason },
      'a PayPal payout webhook needs a decision by an operator: GET /admin/payout-webhooks',
    );
}

/** Mounts the webhook in its own scope, because the signature covers the raw bytes of the body. */
export async function registerPayPalWebhook(app: FastifyInstance, ctx: Context, metrics: Registry): Promise<void> {
  // A separate queue, so that a slow PayPal delays no other work.
  ctx.jobs.define(webhookJob, ({ webhookId }) => processWebhook(ctx, webhookId), webhookJob.name);
  new Gauge({
    name: 'stagedoor_payout_webhooks_quarantined',
    help: 'PayPal payout webhooks that need a decision by an operator',
    registers: [metrics],
    async collect() {
      this.set((await webhookStore.countQuarantinedPayPalWebhooks(ctx.db)).count);
    },
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    scope.route({
      method: 'POST',
      url: '/api/webhook/paypal',
      bodyLimit: BODY_LIMIT,
      onRequest: async (request) => requireNotLimited(await ctx.limits.countShared(WEBHOOK_LIMIT, request.ip)),
      handler: async (request, reply) => {
        const provider = findProvider(ctx);
        const body = typeof request.body === 'string' ? request.body : '';
        const webhook = provider && parseWebhook(body);
        const isGenuine = webhook && (await provider.isGenuine({ headers: request.headers, body }));
        if (webhook && isGenuine === undefined) throw new AppError('UPSTREAM');
        // An unsigned request gets the same response as an unknown URL.
        if (!webhook || !isGenuine) throw new AppError('NOT_FOUND');
        await ctx.db.transaction(async (tx) => {
          if (await webhookStore.storePayPalWebhook(tx, webhook, ctx.clock.now()))
            await ctx.jobs.add(
              tx,
              webhookJob,
              { webhookId: webhook.id },
              { key: `payouts.processWebhook:${webhook.id}` },
            );
        });
        return reply.type('text/plain').send('OK');
      },
    });
  });
}
