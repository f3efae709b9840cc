/** A simulation of PayPal Payouts for tests. It stores batches by id and fails on request. */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

type Item = {
  payout_item_id: string;
  transaction_status: string;
  payout_item: { sender_item_id: string; amount: { value: string }; receiver: string };
  errors?: { name: string };
};
type Batch = { ref: string; senderBatchId: string; status: 'SUCCESS' | 'DENIED'; items: Item[] };

/**
 * `lost`: takes the batch but responds with 500. `mute`: takes the batch but does not name it. `denies`: refuses every
 * batch, even one that it has taken. `strict`: refuses a known id without a link to its batch. `slow`: does not respond
 * to item queries.
 */
type PayPalBehaviour = 'well' | 'down' | 'lost' | 'denies' | 'mute' | 'strict' | 'slow';

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

export const WEBHOOK_ID = '1JE4291016473214C';

function createSignature({
  id,
  time,
  webhookId,
  body,
}: {
  id: string;
  time: string;
  webhookId: string;
  body: string;
}): string {
  return createHmac('sha256', 'PayPal’s own')
    .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
    .digest('base64');
}

function isValidSignature(payload: string): boolean {
  const {
    transmission_id: id,
    transmission_time: time,
    transmission_sig: signed,
    webhook_id: webhookId,
  } = JSON.parse(payload);
  const body = payload.slice(payload.indexOf('"webhook_event":') + '"webhook_event":'.length, -1);
  return signed === createSignature({ id, time, webhookId, body });
}

export async function startPayPal() {
  const batches: Batch[] = [];
  let behaviour: PayPalBehaviour = 'well';
  let slow = Promise.withResolvers<void>();
  slow.resolve();
  let waiting = 0;
  const server = createServer(async (request, response) => {
    const respond = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const body = await readBody(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (behaviour === 'down') return respond(503, { name: 'SERVICE_UNAVAILABLE' });
    if (url.pathname === '/v1/oauth2/token') {
      const isClient = request.headers.authorization === `Basic ${Buffer.from('client:secret').toString('base64')}`;
      return isClient && body === 'grant_type=client_credentials'
        ? respond(200, { access_token: 'token', token_type: 'Bearer', expires_in: 32_400 })
        : respond(401, { error: 'invalid_client' });
    }
    if (request.headers.authorization !== 'Bearer token') return respond(401, { name: 'AUTHENTICATION_FAILURE' });
    if (request.method === 'POST' && url.pathname === '/v1/payments/payouts') {
      const { sender_batch_header: head, items } = JSON.parse(body);
      if (behaviour === 'denies') return respond(403, { name: 'AUTHORIZATION_ERROR', message: 'not enabled' });
      const known = batches.find(({ senderBatchId }) => senderBatchId === head.sender_batch_id);
      if (known) {
        const href = `https://api-m.paypal.com/v1/payments/payouts/${known.ref}`;
        const details = [
          {
            field: 'SENDER_BATCH_ID',
            issue: 'Batch with given sender_batch_id already exists',
            link: [{ href, rel: 'self' }],
          },
        ];
        return respond(400, {
          name: 'USER_BUSINESS_ERROR',
          ...(behaviour === 'strict' ? { message: details[0]?.issue } : { details }),
        });
      }
      const batch: Batch = {
        ref: `BATCH${batches.length}`,
        senderBatchId: head.sender_batch_id,
        status: 'SUCCESS',
        items: items.map((payout_item: Item['payout_item'], index: number) => ({
          payout_item_id: `ITEM${batches.length}N${index}`,
          transaction_status: 'PENDING',
          payout_item,
        })),
      };
      batches.push(batch);
      if (behaviour === 'mute') return respond(202, {});
      if (behaviour === 'lost') return respond(500, { name: 'INTERNAL_SERVICE_ERROR' });
      return respond(201, { batch_header: { payout_batch_id: batch.ref, batch_status: 'PENDING' } });
    }
    if (url.pathname === '/v1/notifications/verify-webhook-signature')
      return respond(200, { verification_status: isValidSignature(body) ? 'SUCCESS' : 'FAILURE' });
    const batch = batches.find(({ ref }) => url.pathname === `/v1/payments/payouts/${ref}`);
    if (batch) {
      const [page, size] = [
        Number(url.searchParams.get('page')),
        Math.min(Number(url.searchParams.get('page_size')), 2),
      ];
      const items = batch.items.slice((page - 1) * size, page * size);
      const head = {
        payout_batch_id: batch.ref,
        batch_status: batch.status,
        sender_batch_header: { sender_batch_id: batch.senderBatchId },
      };
      return respond(200, {
        batch_header: head,
        ...(batch.status !== 'DENIED' && { items }),
        total_pages: Math.ceil(batch.items.length / size),
      });
    }
    const [, id, verb] = /^\/v1\/payments\/payouts-item\/([^/]+)(\/cancel)?$/.exec(url.pathname) ?? [];
    const item = batches.flatMap(({ items }) => items).find(({ payout_item_id: ref }) => ref === id);
    if (!item) return respond(404, { name: 'RESOURCE_NOT_FOUND' });
    waiting += 1;
    await slow.promise;
    waiting -= 1;
    if (verb && item.transaction_status !== 'UNCLAIMED') return respond(400, { name: 'ITEM_INCORRECT_STATUS' });
    if (verb) item.transaction_status = 'RETURNED';
    return respond(200, item);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    batches,
    /** Creates a webhook with unusual spacing, so that a parsed and serialized body would differ. */
    createWebhook: (eventType: string, resource: object, id = `WH-${randomUUID()}`) => {
      const body = JSON.stringify({ id, event_type: eventType, resource }, null, 1);
      const [transmission, time] = [randomUUID(), '2026-11-23T09:00:00Z'];
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${url}/v1/notifications/certs/CERT-360caa42`,
        'paypal-transmission-id': transmission,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': createSignature({ id: transmission, time, webhookId: WEBHOOK_ID, body }),
      };
      return { body, headers };
    },
    waiting: () => waiting,
    setBehaviour: (next: PayPalBehaviour) => {
      behaviour = next;
      slow.resolve();
      if (next === 'slow') slow = Promise.withResolvers();
    },
    setItemStatus: (payoutId: string, status: string, error?: string) => {
      const item = batches.flatMap(({ items }) => items).findLast((one) => one.payout_item.sender_item_id === payoutId);
      if (!item) throw new Error(`no batch contains ${payoutId}`);
      item.transaction_status = status;
      if (error !== undefined) item.errors = { name: error };
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
