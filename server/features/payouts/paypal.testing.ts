/** A server that speaks PayPal's Payouts, for tests: it keeps batches by their id, and fails where it is told to. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Item = {
  payout_item_id: string;
  transaction_status: string;
  payout_item: { sender_item_id: string; amount: { value: string }; receiver: string };
  errors?: { name: string };
};
type Batch = { ref: string; senderBatchId: string; status: 'SUCCESS' | 'DENIED'; items: Item[] };

/**
 * `lost`: it takes the batch and answers 500, as when the answer is lost on the way; `mute`: it takes the batch and says nothing of
 * it; `strict`: it refuses an id that it knows without a link to the batch.
 */
type Mood = 'well' | 'down' | 'lost' | 'denies' | 'mute' | 'strict';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

export async function openPayPal() {
  const batches: Batch[] = [];
  let mood: Mood = 'well';
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (mood === 'down') return answer(503, { name: 'SERVICE_UNAVAILABLE' });
    if (url.pathname === '/v1/oauth2/token') {
      const isOurs = request.headers.authorization === `Basic ${Buffer.from('client:secret').toString('base64')}`;
      return isOurs && body === 'grant_type=client_credentials'
        ? answer(200, { access_token: 'token', token_type: 'Bearer', expires_in: 32_400 })
        : answer(401, { error: 'invalid_client' });
    }
    if (request.headers.authorization !== 'Bearer token') return answer(401, { name: 'AUTHENTICATION_FAILURE' });
    if (request.method === 'POST' && url.pathname === '/v1/payments/payouts') {
      const { sender_batch_header: head, items } = JSON.parse(body);
      if (mood === 'denies') return answer(403, { name: 'AUTHORIZATION_ERROR', message: 'not enabled' });
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
        return answer(400, {
          name: 'USER_BUSINESS_ERROR',
          ...(mood === 'strict' ? { message: details[0]?.issue } : { details }),
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
      if (mood === 'mute') return answer(202, {});
      if (mood === 'lost') return answer(500, { name: 'INTERNAL_SERVICE_ERROR' });
      return answer(201, { batch_header: { payout_batch_id: batch.ref, batch_status: 'PENDING' } });
    }
    const batch = batches.find(({ ref }) => url.pathname === `/v1/payments/payouts/${ref}`);
    if (batch) {
      // A batch that succeeded says nothing of its items.
      const [page, size] = [
        Number(url.searchParams.get('page')),
        Math.min(Number(url.searchParams.get('page_size')), 2),
      ];
      const items = batch.items.slice((page - 1) * size, page * size);
      const head = { payout_batch_id: batch.ref, batch_status: batch.status };
      return answer(200, {
        batch_header: head,
        ...(batch.status !== 'DENIED' && { items }),
        total_pages: Math.ceil(batch.items.length / size),
      });
    }
    const [, id, verb] = /^\/v1\/payments\/payouts-item\/([^/]+)(\/cancel)?$/.exec(url.pathname) ?? [];
    const item = batches.flatMap(({ items }) => items).find(({ payout_item_id: ref }) => ref === id);
    if (!item) return answer(404, { name: 'RESOURCE_NOT_FOUND' });
    if (verb && item.transaction_status !== 'UNCLAIMED') return answer(400, { name: 'ITEM_INCORRECT_STATUS' });
    if (verb) item.transaction_status = 'RETURNED';
    return answer(200, item);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    batches,
    is: (next: Mood) => {
      mood = next;
    },
    /** Says what became of the item of a request. */
    tell: (payoutId: string, status: string, error?: string) => {
      const item = batches.flatMap(({ items }) => items).find((one) => one.payout_item.sender_item_id === payoutId);
      if (!item) throw new Error(`nobody sent ${payoutId}`);
      item.transaction_status = status;
      if (error !== undefined) item.errors = { name: error };
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
