/** PayPal Payouts (REST, v1): OAuth with client credentials, batches with our ids, items and their states. */

import * as z from 'zod/mini';
import type { Clock } from '../../../platform/clock.ts';
import type { ItemOutcomes, PayoutItem, PayoutOutcome, PayoutProvider, SignedRequest } from './provider.ts';
import * as texts from './texts.ts';

export type PayPalOptions = {
  url: string;
  clientId: string;
  clientSecret: string;
  webhookId?: string;
  timeoutMs?: number;
};

export const MAX_BATCH_ITEMS = 15_000;
const PAGE = 1_000;
/** 2 % of a payout, at most one dollar within the United States. */
const FEE = { percent: 2, maxCents: 100 } as const;

const token = z.object({ access_token: z.string(), expires_in: z.number() });
const item = z.object({
  payout_item_id: z.string(),
  transaction_status: z.optional(z.string()),
  payout_item: z.object({ sender_item_id: z.optional(z.string()) }),
  errors: z.optional(z.object({ name: z.optional(z.string()) })),
});
const batch = z.object({
  batch_header: z.object({
    payout_batch_id: z.string(),
    batch_status: z.string(),
    sender_batch_header: z.optional(z.object({ sender_batch_id: z.optional(z.string()) })),
  }),
  items: z.optional(z.array(item)),
  total_pages: z.optional(z.number()),
});

const FAILED = new Set(['FAILED', 'BLOCKED']);
const RETURNED = new Set(['RETURNED', 'REFUNDED', 'REVERSED']);

/** These item errors concern our account, so the receiver cannot fix them. */
const isSenderError = (code: string) => code === 'INSUFFICIENT_FUNDS' || code.startsWith('SENDER_');

const refusal = z.object({
  name: z.optional(z.string()),
  details: z.optional(z.array(z.object({ field: z.optional(z.string()), issue: z.optional(z.string()) }))),
});

/** A successful batch does not say that its items succeeded. Each item has its own state. */
function toOutcome({
  payout_item_id: ref,
  transaction_status: status = 'PENDING',
  errors,
}: z.infer<typeof item>): PayoutOutcome {
  const code = errors?.name ?? status;
  if (status === 'SUCCESS') return { state: 'paid', ref };
  if (FAILED.has(status) && isSenderError(code)) return { state: 'refused', code, detail: code };
  if (FAILED.has(status)) return { state: 'failed', code, ref };
  if (RETURNED.has(status)) return { state: 'returned', code, ref };
  return { state: 'accepted', ref, ...(status === 'UNCLAIMED' && { isUnclaimed: true }) };
}

class NoResponseError extends Error {}

const signature = z.object({
  'paypal-auth-algo': z.string(),
  'paypal-cert-url': z.string(),
  'paypal-transmission-id': z.string(),
  'paypal-transmission-sig': z.string(),
  'paypal-transmission-time': z.string(),
});
const verification = z.object({ verification_status: z.string() });
const CERTIFICATES = '/v1/notifications/certs/';

/**
 * Returns whether a certificate URL belongs to the API. The certificates of `api-m.paypal.com` are at `api.paypal.com`.
 */
export function isCertificateUrl(api: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const [url, { origin }] = [new URL(address), new URL(api)];
  return url.origin === origin.replace('//api-m.', '//api.') && url.pathname.startsWith(CERTIFICATES) && !url.username;
}

export function createPayPal(
  { url, clientId, clientSecret, webhookId = '', timeoutMs = 30_000 }: PayPalOptions,
  clock: Clock,
): PayoutProvider {
  let cachedToken: { value: string; until: number } | undefined;

  async function sendRequest(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
    } catch (error) {
      throw new NoResponseError(`PayPal did not answer: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }

  async function authorization(): Promise<string> {
    if (cachedToken && cachedToken.until > clock.now().getTime()) return cachedToken.value;
    const { status, body } = await sendRequest('/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    if (status !== 200) throw new NoResponseError(`PayPal refused our credentials: ${status}`);
    const parsed = z.parse(token, body);
    cachedToken = {
      value: `Bearer ${parsed.access_token}`,
      until: clock.now().getTime() + (parsed.expires_in - 60) * 1_000,
    };
    return cachedToken.value;
  }

  async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<{ status: number; body: unknown }> {
    const headers = { authorization: await authorization(), 'content-type': 'application/json' };
    const response = await sendRequest(path, { method, headers, ...(body !== undefined && { body }) });
    if (response.status === 401) cachedToken = undefined;
    // This response does not show the result of the request.
    if (response.status >= 500 || [401, 408, 429].includes(response.status))
      throw new NoResponseError(`PayPal answered ${response.status}`);
    return response;
  }

  async function readItems(ref: string): Promise<ItemOutcomes> {
    const outcomes = new Map<string, PayoutOutcome>();
    let denied: string | undefined;
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = `page=${page}&page_size=${PAGE}&total_required=true`;
      const { status, body } = await call('GET', `/v1/payments/payouts/${encodeURIComponent(ref)}?${query}`);
      if (status === 404) return { get: () => ({ state: 'none' }) };
      if (status !== 200) throw new NoResponseError(`PayPal answered ${status}`);
      const { batch_header: head, items = [], total_pages: total = 1 } = z.parse(batch, body);
      pages = total;
      if (head.batch_status === 'DENIED' || head.batch_status === 'CANCELED') denied = head.batch_status;
      for (const one of items) {
        const id = one.payout_item.sender_item_id;
        const outcome = toOutcome(one);
        // Items that were paid before the batch was denied stay paid.
        const isFinal = denied === undefined || outcome.state !== 'accepted';
        if (id !== undefined)
          outcomes.set(id, isFinal ? outcome : { state: 'refused', code: denied ?? '', detail: denied ?? '' });
      }
    }
    const unnamed: PayoutOutcome | undefined =
      denied === undefined ? undefined : { state: 'refused', code: denied, detail: denied };
    return { get: (id) => outcomes.get(id) ?? unnamed, ...(denied !== undefined && { denied }) };
  }

  function findBatchRef(body: unknown): string | undefined {
    return /\/v1\/payments\/payouts\/([A-Za-z0-9]+)/.exec(JSON.stringify(body))?.[1];
  }

  async function findBatchKey(ref: string): Promise<string | undefined> {
    const { status, body } = await call('GET', `/v1/payments/payouts/${encodeURIComponent(ref)}?page=1&page_size=1`);
    if (status === 404) return undefined;
    if (status !== 200) throw new NoResponseError(`PayPal answered ${status}`);
    return z.parse(batch, body).batch_header.sender_batch_header?.sender_batch_id;
  }

  /**
   * Source: Webhooks v1, verify-webhook-signature. The request contains the raw body, because a serialized one would
   * have another signature.
   */
  async function isGenuine({ headers, body }: SignedRequest): Promise<boolean> {
    const { success, data } = z.safeParse(signature, headers);
    if (webhookId === '' || !success || !isCertificateUrl(url, data['paypal-cert-url'])) return false;
    const payload = JSON.stringify({
      auth_algo: data['paypal-auth-algo'],
      cert_url: data['paypal-cert-url'],
      transmission_id: data['paypal-transmission-id'],
      transmission_sig: data['paypal-transmission-sig'],
      transmission_time: data['paypal-transmission-time'],
      webhook_id: webhookId,
    });
    const signedPayload = `${payload.slice(0, -1)},"webhook_event":${body}}`;
    const { status, body: response } = await call('POST', '/v1/notifications/verify-webhook-signature', signedPayload);
    return status === 200 && z.safeParse(verification, response).data?.verification_status === 'SUCCESS';
  }

  async function catchNoResponse(work: () => Promise<PayoutOutcome>): Promise<PayoutOutcome> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NoResponseError) return { state: 'unknown', reason: error.message };
      throw error;
    }
  }

  const formatAmount = (cents: number) => (cents / 100).toFixed(2);
  const toPayoutEntry = ({ id, receiver, cents }: PayoutItem) => ({
    recipient_type: 'EMAIL',
    amount: { currency: 'USD', value: formatAmount(cents) },
    receiver,
    sender_item_id: id,
    note: texts.paypalPayoutNote,
  });

  return {
    quote: (cents) => Math.min(Math.round((cents * FEE.percent) / 100), FEE.maxCents),
    submit: (items, idempotencyKey, beforeSend) =>
      catchNoResponse(async () => {
        const head = {
          sender_batch_id: idempotencyKey,
          email_subject: texts.paypalPayoutSubject,
          email_message: texts.paypalPayoutMessage,
        };
        const requestBody = JSON.stringify({ sender_batch_header: head, items: items.map(toPayoutEntry) });
        // If authorization fails, the batch was certainly not sent.
        await authorization();
        if (!(await beforeSend())) throw new NoResponseError('no request was sent to PayPal');
        const { status, body } = await call('POST', '/v1/payments/payouts', requestBody);
        if (status === 201) return { state: 'accepted', ref: z.parse(batch, body).batch_header.payout_batch_id };
        const ref = findBatchRef(body);
        if (ref !== undefined) return { state: 'accepted', ref };
        // The batch was neither accepted nor refused, or is known without its batch id, so it may be paid.
        if (status < 400 || /sender_batch_id|duplicate/i.test(JSON.stringify(body)))
          throw new NoResponseError(`PayPal answered ${status} without naming the batch`);
        const { name = String(status), details = [] } = z.safeParse(refusal, body).data ?? {};
        const problems = details.map(({ field, issue }) => [field, issue].filter(Boolean).join(' ')).filter(Boolean);
        return { state: 'refused', code: name, detail: [name, ...problems.slice(0, 3)].join('; ').slice(0, 500) };
      }),
    items: readItems,
    findBatchKey,
    fetch: (ref) =>
      catchNoResponse(async () => {
        const { status, body } = await call('GET', `/v1/payments/payouts-item/${encodeURIComponent(ref)}`);
        if (status === 404) return { state: 'none' };
        return status === 200
          ? toOutcome(z.parse(item, body))
          : { state: 'unknown', reason: `PayPal answered ${status}` };
      }),
    cancel: (ref) =>
      catchNoResponse(async () => {
        const { status, body } = await call('POST', `/v1/payments/payouts-item/${encodeURIComponent(ref)}/cancel`);
        return status === 200
          ? toOutcome(z.parse(item, body))
          : { state: 'unknown', reason: `PayPal answered ${status}` };
      }),
    isGenuine: async (request) => {
      try {
        return await isGenuine(request);
      } catch (error) {
        if (error instanceof NoResponseError) return undefined;
        throw error;
      }
    },
  };
}
